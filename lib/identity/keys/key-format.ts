import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62, randomBase62 } from "@/lib/platform/db/ids";

const PREFIXES = { api_key: "svc_live_", access_token: "svc_at_" };
const SHOWN_LENGTH = 4;
export const BODY_LENGTH = 32;
export const CHECKSUM_LENGTH = 6;

/** An `access_token` expires; an `api_key` does not. */
export type KeyKind = keyof typeof PREFIXES;

/** A new key: `svc_live_` or `svc_at_`, 32 random base62 characters and a checksum. */
export function newApiKey(kind: KeyKind = "api_key"): string {
  return newSecret(PREFIXES[kind]);
}

/** Starts an OAuth access token. */
export const OAUTH_TOKEN_PREFIX = "svc_oat_";

/** A new secret: `start`, 32 random base62 characters and a checksum. */
export function newSecret(start: string): string {
  const secret = start + randomBase62(BODY_LENGTH);
  return secret + checksum(secret);
}

/** Whether the text looks like a `newSecret(start)`. */
export function looksLikeSecret(start: string, text: string): boolean {
  const rest = text.startsWith(start) ? text.slice(start.length) : "";
  return /^[0-9A-Za-z]{38}$/.test(rest) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** The parts of a key that are stored: its digest, and the characters by which people know it. */
export function storedForm(key: string): { digest: string; prefix: string; last_four: string } {
  const start = Object.values(PREFIXES).find((known) => key.startsWith(known)) ?? "";
  return {
    digest: digestOf(key),
    prefix: key.slice(0, start.length + SHOWN_LENGTH),
    last_four: key.slice(-SHOWN_LENGTH),
  };
}

/**
 * False for a key of the issued format with a wrong checksum, which saves a database lookup. Keys
 * of another length were chosen by an operator and have no checksum.
 */
export function hasPlausibleChecksum(key: string): boolean {
  const issued = /^svc_(?:live|at)_[0-9A-Za-z]{38}$/.test(key);
  return !issued || key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** SHA-256 in hex; keys and tokens are stored only in this form. */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** CRC-32 (IEEE) in base62. Lets secret scanners discard false positives offline. */
function checksum(start: string): string {
  return base62(crc32(start), CHECKSUM_LENGTH);
}
