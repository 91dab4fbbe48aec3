import * as z from "zod";
import type { Caller, KeyCheck, Scope } from "@/lib/platform/caller";
import { type Commit, unrecorded } from "@/lib/platform/db/commit";
import type { ErrorCode } from "@/lib/platform/errors";
import type { Wait } from "@/lib/platform/limits/connection-slots";
import { isSearch } from "@/lib/platform/limits/search-gate";
import { type Accepted, bytesOf, type Inbound } from "./acceptance";
import type { BodyParts } from "./bounded-json";
import type { Precondition } from "./conditional";
import { type HttpRequest, readJsonObject } from "./request";
import type { HttpResponse } from "./response";
import { queryDocument, validate } from "./validation";

export const BODY_BYTES_MAX = 1_000_000;
/** For bodies of up to a million characters, each of which may arrive as two `\uXXXX` escapes. */
export const LONG_BODY_BYTES_MAX = 13_000_000;

/** An OPTIONS operation gets the requests that are not CORS preflights. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** Who may call an operation. */
export interface Access {
  /** `ignored`: credentials are ignored. `required`: 401 without one. */
  auth: "optional" | "required" | "ignored";
  /** A sentence for the 401: what a caller without a key can do instead. */
  withoutKey?: string;
  /** The resource whose access tokens it accepts; by default the API. Keys work everywhere. */
  audience?: "mcp";
  /** Whether a URL with this query wants a credential with every request, whatever its method. */
  wantsSignIn?(search: string): boolean;
  /** The scope a key must have, if one is sent. */
  scope: Scope | null;
  /** The handler checks the dispatch secret. */
  dispatchSecret?: boolean;
  /** Honours `Claim-With`: a change with the resource's claim token counts as its creator's. */
  takesClaimToken?: boolean;
}

/** What a request may contain. */
interface Takes {
  query: z.ZodObject | null;
  /** Accepts unknown query parameters. */
  anyQuery?: boolean;
  body: z.ZodObject | null;
  /** A body that the handler reads itself, up to `bytesMax` or else `INBOX_MAX_BODY_BYTES`. */
  rawBody?: { contentType: string; schema?: z.ZodType; bytesMax?: number };
  /** An empty body counts as `{}`. */
  bodyOptional?: boolean;
  /** Larger bodies get 413. */
  bodyBytesMax: number;
  /** Deletes what has no `ETag`: a tag in `If-Match` is 400. */
  untagged?: true;
  /** Upload time, if longer than the default. */
  uploadSecondsMax: number;
}

/** What a response may be. */
interface Returns {
  /** `location`: the parent path of the created resource, where it is not this path or the status is not 201. */
  success: {
    status: number;
    schema?: z.ZodType;
    contentType?: string;
    location?: string;
    /** Returns 201 instead if it created the resource. */
    orCreated?: true;
    /** Returns 204 instead if there is nothing to return yet. */
    orNothing?: true;
  };
  /** Error codes that only few operations return. */
  errors: readonly ErrorCode[];
  /** Statuses of these errors, where they are not the codes' own. */
  statuses?: Partial<Record<ErrorCode, number>>;
  /** Failure statuses not implied by the rest of the declaration. */
  failures: readonly number[];
  /** The body of the handler's failures, if not the error envelope. */
  failureSchema?: z.ZodType;
  /** The `Allow` header of a 405, if the contract fixes it. */
  allow?: string;
  /** Headers of every response on the path, also of errors before the handler runs. */
  pathHeaders?: Record<string, string>;
  /** Responds with an `ETag` and honours `If-None-Match`. */
  conditional?: boolean;
  /** The handler sets an `ETag` and honours `If-None-Match` and `Range`. */
  ranges?: boolean;
  /** Members that the response leaves out with `Prefer: return=minimal`. */
  minimal?: readonly string[];
}

/** How calls are counted and repeated. */
interface Counts {
  /** A GET that changes something. HEAD, which must not, gets 405. */
  refusesHead?: boolean;
  /** Honours `Idempotency-Key`. True for every POST by default. */
  repeatable: boolean;
  /** Derives the response to a repeat from the first response, which must not contain a secret. */
  repeated?: (first: HttpResponse) => Promise<HttpResponse>;
  /** Makes what a create returned from its record, if members follow from the time of creation. */
  restored?(recorded: object): object;
  /** Open to anyone, so rate limited by `{id}` rather than by sender. */
  takesArrivals?: boolean;
  /** Counts as a read: the writes that it makes are counted separately. */
  countsAsRead?: boolean;
  /** Takes, keeps or finishes work, so it is accepted even if the storage is used up. */
  finishesWork?: boolean;
}

/** One method of one path, for the registry, `route()` and the documents. */
export interface Operation extends Access, Takes, Returns, Counts {
  id: string;
  method: Method;
  path: string;
  /** Also matches all paths below `path`. */
  subpaths?: boolean;
  /** Deletes a whole collection. A member's path without its ID is this path with a slash. */
  deletesAll?: boolean;
  summary: string;
  description?: string;
  /** Documented only in its tag's part of the OpenAPI document. */
  inPartOnly?: boolean;
  /** Starts a read that the handler needs before the request has been accepted. */
  prefetch?: (params: Record<string, string>, check?: KeyCheck) => Promise<unknown>;
  /** Validates parameters, query and body, and returns the work to run. */
  accept(inbound: Inbound): Promise<Accepted>;
}

