import { z } from "zod";
import type { Caller, Scope } from "@/lib/caller";
import type { Db } from "@/lib/db/sql";
import { strict } from "./aliases";
import type { Answer } from "./answer";
import type { Precondition } from "./conditional";
import { type HttpRequest, readJsonObject } from "./request";
import { queryDocument, validate } from "./validation";
import type { Wait } from "./waiting";

export const BODY_BYTES_MAX = 1_000_000;

/** An operation with OPTIONS gets those requests that are no CORS preflight. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** What a request brings along, before anything of it has been checked. */
interface Inbound {
  request: HttpRequest;
  caller: Caller;
  params: Record<string, string>;
  search: string;
  precondition: Precondition | undefined;
}

/** One method on one path, as the registry, `route()` and the documents see it. */
export interface Operation {
  id: string;
  method: Method;
  path: string;
  /** It also has all paths below `path`. */
  subpaths: boolean;
  summary: string;
  description?: string;
  tag: string;
  /** `ignored`: credentials are not read. `required`: 401 without one. */
  auth: "optional" | "required" | "ignored";
  /** The scope that a presented key must have. */
  scope: Scope | null;
  query: z.ZodObject | null;
  /** Query parameters that `query` does not know are let through. */
  anyQuery: boolean;
  body: z.ZodObject | null;
  /** A body that the work reads itself, as the documents describe it. */
  rawBody?: { contentType: string; schema?: z.ZodType };
  /** What `Allow` says with a 405, where the contract fixes it. */
  allow?: string;
  /** An empty body counts as `{}`. */
  bodyOptional: boolean;
  /** A POST that changes something: with an `Idempotency-Key` it is done once. */
  repeatable: boolean;
  /** What a repetition is answered, made of the first answer, which holds no secret; else that answer. */
  repeated?: (first: Answer) => Promise<Answer>;
  /** `location`: the path below which a create puts what it makes, where that is not its own. */
  success: {
    status: number;
    schema?: z.ZodType;
    contentType?: string;
    location?: string;
    /** It answers 201 instead where it had to create what it changes. */
    orCreated?: true;
  };
  /** The statuses of failures that the rest of the declaration does not imply. */
  failures: readonly number[];
  /** The work itself checks the operator's dispatch secret. */
  dispatchSecret: boolean;
  /** How long the caller may take to send the body, where that is longer than usual. */
  uploadSecondsMax: number;
  /** The answer has an `ETag` and honours `If-None-Match`. */
  conditional: boolean;
  /** The work itself gives an `ETag` and honours `If-None-Match` and `Range`. */
  ranges: boolean;
  /** Described in the part of its tag only: pages, documents, further methods, what agents do not call. */
  inPartOnly: boolean;
  /** Anyone may send events here, so requests are limited by `{id}`, not by sender. */
  takesArrivals: boolean;
  /** Validates parameters, query and body, and returns the work that is then to be done. */
  accept(inbound: Inbound): Promise<Accepted>;
}

export interface Accepted {
  body: Record<string, unknown> | null;
  /** Undefined: it is answered at once. */
  wait: Wait | undefined;
  /** Does the work; creates do their writes on `db` where one is given. */
  run(db?: Db): unknown;
}

/** Whether the operation creates a resource, all in one transaction. */
export function isCreate({ method, success, rawBody }: Operation): boolean {
  return method === "POST" && success.status === 201 && !rawBody;
}

/** Whether a caller without a key writes with it; operations that read no keys have limits of their own. */
export function isAnonymousWrite({ method, auth }: Operation): boolean {
  return auth === "optional" && method !== "GET";
}

interface Definition<Path extends string, Query extends z.ZodObject, Body extends z.ZodObject> {
  id: string;
  method: Method;
  path: Path;
  subpaths?: boolean;
  summary: string;
  description?: string;
  tag: string;
  auth?: Operation["auth"];
  scope?: Scope;
  query?: Query;
  anyQuery?: boolean;
  body?: Body;
  rawBody?: Operation["rawBody"];
  allow?: string;
  bodyOptional?: boolean;
  /** False: `Idempotency-Key` means nothing here. */
  repeatable?: false;
  repeated?: Operation["repeated"];
  /** The largest body in bytes; more is 413. */
  bodyBytesMax?: number;
  success: Operation["success"];
  failures?: readonly number[];
  dispatchSecret?: boolean;
  uploadSecondsMax?: number;
  conditional?: boolean;
  inPartOnly?: true;
  takesArrivals?: boolean;
  ranges?: boolean;
  /** Whether a request with this query and body waits for news. */
  waits?(asked: {
    params: Record<PathParam<Path>, string>;
    query: z.output<Query>;
    body: z.output<Body>;
  }): Wait | undefined;
  handle(context: {
    caller: Caller;
    params: Record<PathParam<Path>, string>;
    query: z.output<Query>;
    body: z.output<Body>;
    precondition: Precondition | undefined;
    request: HttpRequest;
    db: Db | undefined;
  }): unknown;
}

type PathParam<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParam<Rest>
  : never;

/** Declares one operation: its contract, its words for the documents, and the service call behind it. */
export function operation<
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(definition: Definition<Path, Query, Body>): Operation {
  const { query, body, bodyBytesMax = BODY_BYTES_MAX, waits, handle, ...rest } = definition;
  const bodyOptional = definition.bodyOptional ?? false;
  const anyQuery = definition.anyQuery ?? false;
  const queried = anyQuery ? query : strict(query ?? z.object({}));
  return {
    ...rest,
    subpaths: rest.subpaths ?? false,
    uploadSecondsMax: rest.uploadSecondsMax ?? 0,
    auth: rest.auth ?? "optional",
    scope: rest.scope ?? null,
    query: query ?? null,
    anyQuery,
    body: body ?? null,
    bodyOptional,
    repeatable: rest.repeatable ?? rest.method === "POST",
    failures: rest.failures ?? [],
    dispatchSecret: rest.dispatchSecret ?? false,
    conditional: rest.conditional ?? false,
    inPartOnly: rest.inPartOnly ?? false,
    takesArrivals: rest.takesArrivals ?? false,
    ranges: rest.ranges ?? false,
    async accept({ request, caller, params, search, precondition }) {
      const parsedQuery = queried
        ? validate(queried, queryDocument(queried, search), { noun: "query parameter" })
        : {};
      const json = body ? await readJsonObject(request, bodyBytesMax, bodyOptional) : null;
      const parsedBody = body && json ? validate(body, json.document, json) : {};
      // The three casts: `params` came from matching this very path; the others are the empty object
      // exactly where no schema was given, which the defaults of the types say.
      const asked = {
        params: params as Record<PathParam<Path>, string>,
        query: parsedQuery as z.output<Query>,
        body: parsedBody as z.output<Body>,
      };
      return {
        body: json?.document ?? null,
        wait: waits?.(asked),
        run: (db) => handle({ caller, request, precondition, db, ...asked }),
      };
    },
  };
}
