import type { Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";

/** A request to an operation from a form or a tool rather than over HTTP. */
interface Asked {
  params: Record<string, string>;
  /** Without the question mark. */
  search: string;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  body?: HttpRequest["body"];
}

/** Makes the request for `perform`. `carrier` identifies the client and can cancel the call. */
export function requestTo(
  { method, path }: Operation,
  { params, search, headers, body = null }: Asked,
  carrier: Pick<HttpRequest, "signal" | "clientAddress">,
): HttpRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const present = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const byName = new Map(present);
  return {
    ...carrier,
    method,
    url: search === "" ? filled : `${filled}?${search}`,
    headers: {
      get: (name) => byName.get(name) ?? null,
      [Symbol.iterator]: () => byName.entries(),
    },
    body,
  };
}
