/** A stranger's bytes as JSON can carry them: as text where they are UTF-8, else as base64. */
export interface RecordedBody {
  body: string | null;
  body_encoding: "utf8" | "base64" | null;
  /** What the text says when it is JSON, else null. */
  parsed_body: unknown;
}

/** Deeper values would overflow `JSON.stringify`, and one record would make a list unreadable. */
export const DEPTH_MAX = 200;

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
  const parsed = isJson(text, contentType) ? parseJson(text) : null;
  return { body: text, body_encoding: "utf8", parsed_body: isShallow(parsed) ? parsed : null };
}

/** The value of a JSON text, however deeply nested; null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return null;
  }
}

// The byte order mark is part of the bytes and stays; anything that is not UTF-8 throws.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isJson(text: string, contentType: string | null): boolean {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return true;
  // No type says nothing, and neither does the form type, which curl sends unless it is told otherwise.
  return ["", "application/x-www-form-urlencoded"].includes(type) && /^\s*[{[]/.test(text);
}

/** Level by level, not by recursion, which would overflow on what it is to find. */
function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEPTH_MAX) return false;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null
        ? Object.values(item).filter((inner) => typeof inner === "object" && inner !== null)
        : [],
    );
  }
  return true;
}
