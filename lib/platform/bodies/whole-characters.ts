import { isUtf8 } from "node:buffer";

/** A cut leaves at most three of the four bytes that a character has in UTF-8. */
const REST_BYTES_MAX = 3;

/**
 * The bytes of a text that was cut, without an incomplete character at their end, which would make
 * it look binary.
 */
export function wholeCharacters(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const end = Math.max(bytes.length - REST_BYTES_MAX, 0);
  const first = bytes.subarray(end).findLastIndex((byte) => byte >= 0xc2 && byte <= 0xf4);
  const whole = bytes.subarray(0, end + first);
  return first !== -1 && isUtf8(whole) ? whole : bytes;
}
