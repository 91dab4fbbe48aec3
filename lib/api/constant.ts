import { entityTag } from "@/lib/http/conditional";
import { HttpResponse } from "@/lib/http/response";

/** A document that anyone may cache for five minutes. */
export function constant(type: string, text: string): HttpResponse {
  const headers = { "Content-Type": type, "Cache-Control": "public, max-age=300" };
  return new HttpResponse(200, { ...headers, ETag: entityTag(text) }, text);
}

/** Makes the value at the first call and keeps it for the life of the process. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
