import type { paths } from "./schema.js";

type HttpMethod = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have this method. */
type PathWith<Method extends HttpMethod> = {
  [Path in keyof paths]: Method extends keyof paths[Path] ? Path : never;
}[keyof paths];

/** The generated type of an operation. */
export type OperationAt<Method extends string, Path extends string> = Path extends keyof paths
  ? Method extends keyof paths[Path]
    ? paths[Path][Method] & PathParams<Path>
    : never
  : never;

type PathParams<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { parameters: { path: Record<NamesIn<Path>, string | number> } };

/** The names in braces in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The types in which a response's body can be read. */
export interface Parsed<Json> {
  json: Json;
  text: string;
  arrayBuffer: ArrayBuffer;
  blob: Blob;
  stream: ReadableStream<Uint8Array>;
}

export interface CallOptions<As extends keyof Parsed<unknown>> {
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** `json` by default. A stream has no time limit, and it is not retried once it breaks. */
  parseAs?: As | undefined;
  /** Overrides the client's. */
  maxRetries?: number | undefined;
  /** Overrides the client's. */
  timeoutMs?: number | undefined;
  /** How long to wait while an earlier request with the same `idempotencyKey` runs; `timeoutMs` by default. */
  patienceMs?: number | undefined;
  /**
   * Changes the resource only if it is still as in this response of this client, or has this ETag;
   * else 412.
   */
  ifMatch?: object | string | undefined;
  /** A POST with the same key and body is done once. A new UUID by default. */
  idempotencyKey?: string | undefined;
  /** The `claim_token` of an earlier create, which then claims this too. */
  claimWith?: string | undefined;
}

/** The options of a call; optional if none of them is required. */
export type Init<Operation, As extends keyof Parsed<unknown>> =
  Record<never, never> extends Sent<Operation>
    ? [init?: Sent<Operation> & CallOptions<As>]
    : [init: Sent<Operation> & CallOptions<As>];

export type Sent<Operation> = Params<Operation> & Body<Operation>;

type Params<Operation> = Operation extends { parameters: infer P }
  ? Record<never, never> extends P
    ? { params?: P }
    : { params: P }
  : { params?: never };

type Body<Operation> = Operation extends { requestBody: { content: infer C } }
  ? { body: Content<C> }
  : Operation extends { requestBody?: { content: infer C } }
    ? unknown extends C
      ? { body?: never }
      : { body?: Content<C> }
    : { body?: never };

type Content<C> = C extends { "application/json": infer Json }
  ? Json
  : string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;

/** The JSON of a successful response. */
export type Json<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204
        ? Responses[Status] extends { content: { "application/json": infer Json } }
          ? Json
          : undefined
        : never;
    }[keyof Responses]
  : never;

/** `undefined` if the operation may respond with 204. */
export type NoContent<Operation> = Operation extends { responses: { 204: unknown } }
  ? undefined
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
) => Promise<
  Result<Parsed<Json<OperationAt<Method, Path>>>[As] | NoContent<OperationAt<Method, Path>>>
>;

/** The paths that return a list, one page at a time. */
export type ListPath = {
  [Path in PathWith<"get">]: Json<OperationAt<"get", Path>> extends { data: unknown[] }
    ? Path
    : never;
}[PathWith<"get">];

export type ItemOf<Path extends ListPath> =
  Json<OperationAt<"get", Path>> extends { data: (infer Item)[] } ? Item : never;
