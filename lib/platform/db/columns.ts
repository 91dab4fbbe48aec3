import { raw, type Sql } from "@prisma/client-runtime-utils";
import type { Prisma } from "./generated/client";
import type { ValueSets } from "./value-sets";

export type Model = Prisma.ModelName;

/** The columns of a model's table, as Prisma reads them. */
export type Scalars<Name extends Model> = Prisma.TypeMap["model"][Name]["payload"]["scalars"];

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

/** A row from a LEFT JOIN: all of its columns, or all null. */
export type OrNull<Found> = Found | { [Column in keyof Found]: null };

/** The column list of a statement, which carries the type of its rows. */
type Columns<Selected> = Sql & { readonly row?: Selected };

/** The type of the rows of `columns`. */
export type RowOf<Selected> = Selected extends Columns<infer Found> ? Found : never;

/** The names in `"id, name, status"`. */
type NamesIn<List> = List extends `${infer First},${infer Rest}`
  ? Trimmed<First> | NamesIn<Rest>
  : Trimmed<List>;

type Trimmed<Text> = Text extends `${Space}${infer Rest}` | `${infer Rest}${Space}`
  ? Trimmed<Rest>
  : Text;

type Space = " " | "\n";

/** The list itself if the model has all of its columns. The compiler's message names the others. */
type Known<Name extends Model, List extends string> =
  Exclude<NamesIn<List>, ColumnName<Name>> extends never
    ? List
    : `There is no column ${Exclude<NamesIn<List>, ColumnName<Name>> & string}.`;

type Selected<Name extends Model, List> = Row<Name, NamesIn<List> & ColumnName<Name>>;

/** Columns of a model's table, such as `"id, name"`, for a SQL statement. Other names do not compile. */
export function columns<Name extends Model, List extends string>(
  _model: Name,
  list: Known<Name, List>,
): Columns<Selected<Name, List>> {
  return raw(list);
}

/** Like `columns`, for a statement with several tables, in which `alias` names this one. */
export function columnsOf<Name extends Model, List extends string>(
  alias: string,
  _model: Name,
  list: Known<Name, List>,
): Columns<Selected<Name, List>> {
  return raw(list.replace(/\w+/g, `${alias}.$&`));
}
