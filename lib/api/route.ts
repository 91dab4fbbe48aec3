import { waitUntil } from "@vercel/functions";
import { fromNetwork } from "@/lib/identity/anonymous";
import { authenticate, expectedCaller, refuseMisplacedKey } from "@/lib/identity/authenticate";
import { markForeignPage } from "@/lib/identity/sessions/foreign-origin";
import { anonymous, type Caller, type KeyCheck } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { ApiError, quote } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { Wanted } from "@/lib/platform/http/challenge";
import { reportedError, toApiError } from "@/lib/platform/http/error-envelope";
import { isCreate, type Operation } from "@/lib/platform/http/operation";
import { atRequestedOrigin } from "@/lib/platform/http/own-origin";
import { markRelayed } from "@/lib/platform/http/relayed";
import { type HttpRequest, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { recordRequest } from "@/lib/platform/telemetry/record-request";
import { startRequest } from "@/lib/platform/telemetry/trace";
import { kinds } from "@/lib/resources/kinds";
import { isPreflight, operationFor, preflight } from "./methods";
import { matchPath } from "./path";
import { assertScope, perform } from "./perform";

/** The handlers of a `route.ts` file, for all methods of one path. */
export function route(...operations: Operation[]) {
  return routeBy(() => operations);
}

/** The handlers of a `route.ts` file for several paths: `operationsOn` returns those of a path. */
export function routeBy(operationsOn: (path: string) => Found | Promise<Found>) {
  const handler = async (request: Request) => {
    const operations = (await operationsOn(splitUrl(request.url).path)) ?? [];
    const host = request.headers.get("host");
    const work = () => respond(operations, request);
    const { status, headers, body } = await atRequestedOrigin(host, work);
    return new Response(body, { status, headers });
  };
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

type Found = readonly Operation[] | undefined;

/** Serves a request with one of these operations, or 404. Never throws: errors become envelopes. */
export async function respond(
  operations: readonly Operation[],
  request: HttpRequest,
): Promise<HttpResponse> {
  const started = performance.now();
  const requestId = newId("req");
  const path = operations[0]?.path ?? null;
  const header = request.headers.get("traceparent");
  const { span, traceparent } = startRequest(request.method, path, header);
  const details: RequestDetails = { traceparent };
  let response: HttpResponse;
  try {
    response = await handle(operations, request, details);
  } catch (thrown) {
    const { search } = splitUrl(request.url);
    response = failure(thrown, requestId, { audience: operations[0]?.audience, search });
  }
  span?.end(response.status);
  recordRequest(
    {
      operation: details.operation ?? null,
      method: request.method,
      path,
      status: response.status,
      ms: performance.now() - started,
      request_id: requestId,
      key_id: details.keyId ?? null,
      address: clientAddress(request),
      traceparent,
    },
    details,
  );
  const headers: Record<string, string> = {
    "Request-Id": requestId,
    ...COMMON_HEADERS,
    ...operations[0]?.pathHeaders,
    ...details.limits,
    ...response.headers,
  };
  const { body } = response;
  if (body instanceof ReadableStream) {
    if (request.method === "HEAD") await body.cancel();
  } else if (body !== null) headers["Content-Length"] = String(Buffer.byteLength(body));
  return new HttpResponse(response.status, headers, request.method === "HEAD" ? null : body);
}

/** Details of a request for the log and the response headers, also on failure. */
interface RequestDetails {
  operation?: string;
  keyId?: string;
  traceparent: string | undefined;
  /** True for a long poll or stream. */
  waited?: boolean;
  limits?: Record<string, string>;
}

/** The order of the checks is part of the contract: method, credential, then `perform`'s. */
async function handle(
  operations: readonly Operation[],
  request: HttpRequest,
  details: RequestDetails,
): Promise<HttpResponse> {
  const { path } = splitUrl(request.url);
  if (operations.length === 0) {
    throw new ApiError("route_not_found", missingPath(path));
  }
  if (isPreflight(operations, request)) {
    details.operation = "preflight";
    return preflight(operations);
  }
  assertSignedIn(operations[0], request);
  const operation = operationFor(operations, request.method);
  if (operation.deletesAll && path.endsWith("/")) {
    throw new ApiError("route_not_found", missingPath(path));
  }
  details.operation = operation.id;
  const params = matchPath(operation.path, path, operation) ?? {};
  const { headers } = request;
  const run = async (authentication: Caller | Promise<Caller>, check?: KeyCheck) => {
    const prefetched = operation.prefetch?.(params, check);
    if (prefetched) waitUntil(prefetched.catch(() => {})); // a refused request does not await it
    const known = markForeignPage(await authentication, headers.get("origin"));
    if (known.kind === "key") details.keyId = known.keyId;
    const { traceparent } = details;
    const caller = markRelayed(traceparent ? { ...known, traceparent } : known, headers);
    return perform(operation, {
      caller,
      request,
      params,
      prefetched,
      onCounted(limits) {
        details.limits = limits;
      },
      onWait() {
        details.waited = true;
      },
    });
  };
  const expected =
    operation.scope && (isCreate(operation) || operation.prefetch)
      ? expectedCaller(headers.get("authorization"), operation.scope, (caller) =>
          assertScope(operation, caller),
        )
      : undefined;
  return expected
    ? checked(expected.check, run(expected, expected.check))
    : run(callerOf(operation, request));
}

/** The response or error, or 401 or 403 if nothing has shown that the key still has the scope. */
async function checked(check: KeyCheck, response: Promise<HttpResponse>): Promise<HttpResponse> {
  let isUnavailable = false;
  try {
    return await response;
  } catch (error) {
    isUnavailable = toApiError(error).status >= 500;
    throw error;
  } finally {
    check.end();
    if (!check.isDone && !isUnavailable) await check.run();
  }
}

/** Guesses the mistake: a command with an unset variable has an empty segment. */
function missingPath(path: string): string {
  if (path.includes("//") || (path.endsWith("/") && path !== "/api/")) {
    return `A part of the path ${quote(path)} is empty. Perhaps a variable is not set?`;
  }
  const [, noun] = /^\/api\/(\w+)/.exec(path) ?? [];
  const meant = kinds.find(({ name }) => name === `${noun}s` || name === `${noun}es`);
  const hint = meant ? ` Perhaps /api/${meant.name}?` : "";
  return `This path does not exist.${hint} See /llms.txt.`;
}

/** Throws 401 without a credential where the URL wants one. Clients probe it with a GET, too. */
function assertSignedIn(operation: Operation | undefined, { url, headers }: HttpRequest) {
  if (!operation?.wantsSignIn || headers.get("authorization") !== null) return;
  const { search } = splitUrl(url);
  if (!operation.wantsSignIn(search)) return;
  refuseMisplacedKey(headers, search);
  throw new ApiError("unauthorized", "Sign in, or send an API key.");
}

async function callerOf(operation: Operation, request: HttpRequest): Promise<Caller> {
  if (operation.auth === "ignored") return anonymous;
  const authorization = request.headers.get("authorization");
  if (authorization === null) {
    refuseMisplacedKey(request.headers, splitUrl(request.url).search);
  }
  const caller = await authenticate(authorization, operation.audience);
  return caller.kind === "anonymous" ? fromNetwork(countedAddress(request)) : caller;
}

export function errorResponse(thrown: unknown, requestId: string): HttpResponse {
  const { status, headers, body } = failure(thrown, requestId);
  return new HttpResponse(status, { ...COMMON_HEADERS, "Request-Id": requestId, ...headers }, body);
}

function failure(thrown: unknown, requestId: string, wanted?: Wanted): HttpResponse {
  const failed = reportedError(thrown, "A request failed.", requestId, wanted);
  const headers = { "Content-Type": "application/json", ...failed.headers };
  return new HttpResponse(failed.error.status, headers, JSON.stringify(failed.envelope));
}

// The API ignores cookies, so every origin may call it.
const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Body-Truncated, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Location, Mcp-Session-Id, Preference-Applied, RateLimit, RateLimit-Policy, Reply-Url, Request-Id, Retry-After, Schedule-Id, Schedule-Time, WWW-Authenticate",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};
