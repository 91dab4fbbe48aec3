import { jsonOutline } from "./json-outline";
import { JsonText } from "./json-text";

/** A stranger's bytes as JSON can carry them: as text where they are UTF-8, else as base64. */
export interface RecordedBody {
  body: string | null;
  body_encoding: "utf8" | "base64" | null;
  /** What the text says when it is JSON, else null. */
  parsed_body: unknown;
}

/** Deeper values would overflow many a parser, and one record would make a list unreadable. */
export const DEPTH_MAX = 200;
/** Longer texts are not parsed, as some take a hundred times as long as others of their length. */
const PARSED_BYTES_MAX = 65_536;

/** The published form of recorded bytes; computed at every read, as Postgres' `jsonb` refuses much of JSON. */
export function recordedBody(bytes: Uint8Array, contentType: string | null): RecordedBody {
  if (bytes.length === 0) return { body: null, body_encoding: null, parsed_body: null };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    return { body: base64, body_encoding: "base64", parsed_body: null };
  }
  const parsed = isJson(text, contentType) ? jsonValue(text, bytes) : null;
  return { body: text, body_encoding: "utf8", parsed_body: parsed };
}

/** What the bytes of a JSON text say; null: it is not JSON, or nested too deeply. */
function jsonValue(text: string, bytes: Uint8Array): unknown {
  const outline = jsonOutline(bytes);
  if (!outline || outline.depth > DEPTH_MAX) return null;
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return bytes.length > PARSED_BYTES_MAX ? new JsonText(json) : JSON.parse(json);
}

// The byte order mark is part of the bytes and stays; anything that is not UTF-8 throws.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isJson(text: string, contentType: string | null): boolean {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return true;
  // No type says nothing, and neither does the form type, which curl sends unless it is told otherwise.
  return ["", "application/x-www-form-urlencoded"].includes(type) && /^\s*[{[]/.test(text);
}
