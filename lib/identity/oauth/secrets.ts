import {
  digestOf,
  looksLikeSecret,
  newSecret,
  OAUTH_TOKEN_PREFIX,
} from "@/lib/identity/keys/key-format";
import { randomBase62 } from "@/lib/platform/db/ids";

const CODE_PREFIX = "svc_oac_";
const DEVICE_PREFIX = "svc_odc_";
const REFRESH_PREFIX = "svc_ort_";
const FAMILY_LENGTH = 24; // 143 random bits

export function newCode(): string {
  return newSecret(CODE_PREFIX);
}

export function newDeviceCode(): string {
  return newSecret(DEVICE_PREFIX);
}

export function newAccessToken(): string {
  return newSecret(OAUTH_TOKEN_PREFIX);
}

/** A refresh token. It starts with the family of its grant, so that reuse is detected. */
export function newRefreshToken(family = randomBase62(FAMILY_LENGTH)): string {
  return newSecret(REFRESH_PREFIX + family);
}

/** The digest of an authorization code; undefined for any other text. */
export function codeDigest(code: string): string | undefined {
  return looksLikeSecret(CODE_PREFIX, code) ? digestOf(code) : undefined;
}

/** The digest of a device code; undefined for any other text. */
export function deviceCodeDigest(code: string): string | undefined {
  return looksLikeSecret(DEVICE_PREFIX, code) ? digestOf(code) : undefined;
}

/** The digest of an access token; undefined for any other text. */
export function accessTokenDigest(token: string): string | undefined {
  return looksLikeSecret(OAUTH_TOKEN_PREFIX, token) ? digestOf(token) : undefined;
}

/** The parts of a refresh token; undefined for any other text. */
export function refreshTokenParts(token: string) {
  const start = token.slice(0, REFRESH_PREFIX.length + FAMILY_LENGTH);
  if (!start.startsWith(REFRESH_PREFIX) || !looksLikeSecret(start, token)) return undefined;
  const family = start.slice(REFRESH_PREFIX.length);
  return { family, familyDigest: digestOf(start), digest: digestOf(token) };
}
