import { newId } from "@/lib/platform/db/ids";
import { ApiError } from "@/lib/platform/errors";
import { prefersHtml } from "./accept";
import { errorEnvelope } from "./error-envelope";
import { plainPage } from "./plain-page";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";

/** Carries the request ID from our server to Next; a client's own value is overwritten. */
export const REQUEST_ID_HEADER = "request-id";

type PageHeaders = Pick<HttpRequest["headers"], "get">;

/** The 404 response: a page without scripts for clients that accept HTML, else the envelope. */
export function missingPage({ method, headers }: HttpRequest): HttpResponse {
  const error = new ApiError("route_not_found", "This path does not exist. See /llms.txt.");
  const isRead = method === "GET" || method === "HEAD";
  return failure(headers, error, isRead ? { type: "text/html", text: PAGE } : undefined);
}

/** The response to what a page refuses: words for clients that accept HTML, else the envelope. */
export function refusedPage(headers: PageHeaders, error: ApiError): HttpResponse {
  return failure(headers, error, { type: "text/plain", text: `${error.message}\n` });
}

function failure(
  headers: PageHeaders,
  error: ApiError,
  shown: { type: string; text: string } | undefined,
): HttpResponse {
  const requestId = requestIdOf(headers);
  const page = prefersHtml(headers.get("accept")) ? shown : undefined;
  return new HttpResponse(
    error.status,
    {
      "Content-Type": page ? `${page.type}; charset=utf-8` : "application/json",
      "Cache-Control": "no-store",
      "Request-Id": requestId,
      Vary: "Accept",
      ...error.headers,
    },
    page?.text ?? JSON.stringify(errorEnvelope(error, requestId)),
  );
}

/** The ID that our server gave a request for a page; a new one under Next alone. */
export function requestIdOf(headers: PageHeaders): string {
  const given = headers.get(REQUEST_ID_HEADER) ?? "";
  return /^req_[0-9A-Za-z]{1,40}$/.test(given) ? given : newId("req");
}

const PAGE = plainPage({
  title: "There is no page here",
  sentences: ["The address may be mistyped or incomplete. IDs are case-sensitive."],
  links: [
    ["/", "Home", "what the service does, and calls to try"],
    ["/docs", "Documentation", "guides and the reference"],
    ["/dashboard", "Dashboard", "what your agents have made"],
    ["/llms.txt", "llms.txt", "how an agent uses it"],
    ["/openapi.json", "OpenAPI", "every path of the API"],
  ],
});
