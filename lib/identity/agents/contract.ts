import * as z from "zod";
import { scopes } from "@/lib/platform/caller";
import { TOKEN_LENGTH_MAX } from "./body";

export const ID_JAG_TYPE = "urn:ietf:params:oauth:token-type:id-jag";
export const CREDENTIAL_TYPES = ["access_token", "api_key"] as const;

export const credentialType = z.enum(CREDENTIAL_TYPES);

/** Accepts any string, since a wrong value has its own error code. */
function requestedCredentialType(...allowed: string[]) {
  return z.string().optional().describe("Default: `api_key`").meta({ enum: allowed });
}

export const RegisterAnonymous = z
  .strictObject({
    type: z.literal("anonymous"),
    requested_credential_type: requestedCredentialType("api_key"),
  })
  .meta({ examples: [{ type: "anonymous" }] });

export const RegisterServiceAuth = z.strictObject({
  type: z.literal("service_auth"),
  login_hint: z.unknown().meta({ type: "string", format: "email" }),
  requested_credential_type: requestedCredentialType(...CREDENTIAL_TYPES),
});

export const RegisterAssertion = z.strictObject({
  type: z.literal("identity_assertion"),
  assertion_type: z.string().meta({ enum: [ID_JAG_TYPE] }),
  assertion: z.string().describe(`A compact JWS of at most ${TOKEN_LENGTH_MAX} characters`),
  requested_credential_type: requestedCredentialType(...CREDENTIAL_TYPES),
});

export const Registration = z
  .discriminatedUnion("type", [RegisterAnonymous, RegisterServiceAuth, RegisterAssertion])
  .meta({ id: "AgentRegistration" });

const registrationId = "reg_034gLHnnT5MH2Sbz6VPrmYvR1q";
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

export const AgentCredential = z
  .object({
    credential_type: credentialType,
    credential: z.string().describe("Shown once"),
    credential_expires: z.int().nullable().describe("Unix seconds; null: never"),
    scopes: z.array(z.enum(scopes)),
  })
  .meta({ id: "AgentCredential", examples: [credentialExample] });
const credential = AgentCredential.shape;

export type Credential = z.infer<typeof AgentCredential>;

export const AgentClaimable = z
  .object({
    claim_url: z.url(),
    claim_token: z.string().describe("Shown once"),
    claim_token_expires: z.int(),
    post_claim_scopes: z.array(z.enum(scopes)),
  })
  .meta({ id: "AgentClaimable", examples: [claimableExample] });
const claimable = AgentClaimable.shape;

export const AnonymousRegistered = z
  .strictObject({
    registration_id: z.string(),
    registration_type: z.literal("anonymous"),
    ...credential,
    ...claimable,
  })
  .meta({
    id: "AgentRegisteredAnonymous",
    examples: [
      {
        registration_id: registrationId,
        registration_type: "anonymous",
        ...credentialExample,
        ...claimableExample,
      },
    ],
  });
export type AnonymousRegistered = z.infer<typeof AnonymousRegistered>;

export const ServiceAuthRegistered = z
  .strictObject({
    registration_id: z.string(),
    registration_type: z.literal("service_auth"),
    claim_attempt_id: z.string(),
    otp_expires: z.int(),
    ...claimable,
  })
  .meta({
    id: "AgentRegisteredByUser",
    examples: [
      {
        registration_id: registrationId,
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
    registration_id: z.string(),
    registration_type: z.literal("agent-provider"),
    ...credential,
  })
  .meta({
    id: "AgentRegisteredByProvider",
    examples: [
      {
        registration_id: registrationId,
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
    claim_token: z.string().min(1),
    email: z.string().min(1).describe("The user's address; the code is sent to it"),
  })
  .meta({
    id: "AgentClaimStart",
    examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9", email: "ada@example.com" }],
  });
export type ClaimStart = z.infer<typeof ClaimStart>;

export const ClaimStarted = z
  .strictObject({
    registration_id: z.string(),
    claim_attempt_id: z.string(),
    status: z.literal("initiated"),
    expires_at: z.int().describe("When this attempt expires, Unix seconds"),
    otp_expires: z.int(),
  })
  .meta({
    id: "AgentClaimStarted",
    examples: [
      {
        registration_id: registrationId,
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
    claim_token: z.string().min(1),
    otp: z.string().describe("The code from the email"),
  })
  .meta({
    id: "AgentClaimComplete",
    examples: [{ claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9", otp: "402817" }],
  });
export type ClaimComplete = z.infer<typeof ClaimComplete>;

const AgentClaimed = z
  .strictObject({
    registration_id: z.string(),
    status: z.literal("claimed"),
    scopes: z.array(z.enum(scopes)),
  })
  .meta({
    id: "AgentClaimedAnonymous",
    examples: [
      { registration_id: registrationId, status: "claimed", scopes: ["api.read", "api.write"] },
    ],
  });
const AgentClaimedWithCredential = AgentClaimed.extend(credential).meta({
  id: "AgentClaimedByUser",
  examples: [{ registration_id: registrationId, status: "claimed", ...credentialExample }],
});

export const Claimed = z
  .union([AgentClaimed, AgentClaimedWithCredential])
  .meta({ id: "AgentClaimed" });
export type Claimed = z.infer<typeof Claimed>;

export const Revoked = z
  .strictObject({
    revoked: z.int().describe("Number of credentials revoked"),
  })
  .meta({ id: "AgentRevoked", examples: [{ revoked: 1 }] });
export type Revoked = z.infer<typeof Revoked>;
