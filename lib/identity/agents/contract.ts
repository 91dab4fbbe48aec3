import * as z from "zod";
import { scopes } from "@/lib/platform/caller";
import { withExample } from "@/lib/platform/http/example";
import { reference, timeOrNull } from "@/lib/platform/http/fields";
import { TOKEN_LENGTH_MAX } from "./body";

export const ID_JAG_TYPE = "urn:ietf:params:oauth:token-type:id-jag";
export const CREDENTIAL_TYPES = ["access_token", "api_key"] as const;

export const credentialType = withExample(
  z.enum(CREDENTIAL_TYPES).describe("What `credential` is: a short-lived token, or a key."),
  "api_key",
);

/** Accepts any string, since a wrong value has its own error code. */
function requestedCredentialType(...allowed: string[]) {
  return z
    .string()
    .optional()
    .describe("The kind of credential to issue. Default: `api_key`.")
    .meta({ enum: allowed });
}

const TYPE = "How the agent proves who it is.";

export const RegisterAnonymous = z
  .strictObject({
    type: z.literal("anonymous").describe(TYPE),
    requested_credential_type: requestedCredentialType("api_key"),
  })
  .meta({ id: "AgentRegistrationAnonymous", examples: [{}] });

export const RegisterServiceAuth = z
  .strictObject({
    type: z.literal("service_auth").describe(TYPE),
    login_hint: z
      .unknown()
      .describe("The email address of your user, who gets a code by mail.")
      .meta({ type: "string", format: "email" }),
    requested_credential_type: requestedCredentialType(...CREDENTIAL_TYPES),
  })
  .meta({ id: "AgentRegistrationByUser" });

export const RegisterAssertion = z
  .strictObject({
    type: z.literal("identity_assertion").describe(TYPE),
    assertion_type: z
      .string()
      .describe("The kind of assertion.")
      .meta({ enum: [ID_JAG_TYPE] }),
    assertion: z
      .string()
      .describe(`The assertion, a compact JWS of at most ${TOKEN_LENGTH_MAX} characters.`),
    requested_credential_type: requestedCredentialType(...CREDENTIAL_TYPES),
  })
  .meta({ id: "AgentRegistrationByProvider" });

export const Registration = z
  .discriminatedUnion("type", [RegisterAnonymous, RegisterServiceAuth, RegisterAssertion])
  .meta({ id: "AgentRegistration" });

const registrationId = reference("reg", "The ID of the registration.");
const attemptId = reference("cla", "The ID of this attempt to claim the registration.");
const otpExpires = withExample(
  z.int().describe("When the code in the mail expires, in Unix seconds."),
  1_767_226_200,
);
const claimStatus = <Status extends string>(status: Status) =>
  z.literal(status).describe("How far the claim is.");
const registrationType = <Type extends string>(type: Type) =>
  z.literal(type).describe("How the agent registered.");
const CLAIM_TOKEN = "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cL";
const claimToken = withExample(
  z.string().min(1).describe("The `claim_token` of the registration."),
  CLAIM_TOKEN,
);

const grantedScopes = z.array(z.enum(scopes)).describe("What the credential may do.");

const credential = {
  credential_type: credentialType,
  credential: withExample(
    z.string().describe("Send it as a bearer token. Shown once."),
    "svc_live_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
  ),
  credential_expires: timeOrNull("When it expires, in Unix seconds; null if never."),
  scopes: grantedScopes,
};

export type Credential = z.infer<z.ZodObject<typeof credential>>;

const claimable = {
  claim_url: withExample(
    z.url().describe("Where to begin a claim by your user."),
    "https://agents.acme.dev/api/agent/auth/claim",
  ),
  claim_token: withExample(
    z.string().describe("Proves that you registered. Shown once."),
    CLAIM_TOKEN,
  ),
  claim_token_expires: withExample(
    z.int().describe("When the token expires, in Unix seconds."),
    1_767_830_400,
  ),
  post_claim_scopes: withExample(
    z.array(z.enum(scopes)).describe("What the credential may do after a claim."),
    scopes,
  ),
};

export const AnonymousRegistered = z
  .strictObject({
    registration_id: registrationId,
    registration_type: registrationType("anonymous"),
    ...credential,
    ...claimable,
  })
  .meta({ id: "AgentRegisteredAnonymous", examples: [{}] });
export type AnonymousRegistered = z.infer<typeof AnonymousRegistered>;

export const ServiceAuthRegistered = z
  .strictObject({
    registration_id: registrationId,
    registration_type: registrationType("service_auth"),
    claim_attempt_id: attemptId,
    otp_expires: otpExpires,
    ...claimable,
  })
  .meta({ id: "AgentRegisteredByUser", examples: [{}] });
export type ServiceAuthRegistered = z.infer<typeof ServiceAuthRegistered>;

export const ProviderRegistered = z
  .strictObject({
    registration_id: registrationId,
    registration_type: registrationType("agent-provider"),
    ...credential,
  })
  .meta({ id: "AgentRegisteredByProvider", examples: [{}] });
export type ProviderRegistered = z.infer<typeof ProviderRegistered>;

export const Registered = z
  .union([AnonymousRegistered, ServiceAuthRegistered, ProviderRegistered])
  .meta({ id: "AgentRegistered" });

export const ClaimStart = z
  .strictObject({
    claim_token: claimToken,
    email: z.string().min(1).describe("The email address of your user, to which the code is sent."),
  })
  .meta({ id: "AgentClaimStart", examples: [{ email: "ada@example.com" }] });

export const ClaimStarted = z
  .strictObject({
    registration_id: registrationId,
    claim_attempt_id: attemptId,
    status: claimStatus("initiated"),
    expires_at: z.int().describe("When this attempt expires, in Unix seconds."),
    otp_expires: otpExpires,
  })
  .meta({ id: "AgentClaimStarted", examples: [{ expires_at: 1_767_227_400 }] });
export type ClaimStarted = z.infer<typeof ClaimStarted>;

export const ClaimComplete = z
  .strictObject({
    claim_token: claimToken,
    otp: z.string().describe("The code from the mail, which your user tells you."),
  })
  .meta({ id: "AgentClaimComplete", examples: [{ otp: "402817" }] });

const AgentClaimed = z
  .strictObject({
    registration_id: registrationId,
    status: claimStatus("claimed"),
    scopes: grantedScopes,
  })
  .meta({ id: "AgentClaimedAnonymous", examples: [{ scopes }] });
const AgentClaimedWithCredential = AgentClaimed.extend(credential).meta({
  id: "AgentClaimedByUser",
  examples: [{}],
});

export const Claimed = z
  .union([AgentClaimed, AgentClaimedWithCredential])
  .meta({ id: "AgentClaimed" });
export type Claimed = z.infer<typeof Claimed>;

export const Revoked = z
  .strictObject({
    revoked: z.int().describe("How many credentials were revoked."),
  })
  .meta({ id: "AgentRevoked", examples: [{ revoked: 1 }] });
export type Revoked = z.infer<typeof Revoked>;
