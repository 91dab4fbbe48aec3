import * as z from "zod";

/** Short, because the client exchanges the code as soon as the browser returns. */
export const CODE_SECONDS = 60;

/** How often a program may ask whether the person has typed its code. */
export const POLL_SECONDS = 5;
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The metadata that a client registers (RFC 7591 §2). Other members are ignored. */
export const ClientMetadata = z
  .looseObject({
    redirect_uris: z.array(z.string()).min(1).max(20),
    client_name: z.string().max(1000).optional(),
    grant_types: z.array(z.string()).max(20).optional(),
    response_types: z.array(z.string()).max(20).optional(),
    token_endpoint_auth_method: z
      .string()
      .optional()
      .describe("Ignored: every client is public, and uses PKCE instead of a secret."),
  })
  .meta({
    id: "OAuthClientMetadata",
    examples: [{ client_name: "Editor", redirect_uris: ["http://127.0.0.1/callback"] }],
  });
export type ClientMetadata = z.infer<typeof ClientMetadata>;

export const RegisteredClient = z
  .object({
    client_id: z.string(),
    client_id_issued_at: z.int(),
    client_name: z.string().optional(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal("none"),
  })
  .meta({
    id: "OAuthClient",
    examples: [
      {
        client_id: "oac_034gLHnnT5MH2Sbz6VPrmYvR1q",
        client_id_issued_at: 1_767_225_600,
        client_name: "Editor",
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ],
  });
export type RegisteredClient = z.infer<typeof RegisteredClient>;

export const TokenRequest = z
  .looseObject({
    grant_type: z.enum(["authorization_code", "refresh_token", DEVICE_GRANT]),
    client_id: z.string(),
    code: z.string().optional().describe(`Valid for ${CODE_SECONDS} seconds, once`),
    code_verifier: z.string().optional(),
    redirect_uri: z.string().optional().describe("Must be that of the authorization request"),
    refresh_token: z.string().optional().describe("Used once: the response has the next one"),
    device_code: z.string().optional().describe("Asked for until the person has decided"),
    scope: z.string().optional().describe("With a refresh token: the same scopes or fewer"),
    resource: z.string().optional().describe("Must be that of the authorization request"),
  })
  .meta({
    id: "OAuthTokenRequest",
    examples: [
      {
        grant_type: "refresh_token",
        client_id: "oac_034gLHnnT5MH2Sbz6VPrmYvR1q",
        refresh_token: "svc_ort_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9",
      },
    ],
  });

export const DeviceRequest = z
  .looseObject({
    client_id: z.literal("agent-infra-cli"),
    scope: z.string().optional(),
    resource: z.string().optional(),
  })
  .meta({
    id: "OAuthDeviceRequest",
    examples: [{ client_id: "agent-infra-cli", scope: "api.read api.write" }],
  });

export const DeviceAuthorization = z
  .object({
    device_code: z.string(),
    user_code: z.string().describe("What the person types at `verification_uri`"),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int().describe("Seconds"),
    interval: z.int().describe("Seconds between requests to the token endpoint"),
  })
  .meta({
    id: "OAuthDeviceAuthorization",
    examples: [
      {
        device_code: "svc_odc_…",
        user_code: "WDJB-MJHT",
        verification_uri: "https://agents.acme.dev/oauth/device",
        verification_uri_complete: "https://agents.acme.dev/oauth/device?user_code=WDJB-MJHT",
        expires_in: 900,
        interval: 5,
      },
    ],
  });
export type DeviceAuthorization = z.infer<typeof DeviceAuthorization>;

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Seconds"),
    refresh_token: z.string(),
    scope: z.string(),
  })
  .meta({
    id: "OAuthTokens",
    examples: [
      {
        access_token: "svc_oat_…",
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: "svc_ort_…",
        scope: "api.read api.write",
      },
    ],
  });
export type TokenResponse = z.infer<typeof TokenResponse>;

export const RevocationRequest = z
  .looseObject({
    token: z.string().describe("An access or refresh token"),
    token_type_hint: z.string().optional().describe("Ignored"),
    client_id: z.string().optional(),
  })
  .meta({
    id: "OAuthRevocation",
    examples: [{ token: "svc_ort_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }],
  });

/** The error body of RFC 6749 §5.2. */
export const OAuthFailure = z
  .object({
    error: z.string(),
    error_description: z.string(),
  })
  .meta({ id: "OAuthError" });
