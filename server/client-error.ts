import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { newId } from "@/lib/db/ids";
import { ApiError } from "@/lib/errors";

/**
 * Answers what was no request at all, which Node gives up before it reaches a listener, or what is
 * given up by us for the same reason; and closes the connection.
 */
export function refuseMalformed(error: { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const [status, refusal] = REFUSALS[error.code ?? ""] ?? [400, NOT_HTTP];
  const requestId = newId("req");
  const body = JSON.stringify(refusal.envelope(requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Connection: close",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Request-Id: ${requestId}`,
      "",
      body,
    ].join("\r\n"),
  );
}

/** A body that comes too slowly to wait for. */
export const TOO_SLOW = { code: "ERR_HTTP_REQUEST_TIMEOUT" };

const NOT_HTTP = new ApiError("invalid_param", "This is not an HTTP request as RFC 9112 has it.");

const REFUSALS: Record<string, [number, ApiError]> = {
  HPE_HEADER_OVERFLOW: [431, new ApiError("payload_too_large", "The headers are too large.")],
  ERR_HTTP_REQUEST_TIMEOUT: [408, new ApiError("invalid_param", "The request came too slowly.")],
};
