import { config } from "@/lib/platform/config/config";
import { entityTag } from "@/lib/platform/http/conditional";
import { HttpResponse } from "@/lib/platform/http/response";
import { remembered } from "@/lib/platform/memoize";

/** A document that anyone may cache for five minutes. */
export function constant(type: string, content: string | Uint8Array<ArrayBuffer>): HttpResponse {
  const headers = { "Content-Type": type, "Cache-Control": "public, max-age=300" };
  return new HttpResponse(200, { ...headers, ETag: entityTag(content) }, content);
}

/** Makes the value on the first call and keeps it, once for each of the server's own origins. */
export function lazy<Value>(make: () => Value): () => Value {
  const made = new Map<string, Value>();
  return () => remembered(made, config().baseUrl, make);
}
