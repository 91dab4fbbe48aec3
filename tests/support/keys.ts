import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

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
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function sha256(text: string) {
  return createHash("sha256").update(text).digest("hex");
}

/** Random base62 digits. */
export function randomText(length: number) {
  return Array.from({ length }, () => DIGITS.charAt(randomInt(62))).join("");
}
