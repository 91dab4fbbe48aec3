import { Prisma } from "./generated/client";
import type { ValueSets } from "./value-sets";

export type Model = Prisma.ModelName;

/** The columns of a model's table, as Prisma reads them. */
export type Scalars<Name extends Model> = Prisma.TypeMap["model"][Name]["payload"]["scalars"];

/** A column of a model's table. */
export type ColumnName<Name extends Model> = keyof Scalars<Name> & string;

/** A column's type in rows: bigints are numbers, bytes a Buffer, and `ValueSets` says what text holds. */
export type ColumnType<Name extends Model, Column> = Column extends keyof Scalars<Name>
  ? Name extends keyof ValueSets
    ? Column extends keyof ValueSets[Name]
      ? ValueSets[Name][Column]
      : Plain<Scalars<Name>[Column]>
    : Plain<Scalars<Name>[Column]>
  : never;

type Plain<Value> = Value extends bigint ? number : Value extends Uint8Array ? Buffer : Value;

/** A row of a model's table, or some of its columns. */
export type Row<Name extends Model, Column extends keyof Scalars<Name> = keyof Scalars<Name>> = {
  [One in Column]: ColumnType<Name, One>;
};

/** A row of the table that a LEFT JOIN adds: all of its columns, or none. */
export type OrNull<Found> = Found | { [Column in keyof Found]: null };

/** The list of columns of a statement, which knows the type of their row. */
export type Columns<Selected> = Prisma.Sql & { readonly row?: Selected };

/** The type of the rows of `columns`. */
export type RowOf<Selected> = Selected extends Columns<infer Found> ? Found : never;

/** Columns of a model's table, for a statement in SQL. A name that is no column does not compile. */
export function columns<Name extends Model, Column extends ColumnName<Name>>(
  _model: Name,
  ...names: Column[]
): Columns<Row<Name, Column>> {
  return Prisma.raw(names.join(", "));
}

/** The same in a statement with several tables, where `alias` is the row of this one. */
export function columnsOf<Name extends Model, Column extends ColumnName<Name>>(
  alias: string,
  _model: Name,
  ...names: Column[]
): Columns<Row<Name, Column>> {
  return Prisma.raw(names.map((name) => `${alias}.${name}`).join(", "));
}
