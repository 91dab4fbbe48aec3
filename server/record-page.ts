import type { IncomingMessage, ServerResponse } from "node:http";
import { recordRequest } from "@/lib/platform/telemetry/record-request";
import { startRequest } from "@/lib/platform/telemetry/trace";

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
  const header = String(request.headers.traceparent ?? "");
  const { span, traceparent } = startRequest(method, page, header);
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
      traceparent,
    });
  });
}
