import { isUtf8 } from "node:buffer";
import { jsonOutline } from "@/lib/platform/http/json-outline";

/**
 * The media type of a body that was sent without one. Builds no value: of some shapes, parsing a
 * megabyte stalls the process for a tenth of a second and more.
 */
export function contentTypeOf(body: Buffer): string {
  if (!isUtf8(body)) return "application/octet-stream";
  return jsonOutline(body) ? "application/json" : "text/plain; charset=utf-8";
}
