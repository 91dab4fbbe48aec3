import * as z from "zod";
import { scopes } from "@/lib/platform/caller";
import { TOKEN_LENGTH_MAX } from "./body";

export const ID_JAG_TYPE = "urn:ietf:params:oauth:token-type:id-jag";
export const CREDENTIAL_TYPES = ["access_token", "api_key"] as const;

export const credentialType = z
  .enum(CREDENTIAL_TYPES)
  .describe("What `credential` is: a short-lived token, or a key.");

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
  .meta({ id: "AgentRegistrationAnonymous", examples: [{ type: "anonymous" }] });

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

const registrationId = z.string().describe("The ID of the registration.");
const attemptId = z.string().describe("The ID of this attempt to claim the registration.");
const otpExpires = z.int().describe("When the code in the mail expires, in Unix seconds.");
const claimStatus = <Status extends string>(status: Status) =>
  z.literal(status).describe("How far the claim is.");
const registrationType = <Type extends string>(type: Type) =>
  z.literal(type).describe("How the agent registered.");
const claimToken = z.string().min(1).describe("The `claim_token` of the registration.");

const REGISTRATION_ID = "reg_034gLHnnT5MH2Sbz6VPrmYvR1q";
const credentialExample = {
  credential_type: "api_key",
  credential: "svc_live_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
  credential_expires: null,
  scopes: ["api.read"],
} as const;
const claimableExample = {
  claim_url: "https://agents.acme.dev/api/agent/auth/claim",
  claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
  claim_token_expires: 1_767_830_400,
  post_claim_scopes: ["api.read", "api.write"],
} as const;

const grantedScopes = z.array(z.enum(scopes)).describe("What the credential may do.");

const credential = {
  credential_type: credentialType,
  credential: z.string().describe("Send it as a bearer token. Shown once."),
  credential_expires: z
    .int()
    .nullable()
    .describe("When it expires, in Unix seconds; null if never."),
  scopes: grantedScopes,
};

export type Credential = z.infer<z.ZodObject<typeof credential>>;

const claimable = {
  claim_url: z.url().describe("Where to begin a claim by your user."),
  claim_token: z.string().describe("Proves that you registered. Shown once."),
  claim_token_expires: z.int().describe("When the token expires, in Unix seconds."),
  post_claim_scopes: z.array(z.enum(scopes)).describe("What the credential may do after a claim."),
};

export const AnonymousRegistered = z
  .strictObject({
    registration_id: registrationId,
    registration_type: registrationType("anonymous"),
    ...credential,
    ...claimable,
  })
  .meta({
    id: "AgentRegisteredAnonymous",
    examples: [
      {
        registration_id: REGISTRATION_ID,
        registration_type: "anonymous",
        ...credentialExample,
        ...claimableExample,
      },
    ],
  });
export type AnonymousRegistered = z.infer<typeof AnonymousRegistered>;

export const ServiceAuthRegistered = z
  .strictObject({
    registration_id: registrationId,
    registration_type: registrationType("service_auth"),
    claim_attempt_id: attemptId,
    otp_expires: otpExpires,
    ...claimable,
  })
  .meta({
    id: "AgentRegisteredByUser",
    examples: [
      {
        registration_id: REGISTRATION_ID,
        registration_type: "service_auth",
        claim_attempt_id: "cla_034gLHnnT5MH2Sbz6VPrmYvR1q",
        otp_expires: 1_767_226_200,
        ...claimableExample,
      },
    ],
  });
export type ServiceAuthRegistered = z.infer<typeof ServiceAuthRegistered>;

export const ProviderRegistered = z
  .strictObject({
    registration_id: registrationId,
    registration_type: registrationType("agent-provider"),
    ...credential,
  })
  .meta({
    id: "AgentRegisteredByProvider",
    examples: [
      {
        registration_id: REGISTRATION_ID,
        registration_type: "agent-provider",
        ...credentialExample,
      },
    ],
  });
export type ProviderRegistered = z.infer<typeof ProviderRegistered>;

export const Registered = z
  .union([AnonymousRegistered, ServiceAuthRegistered, ProviderRegistered])
  .meta({ id: "AgentRegistered" });

export const ClaimStart = z
  .strictObject({
    claim_token: claimToken,
    email: z.string().min(1).describe("The email address of your user, to which the code is sent."),
  })
  .meta({
    id: "AgentClaimStart",
    examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9", email: "ada@example.com" }],
  });
export type ClaimStart = z.infer<typeof ClaimStart>;

export const ClaimStarted = z
  .strictObject({
    registration_id: registrationId,
    claim_attempt_id: attemptId,
    status: claimStatus("initiated"),
    expires_at: z.int().describe("When this attempt expires, in Unix seconds."),
    otp_expires: otpExpires,
  })
  .meta({
    id: "AgentClaimStarted",
    examples: [
      {
        registration_id: REGISTRATION_ID,
        claim_attempt_id: "cla_034gLHnnT5MH2Sbz6VPrmYvR1q",
        status: "initiated",
        expires_at: 1_767_227_400,
        otp_expires: 1_767_226_200,
      },
    ],
  });
export type ClaimStarted = z.infer<typeof ClaimStarted>;

export const ClaimComplete = z
  .strictObject({
    claim_token: claimToken,
    otp: z.string().describe("The code from the mail, which your user tells you."),
  })
  .meta({
    id: "AgentClaimComplete",
    examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9", otp: "402817" }],
  });
export type ClaimComplete = z.infer<typeof ClaimComplete>;

const AgentClaimed = z
  .strictObject({
    registration_id: registrationId,
    status: claimStatus("claimed"),
    scopes: grantedScopes,
  })
  .meta({
    id: "AgentClaimedAnonymous",
    examples: [
      { registration_id: REGISTRATION_ID, status: "claimed", scopes: ["api.read", "api.write"] },
    ],
  });
const AgentClaimedWithCredential = AgentClaimed.extend(credential).meta({
  id: "AgentClaimedByUser",
  examples: [{ registration_id: REGISTRATION_ID, status: "claimed", ...credentialExample }],
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
