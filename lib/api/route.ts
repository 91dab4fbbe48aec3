import { authenticate, refuseMisplacedKey } from "@/lib/accounts/authenticate";
import { markForeignPage } from "@/lib/accounts/foreign-origin";
import { anonymous, type Caller, type Scope } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { newId } from "@/lib/db/ids";
import { ApiError } from "@/lib/errors";
import { clientAddress } from "@/lib/http/address";
import { Answer } from "@/lib/http/answer";
import { countCaller } from "@/lib/http/caller-limits";
import { challengeFor } from "@/lib/http/challenge";
import { conditional, preconditionOf } from "@/lib/http/conditional";
import { toApiError } from "@/lib/http/error-envelope";
import { idempotencyKeyOf } from "@/lib/http/idempotency";
import type { Operation } from "@/lib/http/operation";
import { bufferBody, type HttpRequest, splitUrl } from "@/lib/http/request";
import { occupy, type Wait, whenEnded } from "@/lib/http/waiting";
import { logRequest } from "./log";
import { isPreflight, operationFor, preflight } from "./methods";
import { matchPath } from "./path";
import { contentOf, isGuessable, runOperation, runOperationOnce, scopeOf } from "./run-operation";

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
  const params = matchPath(operation.path, path, operation) ?? {};
  const authentication = callerOf(operation, request);
  const started = operation.start?.(params);
  started?.catch(() => {}); // a refused request does not await it
  const caller = markForeignPage(await authentication, request.headers.get("origin"));
  if (caller.kind === "key") seen.keyId = caller.keyId;
  seen.limits = await countCaller(operation, caller, request, params);
  assertScope(operation, caller);
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
    started,
  });
  const work = () =>
    key === undefined
      ? runOperation(operation, accepted)
      : runOperationOnce(operation, accepted, {
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
  const { audience } = operation;
  if (authorization === null) {
    refuseMisplacedKey(request.headers, splitUrl(request.url).search, audience);
  }
  const caller = await authenticate(authorization, audience);
  if (operation.auth === "required" && caller.kind === "anonymous") {
    throw new ApiError(
      "unauthorized",
      "An API key is required: Authorization: Bearer svc_live_….",
      {
        headers: challengeFor(audience),
      },
    );
  }
  return caller;
}

function assertScope({ scope, audience }: Operation, caller: Caller) {
  if (scope === null || caller.kind === "anonymous" || caller.scopes.includes(scope)) return;
  throw new ApiError("insufficient_scope", needsScope(scope), {
    headers: challengeFor(audience, 'error="insufficient_scope"', `scope="${scope}"`),
  });
}

function needsScope(scope: Scope): string {
  if (scope !== "api.write") return `This requires a key with the scope ${scope}.`;
  return `This key lacks the scope api.write. Claim its registration to get it (${config().baseUrl}/auth.md), or send the request without a key if the resource is public.`;
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
