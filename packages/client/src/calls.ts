import type { paths } from "./schema.js";

/** The generated types of each path and method. */
type Methods = { [Path in keyof paths]: paths[Path] };

type HttpMethod = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have this method. */
type PathWith<Method extends HttpMethod> = {
  [Path in keyof Methods]: Methods[Path] extends { [M in Method]: object } ? Path : never;
}[keyof Methods];

export type OperationAt<
  Method extends HttpMethod,
  Path extends PathWith<Method>,
> = Methods[Path] extends { [M in Method]: infer Operation } ? Operation : never;

/** The types in which a response's body can be read. */
export interface Parsed<Json> {
  json: Json;
  text: string;
  arrayBuffer: ArrayBuffer;
  blob: Blob;
  stream: ReadableStream<Uint8Array>;
}

export interface CallOptions<As extends keyof Parsed<unknown>> {
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** `json` by default. A stream has no time limit, and it is not retried once it breaks. */
  parseAs?: As;
  /** Overrides the client's. */
  maxRetries?: number;
  /** Overrides the client's. */
  timeoutMs?: number;
}

/** The options of a call; optional if none of them is required. */
export type Init<Operation, As extends keyof Parsed<unknown>> =
  Record<never, never> extends Sent<Operation>
    ? [init?: Sent<Operation> & CallOptions<As>]
    : [init: Sent<Operation> & CallOptions<As>];

type Sent<Operation> = Params<Operation> & Body<Operation>;

type Params<Operation> = Operation extends { parameters: infer P }
  ? Record<never, never> extends P
    ? { params?: P }
    : { params: P }
  : { params?: never };

type Body<Operation> = Operation extends { requestBody: { content: infer C } }
  ? { body: Content<C> }
  : Operation extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? { body?: never }
      : { body?: Content<NonNullable<B> extends { content: infer C } ? C : never> }
    : { body?: never };

type Content<C> = C extends { "application/json": infer Json }
  ? Json
  : string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/** The JSON of a successful response. */
type JsonOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 204
        ? Responses[Status] extends { content: { "application/json": infer Json } }
          ? Json
          : undefined
        : never;
    }[keyof Responses]
  : never;

/** A successful call. */
export interface Result<Data> {
  data: Data;
  /** The status and headers; the body has been read. */
  response: Response;
}

/** Calls an operation of the HTTP API, by its path in the OpenAPI document. */
export type Call<Method extends HttpMethod> = <
  Path extends PathWith<Method>,
  As extends keyof Parsed<unknown> = "json",
>(
  path: Path,
  ...init: Init<OperationAt<Method, Path>, As>
) => Promise<Result<Parsed<JsonOf<OperationAt<Method, Path>>>[As]>>;

/** The paths that return a list, one page at a time. */
export type ListPath = {
  [Path in PathWith<"get">]: JsonOf<OperationAt<"get", Path>> extends { data: unknown[] }
    ? Path
    : never;
}[PathWith<"get">];

export type ItemOf<Path extends ListPath> =
  JsonOf<OperationAt<"get", Path>> extends { data: (infer Item)[] } ? Item : never;