/** Whether the operation creates a resource, so that its handler returns an `Insertion`. */
export function isCreate({ method, success, rawBody }: Operation): boolean {
  return method === "POST" && success.status === 201 && !rawBody;
}

/** Whether it creates a resource that gets a claim token if the caller has no key. */
export function createsClaimable(operation: Operation): boolean {
  const { schema } = operation.success;
  return isCreate(operation) && schema instanceof z.ZodObject && "claim_token" in schema.shape;
}

/** Whether it counts as an anonymous write; operations that ignore keys have their own limits. */
export function isAnonymousWrite({ method, auth, countsAsRead }: Operation): boolean {
  return auth === "optional" && method !== "GET" && !countsAsRead;
}

type Declared = Pick<Operation, "id" | "summary" | "success">;
type Made = Pick<Operation, "method" | "path" | "query" | "body" | "prefetch" | "accept">;

interface Definition<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Prefetched,
> extends Declared,
    Partial<Omit<Operation, keyof Declared | keyof Made>> {
  query?: Query;
  body?: Body;
  /** Where the body contains the bodies of other operations. */
  parts?: BodyParts;
  /** Whether a request with this query reads everything, as a search does. `isSearch` knows others. */
  searches?(query: z.output<Query>): boolean;
  /** Whether a request with this query and body is a long poll or stream. */
  waits?(asked: {
    params: Record<PathParam<Path>, string>;
    query: z.output<Query>;
    body: z.output<Body>;
  }): Wait | undefined;
  /** The texts that a request with this body adds to a resource, if it is no create or change. */
  texts?(body: z.output<Body>): readonly (string | null | undefined)[];
  /** Starts a small read that the handler needs while the key is being checked. */
  prefetch?(id: string, check?: KeyCheck): Promise<Prefetched>;
  handle(context: {
    caller: Caller;
    /** The result of `prefetch`, if it was called. */
    prefetched: Promise<Prefetched> | undefined;
    params: Record<PathParam<Path>, string>;
    query: z.output<Query>;
    body: z.output<Body>;
    precondition: Precondition | undefined;
    request: HttpRequest;
    onCounted?: Inbound["onCounted"];
    /** A repeatable operation other than a create makes its writes through this. */
    commit: Commit;
  }): unknown;
}

type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never;

/** Declares an operation. Unless it says otherwise, a GET needs the scope for reads, and any other method that for writes. */
export function operation<
  const Path extends `${Method} /${string}`,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Prefetched = undefined,
>(route: Path, definition: Definition<Path, Query, Body, Prefetched>): Operation {
  const [method, path] = route.split(" ") as [Method, string];
  const { query, body, bodyBytesMax = BODY_BYTES_MAX, ...code } = definition;
  const { parts, waits, searches, texts, prefetch, handle, ...rest } = code;
  const queried = rest.anyQuery ? query : (query ?? z.object({})).strict();
  const auth = rest.auth ?? "optional";
  const noun = "query parameter";
  const takesBody =
    !rest.rawBody && auth !== "ignored" && ["POST", "PUT", "PATCH"].includes(method);
  const read = body ?? (takesBody ? z.strictObject({}) : undefined);
  const impliedScope = method === "GET" ? "api.read" : "api.write";
  return {
    ...rest,
    method,
    path,
    uploadSecondsMax: rest.uploadSecondsMax ?? 0,
    auth,
    scope: rest.scope === undefined && auth !== "ignored" ? impliedScope : (rest.scope ?? null),
    query: query ?? null,
    body: body ?? null,
    bodyBytesMax,
    repeatable: rest.repeatable ?? method === "POST",
    errors: rest.errors ?? [],
    failures: rest.failures ?? [],
    prefetch: prefetch && ((params, check) => prefetch(params.id ?? "", check)),
    async accept({ params, search, json: given, prefetched, ...inbound }) {
      const parsedQuery = queried
        ? validate(queried, queryDocument(queried, search), { noun, other: body })
        : {};
      const { isRelayed, isMessage } = inbound.caller;
      // The messages that this service sends always have a body.
      const schema = body ?? (isRelayed || isMessage ? undefined : read);
      const isOptional = rest.bodyOptional || !body;
      const json = schema
        ? (given ?? (await readJsonObject(inbound.request, bodyBytesMax, isOptional, parts)))
        : null;
      const parsedBody =
        schema && json ? validate(schema, json.document, { other: query, ...json }) : {};
      // The casts are safe: `params` match this path, and what has no schema is empty, as its type says.
      const asked = {
        params: params as Record<PathParam<Path>, string>,
        query: parsedQuery as z.output<Query>,
        body: parsedBody as z.output<Body>,
        prefetched: prefetched as Promise<Prefetched> | undefined,
      };
      return {
        body: body && json ? json.document : null,
        wait: waits?.(asked),
        isSearch: isSearch(parsedQuery) || isSearch(parsedBody) || searches?.(asked.query) === true,
        textBytes: bytesOf(texts?.(asked.body) ?? []),
        // Spreads come last on hot paths: after a leading one, each property costs Node 20 a microsecond.
        run: (commit = unrecorded) => handle({ commit, ...inbound, ...asked }),
      };
    },
  };
}
