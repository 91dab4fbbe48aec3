import type { IncomingMessage, ServerResponse } from "node:http";
import { errorResponse } from "@/lib/api/route";
import { ApiError } from "@/lib/platform/errors";

/**
 * Answers OPTIONS, and refuses methods that pages do not have: Next would render the page, or fail. Returns false for
 * the others. Pages let no other origin in, so there are no CORS headers.
 */
export function answerMethod(
  { method = "" }: IncomingMessage,
  response: ServerResponse,
  { path, requestId }: { path: string; requestId: string },
): boolean {
  if (["GET", "HEAD", "POST"].includes(method)) return false;
  const Allow = `GET, HEAD, ${path.startsWith("/a/") ? "" : "POST, "}OPTIONS`;
  if (method === "OPTIONS") {
    response.writeHead(204, { Allow }).end();
    return true;
  }
  const message = `${method} is not allowed on this path; allowed: ${Allow}.`;
  const refused = new ApiError("method_not_allowed", message, { headers: { Allow } });
  const { status, headers, body } = errorResponse(refused, requestId);
  response.writeHead(status, headers).end(body);
  return true;
}
