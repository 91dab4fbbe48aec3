import type { Operation } from "./operation";
import type { HttpRequest } from "./request";
import { HttpResponse } from "./response";

/** Leaves out of a response what the caller has already, if it asks so with `Prefer` (RFC 7240). */
export function preferred(
  { minimal }: Operation,
  request: HttpRequest,
  response: HttpResponse,
): HttpResponse {
  const { status, headers, body } = response;
  if (!minimal || typeof body !== "string" || !prefersMinimal(request)) return response;
  const omitted = Object.fromEntries(minimal.map((name) => [name, undefined]));
  return new HttpResponse(
    status,
    { ...headers, "Preference-Applied": "return=minimal" },
    JSON.stringify({ ...JSON.parse(body), ...omitted }),
  );
}

function prefersMinimal(request: HttpRequest): boolean {
  return /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(
    request.headers.get("prefer") ?? "",
  );
}
