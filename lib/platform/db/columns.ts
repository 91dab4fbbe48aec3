import { Prisma } from "./generated/client";
import type { ValueSets } from "./value-sets";

type Model = Prisma.ModelName;

/** The columns of a model's table, as Prisma reads them. */
export type Scalars<Name extends Model> = Prisma.TypeMap["model"][Name]["payload"]["scalars"];

/** A column's type in rows: bigints are numbers, and text with a fixed set of values is one of them. */
export type ColumnType<Name extends Model, Column> = Column extends keyof Scalars<Name>
  ? Name extends keyof ValueSets
    ? Column extends keyof ValueSets[Name]
      ? ValueSets[Name][Column]
      : Plain<Scalars<Name>[Column]>
    : Plain<Scalars<Name>[Column]>
  : never;

type Plain<Value> = bigint extends Value ? Exclude<Value, bigint> | number : Value;

/** A row of a model's table, or some of its columns. */
export type Row<Name extends Model, Column extends keyof Scalars<Name> = keyof Scalars<Name>> = {
  [One in Column]: ColumnType<Name, One>;
};

/** The list of columns of a statement, which knows the type of their row. */
export type Columns<Selected> = Prisma.Sql & { readonly row?: Selected };

/** The type of the rows of `columns`. */
export type RowOf<Selected> = Selected extends Columns<infer Found> ? Found : never;

/** Columns of a model's table, for a statement in SQL. A name that is no column does not compile. */
export function columns<Name extends Model, Column extends keyof Scalars<Name> & string>(
  _model: Name,
  ...names: Column[]
): Columns<Row<Name, Column>> {
  return Prisma.raw(names.join(", "));
}
