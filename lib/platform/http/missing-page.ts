import { newId } from "@/lib/platform/db/ids";
import { ApiError } from "@/lib/platform/errors";
import { prefersHtml } from "./accept";
import { errorEnvelope } from "./error-envelope";
import { plainPage } from "./plain-page";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";

/** Carries the request ID from our server to Next; a client's own value is overwritten. */
export const REQUEST_ID_HEADER = "request-id";

/** The 404 response: a page without scripts for clients that accept HTML, else the envelope. */
export function missingPage(request: HttpRequest): HttpResponse {
  const given = request.headers.get(REQUEST_ID_HEADER) ?? "";
  const requestId = /^req_[0-9A-Za-z]{1,40}$/.test(given) ? given : newId("req");
  const isRead = request.method === "GET" || request.method === "HEAD";
  const headers = { "Cache-Control": "no-store", "Request-Id": requestId, Vary: "Accept" };
  if (isRead && prefersHtml(request.headers.get("accept"))) {
    return new HttpResponse(404, { "Content-Type": "text/html; charset=utf-8", ...headers }, PAGE);
  }
  const error = new ApiError("route_not_found", "This path does not exist. See /llms.txt.");
  const envelope = JSON.stringify(errorEnvelope(error, requestId));
  return new HttpResponse(404, { "Content-Type": "application/json", ...headers }, envelope);
}

const PAGE = plainPage({
  title: "There is no page here",
  sentences: ["The address may be mistyped or incomplete. IDs are case-sensitive."],
  links: [
    ["/", "Home", "what the service does, and five calls to try"],
    ["/docs", "Documentation", "guides and the reference"],
    ["/dashboard", "Dashboard", "what your agents have made"],
    ["/llms.txt", "llms.txt", "how an agent uses it"],
    ["/openapi.json", "OpenAPI", "every path of the API"],
  ],
});
