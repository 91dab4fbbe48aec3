import { setImmediate } from "node:timers/promises";

/**
 * How many values a JSON body may hold. The contract with the most, 100 acknowledgements and 100
 * nacks of an inbox at once, has about 1000; a million would cost seconds to parse and validate.
 */
export const JSON_VALUES_MAX = 2000;
/** Above this size the steps of reading take turns with other requests. */
const LARGE_BYTES = 1_000_000;

export interface BoundedJson {
  value: unknown;
  /** It holds more values than are allowed; `value` has those up to the bound. */
  excessive: boolean;
}

/**
 * Parses JSON in UTF-8 in time linear in its bytes, whatever its shape. Of a text with too many
 * values only the start is parsed: the first problem in document order is in it, or is the excess.
 * Throws where the text is not JSON or not UTF-8.
 */
export async function parseBounded(bytes: Uint8Array): Promise<BoundedJson> {
  const pause = () => (bytes.length > LARGE_BYTES ? setImmediate() : undefined);
  const { end, closing } = scan(bytes);
  await pause();
  const text = utf8.decode(bytes.subarray(0, end));
  await pause();
  const value: unknown = JSON.parse(text + closing);
  await pause();
  return { value, excessive: end < bytes.length };
}

/**
 * Where to stop reading: at the end, or at the value that is one too many. `closing` ends the
 * objects and arrays that are open there. Every value follows `{`, `[` or `,`, but the outermost.
 */
function scan(bytes: Uint8Array): { end: number; closing: string } {
  const open: number[] = [];
  let values = 0;
  let depth = 0;
  let cut: { end: number; closing: string } | undefined;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i += 1; i < bytes.length && bytes[i] !== QUOTE; i += 1) {
        if (bytes[i] === BACKSLASH) i += 1;
      }
    } else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (byte !== COMMA) depth += 1;
      if (cut) continue;
      if (byte !== COMMA) open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
      values += 1;
      if (values <= JSON_VALUES_MAX) continue;
      const end = byte === COMMA ? i : i + 1;
      cut = { end, closing: String.fromCharCode(...open.reverse()) };
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (!cut) open.pop();
    }
  }
  // What was cut off on its way is not JSON, also where only its start is parsed.
  if (cut && depth !== 0) throw new SyntaxError("Not all objects and arrays are closed.");
  return cut ?? { end: bytes.length, closing: "" };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

// A byte order mark at the start is dropped; anything that is not UTF-8 throws.
const utf8 = new TextDecoder("utf-8", { fatal: true });
