import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { newId } from "@/lib/platform/db/ids";
import { ApiError } from "@/lib/platform/errors";
import { errorEnvelope } from "@/lib/platform/http/error-envelope";

/** How long a rejected client may keep sending before it must have read the response. */
export const LINGER_MS = 2000;

/**
 * Handles a malformed or late request, which Node reports early. A request in progress that has
 * arrived gets its own response, and no other.
 */
export function onClientError(error: { code?: string }, socket: WithResponse): void {
  const running = socket._httpMessage;
  if (running?.headersSent) running.socket?.destroySoon();
  else if (running?.req.complete) running.shouldKeepAlive = false;
  else rejectRequest(error, socket);
}

/** A connection, with Node's name for the response that is in progress on it. */
type WithResponse = Duplex & { _httpMessage?: ServerResponse | null };

/** Responds to a malformed or late request, and disconnects. */
export function rejectRequest(error: { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const [status, refusal] = REFUSALS[error.code ?? ""] ?? [400, NOT_HTTP];
  const requestId = newId("req");
  const body = JSON.stringify(errorEnvelope(refusal, requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date().toUTCString()}`,
      "Connection: close",
      "Access-Control-Allow-Origin: *",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      "",
      body,
    ].join("\r\n"),
  );
  // Node leaves the client's side open. To close it at once would reset a connection with unread
  // data, and lose the response.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

/** The error for a body that arrives too slowly. */
export const REQUEST_TIMEOUT = { code: "ERR_HTTP_REQUEST_TIMEOUT" };

const NOT_HTTP = new ApiError("invalid_param", "This is not a valid HTTP request (RFC 9112).");

const REFUSALS: Record<string, [number, ApiError]> = {
  HPE_HEADER_OVERFLOW: [431, new ApiError("payload_too_large", "The headers are too large.")],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    new ApiError("invalid_param", "The request took too long to arrive."),
  ],
};
