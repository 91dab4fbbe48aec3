import { digestOf, looksLikeSecret, newSecret } from "@/lib/identity/keys/key-format";
import { randomBase62 } from "@/lib/platform/db/ids";

/** Start an authorization code and a device code. */
export const CODE_PREFIX = "svc_oac_";
export const DEVICE_PREFIX = "svc_odc_";
const REFRESH_PREFIX = "svc_ort_";
const FAMILY_LENGTH = 24; // 143 random bits

/** The digest of a secret that begins with `prefix`; undefined for any other text. */
export function secretDigest(prefix: string, text: string): string | undefined {
  return looksLikeSecret(prefix, text) ? digestOf(text) : undefined;
}

/** A refresh token. It starts with the family of its grant, so that reuse is detected. */
export function newRefreshToken(family = randomBase62(FAMILY_LENGTH)): string {
  return newSecret(REFRESH_PREFIX + family);
}

/** The parts of a refresh token; undefined for any other text. */
export function refreshTokenParts(token: string) {
  const start = token.slice(0, REFRESH_PREFIX.length + FAMILY_LENGTH);
  if (!start.startsWith(REFRESH_PREFIX) || !looksLikeSecret(start, token)) return undefined;
  const family = start.slice(REFRESH_PREFIX.length);
  return { family, familyDigest: digestOf(start), digest: digestOf(token) };
}
