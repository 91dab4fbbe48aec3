import type { JWTPayload } from "jose";
import { normalizeEmail } from "@/lib/identity/people/email";
import { type Scope, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { Provider } from "@/lib/platform/config/trust-list";
import { invalidRequest } from "./body";
import {
  CLOCK_TOLERANCE_SECONDS,
  storable,
  storableClaim,
  tokenError,
  verifyProviderToken,
} from "./provider-token";

export const LIFETIME_SECONDS_MAX = 3600;

/** The claims of a verified ID-JAG. */
export interface Assertion {
  provider: Provider;
  sub: string;
  jti: string;
  aud: string;
  iat: number;
  exp: number;
  clientId: string;
  /** Null unless the provider has verified the address and it is a plain one. */
  email: string | null;
  grantedScopes: Scope[];
  agentPlatform: string | null;
  agentContextId: string | null;
}

/**
 * Verifies an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant) in the contract's order and
 * reports the first failed check. Revocation and replay are checked later, in the database.
 */
export async function verifyIdJag(token: string): Promise<Assertion> {
  const { provider, payload } = await verifyProviderToken(token, "oauth-id-jag+jwt", {
    maxTokenAge: LIFETIME_SECONDS_MAX,
    requiredClaims: ["sub", "exp", "iat", "jti"],
  });
  const { iat = 0, exp = 0 } = payload; // both are required above
  const sub = storableClaim(payload, "sub");
  const jti = storableClaim(payload, "jti");
  const aud = soleAudience(payload);
  assertResource(payload);
  if (exp - iat > LIFETIME_SECONDS_MAX) {
    throw invalidRequest(
      `The assertion must expire within ${LIFETIME_SECONDS_MAX} seconds of its iat.`,
    );
  }
  if (payload.cnf !== undefined) {
    throw tokenError(
      "invalid_grant",
      "Assertions with proof of possession (cnf) are not supported.",
    );
  }
  const clientId = clientIdOf(payload, provider);
  assertVerifiedUser(payload);
  assertAuthentication(payload, provider);
  return {
    provider,
    sub,
    jti,
    aud,
    iat,
    exp,
    clientId,
    email: verifiedEmail(payload),
    grantedScopes: grantedScopes(payload),
    agentPlatform: storable(payload.agent_platform) ?? null,
    agentContextId: storable(payload.agent_context_id) ?? null,
  };
}

/** One service could replay a token for several services at another. */
function soleAudience({ aud }: JWTPayload): string {
  const [first, ...others] = Array.isArray(aud) ? aud : [aud];
  if (typeof first === "string" && others.length === 0) return first;
  throw tokenError("invalid_audience", "The assertion's only audience must be this service.");
}

function assertResource({ resource }: JWTPayload) {
  if (resource === undefined) return;
  const named: unknown[] = Array.isArray(resource) ? resource : [resource];
  const isOurs = (one: unknown) =>
    typeof one === "string" &&
    config().ownOrigins.some((own) => one === own || one.startsWith(`${own}/`));
  if (!named.some(isOurs)) {
    throw tokenError("invalid_audience", "The assertion's resource is not this service.");
  }
}

function clientIdOf(payload: JWTPayload, provider: Provider): string {
  const clientId = storable(payload.client_id, Number.POSITIVE_INFINITY);
  if (clientId !== undefined && (provider.client_id ?? clientId) === clientId) return clientId;
  throw tokenError("invalid_client_id", "The assertion's client_id is missing or not accepted.");
}

function assertVerifiedUser(payload: JWTPayload) {
  const byEmail = payload.email_verified === true && typeof payload.email === "string";
  if (byEmail || payload.phone_number_verified === true) return;
  throw tokenError(
    "missing_verified_email",
    "The assertion must have a verified email address or phone number.",
  );
}

function assertAuthentication(payload: JWTPayload, { max_auth_age, amr }: Provider) {
  if (max_auth_age !== undefined) {
    const { auth_time } = payload;
    const age = typeof auth_time === "number" ? Date.now() / 1000 - auth_time : Number.NaN;
    // Also false for NaN.
    const isRecent =
      age <= max_auth_age + CLOCK_TOLERANCE_SECONDS && age >= -CLOCK_TOLERANCE_SECONDS;
    if (!isRecent) throw weakAuthentication({ max_age: String(max_auth_age) });
  }
  const methods: unknown[] = Array.isArray(payload.amr) ? payload.amr : [];
  if (!(amr ?? []).every((method) => methods.includes(method))) throw weakAuthentication();
}

function weakAuthentication(members?: Record<string, string>) {
  return tokenError(
    "insufficient_user_authentication",
    "The user must sign in at the provider again, or with a stronger method.",
    { error: "insufficient_user_authentication", ...members },
  );
}

function verifiedEmail({ email, email_verified }: JWTPayload): string | null {
  if (email_verified !== true || typeof email !== "string") return null;
  return normalizeEmail(email) ?? null;
}

/** A scope claim without any of our scopes is ignored: it was meant for another service. */
function grantedScopes({ scope }: JWTPayload): Scope[] {
  const named = [scope].flat().flatMap((one) => (typeof one === "string" ? one.split(" ") : []));
  const ours = scopes.filter((one) => named.includes(one));
  return ours.length > 0 ? ours : [...scopes];
}
