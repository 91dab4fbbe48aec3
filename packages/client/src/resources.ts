import type { CallOptions, Json, NoContent, OperationAt, Sent } from "./calls.js";
import type { AnyInit, Connection } from "./connection.js";
import { operations } from "./operations.js";
import { listItems, type Page, PagePromise } from "./pages.js";

/** The operations of the API as functions, by resource: `client.tasks.create({ name: "Write" })`. */
export type Resources = Group<typeof operations>;

type Group<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends string
    ? Method<Table[Name]>
    : Group<Table[Name]>;
};

/** The IDs of the path, then the body or query, then options. */
type Method<Route extends string> = Route extends `${infer Verb} ${infer Path} ${infer Input}`
  ? (
      ...given: [
        ...Ids<Path>,
        ...Fields<OperationAt<Lowercase<Verb>, Path>, Input>,
        options?: RequestOptions<OperationAt<Lowercase<Verb>, Path>, Input>,
      ]
    ) => Returned<OperationAt<Lowercase<Verb>, Path>, Input>
  : never;

type Ids<Path extends string> = Path extends `${string}{external_id}`
  ? [externalId: string]
  : Path extends `${string}{${string}}${string}{${string}}${string}{${string}}`
    ? [id: string, itemId: string, secret: string]
    : Path extends `${string}{${string}}${string}{${string}}${string}`
      ? [id: string, itemId: string | number]
      : Path extends `${string}{${string}}${string}`
        ? [id: string]
        : [];

type Fields<Operation, Input> = Input extends "body"
  ? Sent<Operation> extends { body: infer Body }
    ? [body: Body]
    : [body?: Sent<Operation>["body"]]
  : Input extends "list" | "query"
    ? Query<Operation> extends { query: infer Filter }
      ? [query: Filter]
      : [query?: Query<Operation>["query"]]
    : [];

type Query<Operation> = Operation extends { parameters: infer P extends { query?: unknown } }
  ? Pick<P, "query">
  : { query?: never };

/** The options of a call. `query` has what the URL takes besides the body. */
export type RequestOptions<Operation, Input> = Omit<CallOptions<"json">, "parseAs"> &
  (Input extends "list" | "query" ? unknown : Query<Operation>);

type Returned<Operation, Input> = Input extends "list"
  ? Json<Operation> extends Page<infer Item>
    ? PagePromise<Json<Operation>, Item>
    : never
  : Promise<Input extends "bytes" ? ArrayBuffer | NoContent<Operation> : Json<Operation>>;

interface Table {
  readonly [name: string]: string | Table;
}

/** The functions of every operation that the client has a name for. */
export function resourcesOf(connection: Connection): Resources {
  // The cast is safe: `Resources` describes what `bind` makes of each route.
  return group(connection, operations) as unknown as Resources;
}

function group(connection: Connection, table: Table): Record<string, unknown> {
  const entries = Object.entries(table).map(([name, value]) => [
    name,
    typeof value === "string" ? bind(connection, value) : group(connection, value),
  ]);
  return Object.fromEntries(entries);
}

function bind(connection: Connection, route: string) {
  const [verb = "", path = "", input = ""] = route.split(" ");
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  const takesFields = input !== "none" && input !== "bytes";
  return (...given: unknown[]) => {
    const ids = names.map((name, index) => [name, given[index]]);
    const fields = takesFields ? given[names.length] : undefined;
    const { query, ...options } = (given[names.length + Number(takesFields)] ?? {}) as Options;
    const init: AnyInit = {
      ...options,
      params: {
        path: Object.fromEntries(ids),
        query: input === "body" ? query : ((fields as Options["query"]) ?? query),
      },
      ...(input === "body" && { body: fields }),
      ...(input === "bytes" && { parseAs: "arrayBuffer" }),
    };
    const run = async () => (await connection.call(verb, path, init)).data;
    if (input !== "list") return run();
    return new PagePromise(run, () => listItems(connection, path, init));
  };
}

interface Options extends AnyInit {
  query?: Record<string, unknown>;
}
