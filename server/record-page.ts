import type { IncomingMessage, ServerResponse } from "node:http";
import { recordRequest } from "@/lib/platform/telemetry/record-request";
import { parseTraceparent, startSpan } from "@/lib/platform/telemetry/trace";

/** nginx's status for a client that disconnected before the response. */
const LEFT = 499;

/** Counts and logs a request for a page when it ends. `page` is its route; null if it has none. */
export function recordPage(
  request: IncomingMessage,
  response: ServerResponse,
  { page, address, requestId }: { page: string | null; address: string; requestId: string },
): void {
  const started = performance.now();
  const { method = "GET" } = request;
  const parent = parseTraceparent(String(request.headers.traceparent ?? ""));
  const span = startSpan(() => ({
    name: `${method} ${page ?? "unknown path"}`,
    kind: "server",
    parent,
    attributes: { "http.request.method": method, ...(page && { "http.route": page }) },
  }));
  response.once("close", () => {
    const status = response.headersSent ? response.statusCode : LEFT;
    span?.end(status);
    recordRequest({
      operation: page,
      method,
      path: page,
      status,
      ms: performance.now() - started,
      request_id: requestId,
      address,
      traceparent: span?.traceparent ?? parent,
    });
  });
}
