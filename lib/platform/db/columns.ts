import type { Prisma } from "./generated/client";
import { raw, type Sql } from "./sql";

type Scalars<Model extends Prisma.ModelName> = Prisma.TypeMap["model"][Model]["payload"]["scalars"];

/** A row of a model's table, or some of its columns. Bigints are numbers, as `query` returns them. */
export type Row<
  Model extends Prisma.ModelName,
  Column extends keyof Scalars<Model> = keyof Scalars<Model>,
> = {
  [Name in Column]: bigint extends Scalars<Model>[Name]
    ? Exclude<Scalars<Model>[Name], bigint> | number
    : Scalars<Model>[Name];
};

/** The list of columns of a statement, which knows the type of their row. */
export type Columns<Selected> = Sql & { readonly row?: Selected };

/** The type of the rows of `columns`. */
export type RowOf<Selected> = Selected extends Columns<infer Found> ? Found : never;

/** Columns of a model's table, for a statement in SQL. A name that is no column does not compile. */
export function columns<
  Model extends Prisma.ModelName,
  Column extends keyof Scalars<Model> & string,
>(_model: Model, ...names: Column[]): Columns<Row<Model, Column>> {
  return raw(names.join(", "));
}
