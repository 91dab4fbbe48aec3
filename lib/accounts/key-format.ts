import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62, randomBase62 } from "@/lib/db/ids";

const STARTS = { api_key: "svc_live_", access_token: "svc_at_" };
const SHOWN_LENGTH = 4;
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** An `api_key` does not expire, an `access_token` does. */
export type KeyKind = keyof typeof STARTS;

/** A new key: `svc_live_` or `svc_at_`, 32 random base62 characters, and a checksum of all before it. */
export function newApiKey(kind: KeyKind = "api_key"): string {
  const start = STARTS[kind] + randomBase62(BODY_LENGTH);
  return start + checksum(start);
}

/** What is stored of a key: its digest, and the few characters by which people recognise it. */
export function storedForm(key: string): { digest: string; prefix: string; lastFour: string } {
  const start = Object.values(STARTS).find((known) => key.startsWith(known)) ?? "";
  return {
    digest: digestOf(key),
    prefix: key.slice(0, start.length + SHOWN_LENGTH),
    lastFour: key.slice(-SHOWN_LENGTH),
  };
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
