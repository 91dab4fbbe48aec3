import { z } from "zod";
import { scopes } from "@/lib/accounts/caller";

export const ID_JAG_TYPE = "urn:ietf:params:oauth:token-type:id-jag";
export const CREDENTIAL_TYPES = ["access_token", "api_key"] as const;

export const credentialType = z.enum(CREDENTIAL_TYPES);

/** Any text here, as another value has an error code of its own. */
function requestedCredentialType(...allowed: string[]) {
  return z.string().optional().meta({ enum: allowed, default: "api_key" });
}

export const RegisterAnonymous = z.strictObject({
  type: z.literal("anonymous"),
  requested_credential_type: requestedCredentialType("api_key"),
});

export const RegisterServiceAuth = z.strictObject({
  type: z.literal("service_auth"),
  login_hint: z.unknown().meta({ type: "string", format: "email" }),
  requested_credential_type: requestedCredentialType(...CREDENTIAL_TYPES),
});

export const RegisterAssertion = z.strictObject({
  type: z.literal("identity_assertion"),
  assertion_type: z.string().meta({ enum: [ID_JAG_TYPE] }),
  assertion: z.string().describe("A compact JWS of at most 16384 characters"),
  requested_credential_type: requestedCredentialType(...CREDENTIAL_TYPES),
});

export const Registration = z.discriminatedUnion("type", [
  RegisterAnonymous,
  RegisterServiceAuth,
  RegisterAssertion,
]);

const credential = {
  credential_type: credentialType,
  credential: z.string().describe("Shown once"),
  credential_expires: z.int().nullable().describe("Unix seconds; null: never"),
  scopes: z.array(z.enum(scopes)),
};

export type Credential = z.infer<z.ZodObject<typeof credential>>;

const claimable = {
  claim_url: z.url(),
  claim_token: z.string().describe("Shown once"),
  claim_token_expires: z.int().describe("Unix seconds"),
  post_claim_scopes: z.array(z.enum(scopes)),
};

export const AnonymousRegistered = z.strictObject({
  registration_id: z.string(),
  registration_type: z.literal("anonymous"),
  ...credential,
  ...claimable,
});
export type AnonymousRegistered = z.infer<typeof AnonymousRegistered>;

export const ServiceAuthRegistered = z.strictObject({
  registration_id: z.string(),
  registration_type: z.literal("service_auth"),
  claim_attempt_id: z.string(),
  otp_expires: z.int().describe("Unix seconds"),
  ...claimable,
});
export type ServiceAuthRegistered = z.infer<typeof ServiceAuthRegistered>;

export const ProviderRegistered = z.strictObject({
  registration_id: z.string(),
  registration_type: z.literal("agent-provider"),
  ...credential,
});
export type ProviderRegistered = z.infer<typeof ProviderRegistered>;

export const Registered = z.union([AnonymousRegistered, ServiceAuthRegistered, ProviderRegistered]);

export const ClaimStart = z.strictObject({
  claim_token: z.string().min(1),
  email: z.string().min(1).describe("The user's address, to which the code is sent"),
});
export type ClaimStart = z.infer<typeof ClaimStart>;

export const ClaimStarted = z.strictObject({
  registration_id: z.string(),
  claim_attempt_id: z.string(),
  status: z.literal("initiated"),
  expires_at: z.int().describe("When this attempt ends, Unix seconds"),
  otp_expires: z.int(),
});
export type ClaimStarted = z.infer<typeof ClaimStarted>;

export const ClaimComplete = z.strictObject({
  claim_token: z.string().min(1),
  otp: z
    .string()
    .describe("The digits of the mail: six, or twelve for an address at which codes were guessed"),
});
export type ClaimComplete = z.infer<typeof ClaimComplete>;

const claimed = {
  registration_id: z.string(),
  status: z.literal("claimed"),
  scopes: z.array(z.enum(scopes)),
};

export const Claimed = z.union([
  z.strictObject(claimed),
  z.strictObject({ ...claimed, ...credential }),
]);
export type Claimed = z.infer<typeof Claimed>;

export const Revoked = z.strictObject({
  revoked: z.int().describe("How many credentials were revoked now"),
});
export type Revoked = z.infer<typeof Revoked>;
