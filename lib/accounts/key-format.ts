import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62, randomBase62 } from "@/lib/db/ids";

const LIVE = "svc_live_";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** A new API key: `svc_live_`, 32 random base62 characters, and a checksum of all before it. */
export function newApiKey(): string {
  const start = LIVE + randomBase62(BODY_LENGTH);
  return start + checksum(start);
}

/**
 * Whether a key of the issued length carries the right checksum; a key of another length was chosen
 * by an operator and has none. A wrong one cannot exist, so the database need not be asked.
 */
export function hasPlausibleChecksum(key: string): boolean {
  const issued = /^svc_(?:live|at)_[0-9A-Za-z]{38}$/.test(key);
  return !issued || key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** SHA-256 in hex: all that is stored of a key or token. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** CRC-32 (IEEE) in base62, so that secret scanners drop false positives without asking anybody. */
function checksum(start: string): string {
  return base62(crc32(start), CHECKSUM_LENGTH);
}
