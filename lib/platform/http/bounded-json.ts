import { turnIfLarge } from "@/lib/platform/loop-turns";

/**
 * Maximum number of values in a JSON body. The largest legitimate one, 100 acks and 100 nacks, has
 * about 1000; a million would take seconds to parse and validate.
 */
export const JSON_VALUES_MAX = 2000;
/** The maximum for all parts of a body together. */
export const PARTS_VALUES_MAX = 20_000;

/**
 * Up to `max` bodies inside a body: its objects and arrays at `depth`, where it is itself at 1. Each may
 * have as many values as a body, and all together `PARTS_VALUES_MAX`.
 */
export interface BodyParts {
  depth: number;
  max: number;
}

interface BoundedJson {
  value: unknown;
  /** It has too many values; `value` has only the first. */
  excessive: boolean;
}

/**
 * Parses UTF-8 JSON in time linear in its size, whatever its shape. With too many values only the
 * start is parsed, which contains the first problem in document order unless that is the excess
 * itself. Throws when the text is not JSON or not UTF-8.
 */
export async function parseBounded(bytes: Uint8Array, parts?: BodyParts): Promise<BoundedJson> {
  const turn = () => turnIfLarge(bytes.length);
  await turn();
  const { end, closing } = scan(bytes, parts);
  await turn();
  const text = utf8.decode(bytes.subarray(0, end));
  await turn();
  const value: unknown = JSON.parse(text + closing);
  await turn();
  return { value, excessive: end < bytes.length };
}

/**
 * Where to stop: at the end, or at the first excess value. `closing` closes the objects and arrays
 * open at that point. Every value but the outermost follows `{`, `[` or `,`.
 */
function scan(bytes: Uint8Array, parts?: BodyParts): { end: number; closing: string } {
  const open: number[] = [];
  let values = 0;
  let ofPart = 0;
  let ofParts = 0;
  let begun = 0;
  let depth = 0;
  let cut: { end: number; closing: string } | undefined;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) i = stringEnd(bytes, i + 1);
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (byte !== COMMA) depth += 1;
      if (cut) continue;
      if (byte !== COMMA) open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
      if (depth === parts?.depth && byte !== COMMA) {
        begun += 1;
        ofPart = 0;
      }
      if (parts && depth >= parts.depth) {
        ofPart += 1;
        ofParts += 1;
      } else values += 1;
      const isWithin =
        begun <= (parts?.max ?? 0) && ofPart <= JSON_VALUES_MAX && ofParts <= PARTS_VALUES_MAX;
      if (isWithin && values <= JSON_VALUES_MAX) continue;
      const end = byte === COMMA ? i : i + 1;
      cut = { end, closing: String.fromCharCode(...open.reverse()) };
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (!cut) open.pop();
    }
  }
  // A truncated body is not JSON, even if only its start is parsed.
  if (cut && depth !== 0) throw new SyntaxError("Not all objects and arrays are closed");
  return cut ?? { end: bytes.length, closing: "" };
}

/** The place of the quote that ends a string, or the end of the text. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let i = start;
  for (;;) {
    for (const near = Math.min(i + NEAR_BYTES, bytes.length); i < near; i += 1) {
      if (bytes[i] === QUOTE) return i;
      if (bytes[i] === BACKSLASH) i += 1;
    }
    const quote = bytes.indexOf(QUOTE, i);
    if (quote === -1) return bytes.length;
    let escapes = 0;
    while (quote - escapes > i && bytes[quote - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
    i = quote + 1;
  }
}

/** Further away, a quote is found faster by a search than byte by byte. */
const NEAR_BYTES = 32;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

// Drops a leading byte order mark; throws on invalid UTF-8.
const utf8 = new TextDecoder("utf-8", { fatal: true });
