import { authenticate, refuseMisplacedKey } from "@/lib/accounts/authenticate";
import { markForeignPage } from "@/lib/accounts/foreign-origin";
import { anonymous, type Caller, type Scope } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { newId } from "@/lib/db/ids";
import { ApiError } from "@/lib/errors";
import { clientAddress } from "@/lib/http/address";
import { Answer } from "@/lib/http/answer";
import { countCaller } from "@/lib/http/caller-limits";
import { challenge } from "@/lib/http/challenge";
import { changed, conditional, preconditionOf, resourceTag } from "@/lib/http/conditional";
import { toApiError } from "@/lib/http/error-envelope";
import {
  idempotencyKeyOf,
  idempotent,
  idempotentWrite,
  REPLAYED,
  type Repeatable,
} from "@/lib/http/idempotency";
import { toJson } from "@/lib/http/json-text";
import { type Accepted, isCreate, type Operation } from "@/lib/http/operation";
import { bufferBody, type HttpRequest, splitUrl } from "@/lib/http/request";
import { occupy, type Wait, whenEnded } from "@/lib/http/waiting";
import { logRequest } from "./log";
import { isPreflight, operationFor, preflight } from "./methods";
import { matchPath } from "./path";

/** The handlers of a `route.ts` file, for all methods of one path. */
export function route(...operations: Operation[]) {
  const handler = async (request: Request) => toResponse(await respond(operations, request));
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

/**
 * Answers a request to the path of these operations; 404 if there are none. Never throws: errors
 * become envelopes.
 */
export async function respond(
  operations: readonly Operation[],
  request: HttpRequest,
): Promise<Answer> {
  const started = performance.now();
  const requestId = newId("req");
  const seen: Seen = {};
  let answer: Answer;
  try {
    answer = await decide(operations, request, seen);
  } catch (thrown) {
    answer = failure(thrown, requestId);
  }
  logRequest({
    method: request.method,
    path: operations[0]?.path ?? null,
    status: answer.status,
    ms: Math.round(performance.now() - started),
    request_id: requestId,
    key_id: seen.keyId ?? null,
  });
  const headers: Record<string, string> = {
    ...COMMON_HEADERS,
    "Request-Id": requestId,
    ...seen.limits,
    ...answer.headers,
  };
  const { body } = answer;
  if (body instanceof ReadableStream) {
    if (request.method === "HEAD") await body.cancel();
  } else if (body !== null) headers["Content-Length"] = String(Buffer.byteLength(body));
  return new Answer(answer.status, headers, request.method === "HEAD" ? null : body);
}

/** Details of a request for the log and the response headers, also on failure. */
interface Seen {
  keyId?: string;
  limits?: Record<string, string>;
}

/**
 * The order of the checks is part of the contract: method, credential, scope, path, query and body,
 * then the work.
 */
async function decide(
  operations: readonly Operation[],
  request: HttpRequest,
  seen: Seen,
): Promise<Answer> {
  const { path, search } = splitUrl(request.url);
  if (operations.length === 0) {
    throw new ApiError("route_not_found", "This path does not exist. See /llms.txt.");
  }
  if (isPreflight(operations, request)) return preflight(operations);
  const operation = operationFor(operations, request.method);
  const caller = markForeignPage(await callerOf(operation, request), request.headers.get("origin"));
  if (caller.kind === "key") seen.keyId = caller.keyId;
  const params = matchPath(operation.path, path, operation) ?? {};
  seen.limits = await countCaller(operation, caller, request, params);
  assertScope(operation.scope, caller);
  const key = operation.repeatable ? idempotencyKeyOf(request) : undefined;
  const buffered =
    key !== undefined && operation.rawBody
      ? await bufferBody(request, config().inboxMaxBodyBytes)
      : undefined;
  const accepted = await operation.accept({
    request: buffered?.request ?? request,
    caller,
    search,
    params,
    precondition: preconditionOf(request),
  });
  const work = () =>
    key === undefined
      ? runOperation(operation, accepted)
      : answerOnce(operation, accepted, {
          key,
          scope: scopeOf(caller, request),
          path: path.replace(/\/$/, ""),
          content: contentOf(buffered?.digest ?? accepted.body, search),
          isGuessable: isGuessable(operation, caller, key),
        });
  const answer = accepted.wait ? await runWaiting(accepted.wait, request, work) : await work();
  return operation.conditional ? conditional(request, answer) : answer;
}

async function callerOf(operation: Operation, request: HttpRequest): Promise<Caller> {
  if (operation.auth === "ignored") return anonymous;
  const authorization = request.headers.get("authorization");
  if (authorization === null) refuseMisplacedKey(request.headers, splitUrl(request.url).search);
  const caller = await authenticate(authorization);
  if (operation.auth === "required" && caller.kind === "anonymous") {
    throw new ApiError(
      "unauthorized",
      "An API key is required: Authorization: Bearer svc_live_….",
      {
        headers: challenge(),
      },
    );
  }
  return caller;
}

function assertScope(scope: Scope | null, caller: Caller) {
  if (scope === null || caller.kind === "anonymous" || caller.scopes.includes(scope)) return;
  throw new ApiError("insufficient_scope", needsScope(scope), {
    headers: challenge('error="insufficient_scope"', `scope="${scope}"`),
  });
}

function needsScope(scope: Scope): string {
  if (scope !== "api.write") return `This requires a key with the scope ${scope}.`;
  return `This key lacks the scope api.write. Claim its registration to get it (${config().baseUrl}/auth.md), or send the request without a key if the resource is public.`;
}

/** Minimum length of an idempotency key that cannot be guessed, such as a UUID. */
const UNGUESSABLE_LENGTH = 16;

/** Separates stored responses by key or, without one, by address. */
function scopeOf(caller: Caller, request: HttpRequest): string {
  return caller.kind === "key" ? caller.keyId : `address:${clientAddress(request)}`;
}

/** Without an API key, only the idempotency key separates callers behind one address. */
function isGuessable({ repeated }: Operation, caller: Caller, key: string): boolean {
  const isShared = caller.kind === "anonymous" && !config().localMode;
  return isShared && key.length < UNGUESSABLE_LENGTH && !repeated;
}

function contentOf(body: unknown, search: string): unknown {
  return search === "" ? body : [body, search];
}

async function answerOnce(
  operation: Operation,
  accepted: Accepted,
  request: Repeatable,
): Promise<Answer> {
  const answer = isCreate(operation)
    ? await idempotentWrite(request, (db) => runOperation(operation, accepted, db))
    : await idempotent(request, () => runOperation(operation, accepted));
  const isRepetition = answer.headers[REPLAYED] !== undefined;
  return isRepetition && operation.repeated ? operation.repeated(answer) : answer;
}

/** Runs a long poll or stream, counted while it holds the connection. */
async function runWaiting(
  wait: Wait,
  request: HttpRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const leave = occupy(wait, clientAddress(request));
  let answer: Answer | undefined;
  try {
    answer = await work();
  } finally {
    if (!(answer?.body instanceof ReadableStream)) leave();
  }
  return answer.body instanceof ReadableStream
    ? new Answer(answer.status, answer.headers, whenEnded(answer.body, request.signal, leave))
    : answer;
}

async function runOperation(
  operation: Operation,
  accepted: Accepted,
  ...db: Parameters<Accepted["run"]>
): Promise<Answer> {
  const result = await accepted.run(...db);
  if (result instanceof Answer) return result;
  const { status, schema, location } = operation.success;
  if (result === undefined) return new Answer(status, {}, null);
  if (schema && config().validateResponses) schema.parse(result);
  if (operation.method === "PATCH") return changed(result);
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const json = toJson(result);
  if (operation.conditional) headers.ETag = resourceTag(result, json);
  if (isCreate(operation)) headers.Location = `${location ?? operation.path}/${idOf(result)}`;
  return new Answer(status, headers, json);
}

function idOf(result: unknown): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id);
  throw new Error("A create returned nothing with an ID.");
}

/** The error response to a request. */
export function errorAnswer(thrown: unknown, requestId: string): Answer {
  const { status, headers, body } = failure(thrown, requestId);
  return new Answer(status, { ...COMMON_HEADERS, "Request-Id": requestId, ...headers }, body);
}

function failure(thrown: unknown, requestId: string): Answer {
  const error = toApiError(thrown);
  if (error.status === 500) console.error(requestId, error.cause ?? thrown);
  return new Answer(
    error.status,
    { "Content-Type": "application/json", ...error.headers },
    JSON.stringify(error.envelope(requestId)),
  );
}

// The API ignores cookies, so every origin may call it.
const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Body-Truncated, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After, WWW-Authenticate",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

function toResponse(answer: Answer): Response {
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}
