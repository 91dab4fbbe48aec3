import { createHash, randomInt } from "node:crypto";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * A second implementation of the API-key format, on purpose: secret scanners rely on the published
 * format, not on our code.
 */
export function makeKeyText(prefix: "svc_live_" | "svc_at_" = "svc_live_", body = randomText(32)) {
  return prefix + body + checksum(prefix + body);
}

/** CRC-32 (IEEE) in base62, padded to six digits. */
export function checksum(text: string) {
  let rest = crc32(Buffer.from(text, "ascii"));
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Bit by bit, with the polynomial of ISO 3309. */
export function crc32(bytes: Uint8Array) {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}

export function sha256(text: string) {
  return createHash("sha256").update(text).digest("hex");
}

/** Random base62 digits. */
export function randomText(length: number) {
  return Array.from({ length }, () => DIGITS.charAt(randomInt(62))).join("");
}
