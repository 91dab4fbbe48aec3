import { isUtf8 } from "node:buffer";
import { mediaTypeOf } from "@/lib/platform/bodies/content";
import { jsonOutline } from "./json-outline";
import { JsonText } from "./json-text";

/** Untrusted bytes for JSON: text if UTF-8, else base64. */
interface RecordedBody {
  body: string | null;
  body_encoding: "utf8" | "base64" | null;
  /** Its JSON as `JsonText`, unparsed: some texts take a hundred times as long as others. Null if it is not JSON. */
  parsed_body: JsonText | null;
}

/** Deeper values overflow many parsers, so one record could make a whole list unreadable. */
export const DEPTH_MAX = 200;

/** The published form of recorded bytes, computed on reads: `jsonb` rejects some valid JSON. */
export function recordedBody(bytes: Uint8Array, contentType: string | null): RecordedBody {
  if (bytes.length === 0) return { body: null, body_encoding: null, parsed_body: null };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!isUtf8(buffer)) {
    return { body: buffer.toString("base64"), body_encoding: "base64", parsed_body: null };
  }
  // Unlike a TextDecoder, keeps a byte order mark.
  const text = buffer.toString("utf8");
  const parsed = isJson(text, contentType) ? jsonText(text, bytes) : null;
  return { body: text, body_encoding: "utf8", parsed_body: parsed };
}

/** The inverse of `recordedBody`. */
export function recordedBytes({
  body,
  body_encoding,
}: Pick<RecordedBody, "body" | "body_encoding">): Buffer {
  return Buffer.from(body ?? "", body_encoding ?? "utf8");
}

/** A JSON text to embed; null if it is not JSON or too deeply nested. */
function jsonText(text: string, bytes: Uint8Array): JsonText | null {
  const outline = jsonOutline(bytes);
  if (!outline || outline.depth > DEPTH_MAX) return null;
  return new JsonText(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/** Content types that clients send by default: none, and those of curl's `-d` and of `fetch`. */
const DEFAULT_TYPES = new Set(["", "application/x-www-form-urlencoded", "text/plain"]);

function isJson(text: string, contentType: string | null): boolean {
  const type = mediaTypeOf(contentType);
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return true;
  return DEFAULT_TYPES.has(type) && /^\s*[{[]/.test(text);
}
