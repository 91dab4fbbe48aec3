import { ApiError } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";

/** The operation for a method. Throws 405. */
export function operationFor(operations: readonly Operation[], method: string): Operation {
  const found = operations.find((operation) => methodsOf(operation).includes(method));
  if (found) return found;
  const allowed = operations[0]?.allow ?? allowedMethods(operations);
  throw new ApiError(
    "method_not_allowed",
    `${method} is not allowed on this path; allowed: ${allowed}.`,
    {
      headers: { Allow: allowed },
    },
  );
}

/** Whether a request is a CORS preflight. Most paths have no other use for OPTIONS. */
export function isPreflight(operations: readonly Operation[], request: HttpRequest): boolean {
  if (request.method !== "OPTIONS") return false;
  return (
    request.headers.get("access-control-request-method") !== null ||
    !operations.some(({ method }) => method === "OPTIONS")
  );
}

export function preflight(operations: readonly Operation[]): HttpResponse {
  const allowed = allowedMethods(operations);
  return new HttpResponse(
    204,
    {
      Allow: allowed,
      "Access-Control-Allow-Methods": allowed,
      // The wildcard is for what senders add, and does not include Authorization.
      "Access-Control-Allow-Headers":
        "Authorization, Claim-With, Content-Type, Idempotency-Key, If-Match, If-None-Match, Inbox-TTL-Seconds, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Prefer, Range, Replay-Retry, *",
      "Access-Control-Max-Age": "86400",
    },
    null,
  );
}

function allowedMethods(operations: readonly Operation[]): string {
  return [...new Set([...operations.flatMap(methodsOf), "OPTIONS"])].join(", ");
}

function methodsOf({ method, refusesHead }: Operation): string[] {
  return method === "GET" && !refusesHead ? ["GET", "HEAD"] : [method];
}
