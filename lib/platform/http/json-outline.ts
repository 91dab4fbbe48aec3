/** Facts about a JSON text, gathered without building its value. */
interface JsonOutline {
  /** Nesting depth of arrays and objects; 0 for a scalar. */
  depth: number;
  /** How many values it has, arrays and objects included. */
  values: number;
  /** The string, number, boolean or null under the wanted name in the outermost object. If repeated, the last. */
  member: unknown;
}

/**
 * Scans JSON in one pass, in linear time whatever its shape; parsing the same bytes may take a
 * hundred times as long. Undefined if it is not JSON. Does not check for UTF-8.
 */
export function jsonOutline(bytes: Uint8Array, wanted = ""): JsonOutline | undefined {
  const open: number[] = [];
  let depth = 0;
  let values = 0;
  let member: [start: number, end: number] | undefined;
  let isWanted = false;
  // A byte order mark may come first.
  let i = skipBlanks(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

  /** The position after a member's name and colon, or -1. */
  const skipName = (start: number): number => {
    if (bytes[start] !== QUOTE) return -1;
    const end = skipString(bytes, start);
    if (end === -1) return -1;
    isWanted = wanted !== "" && open.length === 1 && equalsName(bytes, start, end, wanted);
    const colon = skipBlanks(bytes, end);
    return bytes[colon] === COLON ? skipBlanks(bytes, colon + 1) : -1;
  };

  for (;;) {
    // A value begins here.
    values += 1;
    const byte = bytes[i];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (isWanted && open.length === 1) member = undefined;
      const closing = byte + 2;
      open.push(closing);
      if (open.length > depth) depth = open.length;
      i = skipBlanks(bytes, i + 1);
      if (bytes[i] !== closing) {
        if (byte === OPEN_OBJECT) i = skipName(i);
        if (i === -1) return undefined;
        continue;
      }
    } else {
      const end = skipScalar(bytes, i);
      if (end === -1) return undefined;
      if (isWanted && open.length === 1) member = [i, end];
      i = end;
    }
    // After a value, or at the end of an empty object or array.
    for (;;) {
      i = skipBlanks(bytes, i);
      const closing = open.at(-1);
      if (closing === undefined) {
        if (i !== bytes.length) return undefined;
        return { depth, values, member: member && JSON.parse(textOf(bytes, ...member)) };
      }
      if (bytes[i] === COMMA) {
        i = skipBlanks(bytes, i + 1);
        if (closing === CLOSE_OBJECT) i = skipName(i);
        if (i === -1) return undefined;
        break;
      }
      if (bytes[i] !== closing) return undefined;
      open.pop();
      i += 1;
    }
  }
}

function skipBlanks(bytes: Uint8Array, start: number): number {
  let i = start;
  while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i += 1;
  return i;
}

function skipScalar(bytes: Uint8Array, start: number): number {
  switch (bytes[start]) {
    case QUOTE:
      return skipString(bytes, start);
    case 0x74:
      return skipWord(bytes, start, "true");
    case 0x66:
      return skipWord(bytes, start, "false");
    case 0x6e:
      return skipWord(bytes, start, "null");
    default:
      return skipNumber(bytes, start);
  }
}

function skipWord(bytes: Uint8Array, start: number, word: string): number {
  for (let i = 0; i < word.length; i += 1) {
    if (bytes[start + i] !== word.charCodeAt(i)) return -1;
  }
  return start + word.length;
}

function skipString(bytes: Uint8Array, start: number): number {
  for (let i = start + 1; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) return i + 1;
    if (byte < 0x20) return -1;
    if (byte !== BACKSLASH) continue;
    i += 1;
    if (bytes[i] === LETTER_U) {
      for (let digit = 1; digit <= 4; digit += 1) if (!isHex(bytes[i + digit])) return -1;
      i += 4;
    } else if (!ESCAPED.has(bytes[i] ?? 0)) return -1;
  }
  return -1;
}

function skipNumber(bytes: Uint8Array, start: number): number {
  let i = bytes[start] === MINUS ? start + 1 : start;
  const whole = bytes[i] === ZERO ? i + 1 : skipDigits(bytes, i);
  if (whole === i) return -1;
  i = whole;
  if (bytes[i] === DOT) {
    const end = skipDigits(bytes, i + 1);
    if (end === i + 1) return -1;
    i = end;
  }
  if (bytes[i] === 0x65 || bytes[i] === 0x45) {
    const digits = bytes[i + 1] === PLUS || bytes[i + 1] === MINUS ? i + 2 : i + 1;
    const end = skipDigits(bytes, digits);
    if (end === digits) return -1;
    i = end;
  }
  return i;
}

function skipDigits(bytes: Uint8Array, start: number): number {
  let i = start;
  while (isDigit(bytes[i])) i += 1;
  return i;
}

/** Whether the string literal equals the ASCII name. */
function equalsName(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  const length = end - start - 2;
  // Each character may be escaped with six bytes.
  if (length < name.length || length > 6 * name.length) return false;
  const literal = textOf(bytes, start, end);
  return literal === `"${name}"` || (literal.includes("\\") && JSON.parse(literal) === name);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** The characters that may follow a backslash, besides `u`: `"\/bfnrt`. */
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
