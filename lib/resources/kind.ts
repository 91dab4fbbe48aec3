import type { ColumnName, ColumnType, Model } from "@/lib/platform/db/columns";

/** A kind of resource, as data that browser code reads too. The kind's service has the code. */
export type KindDescription = { [Name in Model]: Described<Name> }[Model];

interface Described<Name extends Model> {
  /**
   * The name, which is also the path: `/api/<name>` in the API, `/<name>` in the dashboard. The enum
   * `ResourceKind` of the schema lists it.
   */
  name: ColumnType<"Change", "kind">;
  /** The name of its pages. */
  title: string;
  noun: string;
  /** The description of these resources in the documents of the API. */
  description: string;
  /** The path of its icon in an SVG of 16 by 16. */
  icon: string;
  /** The prefix of its IDs, without the underscore. */
  prefix: string;
  model: Name;
  table: string;
  /**
   * The columns that name another resource for which the service made this one, such as the endpoint
   * of a forwarded message. A claim of the other resource claims this one too.
   */
  madeFor: readonly ColumnName<Name>[];
  /** The tables with many rows for each resource, in the order in which they are emptied. */
  parts: readonly Part[];
  /** The table of figures about its first part, such as the number of rows: one row for each resource. */
  state?: State;
  /**
   * Members of the resource and of its settings that change without a write, since events arrive and
   * time passes. `If-Match` does not compare them.
   */
  volatile: readonly string[];
  /** Members with the host that the request was sent to. `If-Match` does not compare them either. */
  addressed?: readonly string[];
  /** The volatile members that only single reads show. */
  onSingleReads?: readonly string[];
  /** Members that only the response to a create has, such as a secret, besides those of a claim. */
  onCreates?: readonly string[];
  /** The column with a text that MCP shows in parts. */
  longText?: ColumnName<Name>;
  /** The first call for this kind; `body`, posted to its API path, works unchanged. */
  first: { title: string; text: string; button: string; body: Record<string, unknown> };
}

type Part = { [Name in Model]: PartIn<Name> }[Model];

interface PartIn<Name extends Model> {
  model: Name;
  table: string;
  /** The column with the ID of the resource. */
  parent: ColumnName<Name>;
  /** The other column of the primary key. */
  key: ColumnName<Name>;
  /** The prefix of the IDs by which a part is found. */
  prefix?: string;
  /** True if rows may have up to a megabyte. */
  large?: true;
}

type State = { [Name in Model]: StateIn<Name> }[Model];

interface StateIn<Name extends Model> {
  model: Name;
  table: string;
  /** The column with the ID of the resource, its primary key. */
  parent: ColumnName<Name>;
  /** The column with the number of parts. */
  count: ColumnName<Name>;
  /** The column with the last ID of a part that counts as deleted. */
  goneUpTo?: ColumnName<Name>;
}
