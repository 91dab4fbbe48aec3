import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { ColumnType, Scalars } from "./columns";
import { type Prisma, PrismaClient } from "./generated/client";
import type { ValueSets } from "./value-sets";

export type Run = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Prisma Client whose bigints are numbers, since the service stores only safe integers. */
export type Client = ReturnType<typeof clientOn>;

/** A Prisma Client that sends its statements through `run`. It has no connections of its own. */
export function clientOn(run: Run) {
  const relay = Object.assign(new pg.Pool(), { query: run });
  return new PrismaClient({ adapter: new PrismaPg(relay) }).$extends({
    result: {} as Results,
    query: {
      async $allOperations({ args, query }) {
        if ("where" in args) assertDefined(args.where);
        return withNumbers(await query(args));
      },
    },
  });
}

/**
 * The result types of bigint columns and of those in `ValueSets`, as results of Prisma's extension.
 * `withNumbers` converts the values.
 */
type Results = {
  [Name in Prisma.ModelName as Uncapitalize<Name>]: {
    [Column in Converted<Name>]: {
      needs: { [One in Column]: true };
      compute: (row: Scalars<Name>) => ColumnType<Name, Column>;
    };
  };
};

type Converted<Name extends Prisma.ModelName> = {
  [Column in keyof Scalars<Name>]: bigint extends Scalars<Name>[Column]
    ? Column
    : Name extends keyof ValueSets
      ? Column extends keyof ValueSets[Name]
        ? Column
        : never
      : never;
}[keyof Scalars<Name>];

/**
 * Prisma takes `where: { id: undefined }` for no condition and would find, change or delete every
 * row.
 */
function assertDefined(where: unknown): void {
  if (where === undefined) throw new Error("A condition is undefined.");
  if (where === null || typeof where !== "object" || where instanceof Uint8Array) return;
  for (const condition of Object.values(where)) assertDefined(condition);
}

function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "bigint" || typeof member === "object") {
      (value as Record<string, unknown>)[name] = withNumbers(member);
    }
  }
  return value;
}
