import type { JWTPayload } from "jose";
import { isObject } from "@/lib/platform/http/request";
import { invalidRequest } from "./body";
import {
  CLOCK_TOLERANCE_SECONDS,
  storableClaim,
  tokenError,
  verifyProviderToken,
} from "./provider-token";

/** Lifetime of a token without `exp`. */
export const AGE_SECONDS_MAX = 600;

export const REVOCATION_EVENTS = [
  "https://schemas.workos.com/events/agent/auth/identity/assertion/revoked",
  "http://schemas.openid.net/event/backchannel-logout",
];

export interface Logout {
  iss: string;
  sub: string;
  jti: string;
  /** When the provider issued it, by its clock, Unix seconds. */
  iat: number;
  /** When the token can no longer be used, Unix seconds. */
  endsAt: number;
}

/** Verifies a logout token (OpenID Connect Back-Channel Logout). Throws the contract's codes. */
export async function verifyLogoutToken(token: string): Promise<Logout> {
  const { provider, payload } = await verifyProviderToken(token, "logout+jwt", {
    requiredClaims: ["sub", "iat", "jti"],
  });
  const { iat, exp } = payload;
  if (typeof iat !== "number" || iat < 0) {
    throw invalidRequest("The token's iat must be a positive number.");
  }
  const age = Date.now() / 1000 - iat;
  if (age < -CLOCK_TOLERANCE_SECONDS)
    throw tokenError("expired", "The token's iat is in the future.");
  if (exp === undefined && age > AGE_SECONDS_MAX)
    throw tokenError("expired", "The token is too old.");
  const sub = storableClaim(payload, "sub");
  const jti = storableClaim(payload, "jti");
  assertRevocation(payload);
  return { iss: provider.iss, sub, jti, iat, endsAt: Math.max(exp ?? 0, iat + AGE_SECONDS_MAX) };
}

function assertRevocation({ events, nonce }: JWTPayload) {
  const isKnown = REVOCATION_EVENTS.some((event) => isObject(events) && isObject(events[event]));
  if (!isKnown) throw invalidRequest("The token's events must contain a revocation.");
  if (nonce !== undefined) throw invalidRequest("A logout token must not have a nonce.");
}
