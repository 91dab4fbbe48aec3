import type { Operation } from "@/lib/platform/http/operation";
import { SENT_FOR_HEADER } from "@/lib/platform/http/relayed";
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

/** Identifies the client, and can cancel the call. */
export interface Carrier {
  signal: AbortSignal;
  clientAddress: string | null;
  /** The header `SENT_FOR_HEADER` of the request that carries this one. */
  sentFor?: string | null | undefined;
}

/** Makes the request for `perform`. */
export function requestTo(
  { method, path }: Operation,
  { params, search, headers, body = null }: Asked,
  { signal, clientAddress, sentFor }: Carrier,
): HttpRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const all = { ...headers, [SENT_FOR_HEADER]: sentFor ?? undefined };
  const present = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const byName = new Map(present);
  return {
    signal,
    ...(clientAddress !== null && { clientAddress }),
    method,
    url: search === "" ? filled : `${filled}?${search}`,
    headers: {
      get: (name) => byName.get(name) ?? null,
      [Symbol.iterator]: () => byName.entries(),
    },
    body,
  };
}
