import * as z from "zod";

/** Short, because the client exchanges the code as soon as the browser returns. */
export const CODE_SECONDS = 60;

/** How often a program may ask whether the person has typed its code. */
export const POLL_SECONDS = 5;
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const clientId = z.string().describe("The ID of the client.");
const clientName = z.string().describe("The client's name, which people see.");
const redirectUris = z.array(z.string()).describe("Where a person may be sent back to.");
const grantTypes = z.array(z.string()).describe("How the client gets tokens.");
const responseTypes = z.array(z.string()).describe("What an authorization returns.");
const scope = z.string().describe("Scopes, separated by spaces.");
const resource = z.string().describe("What the token is for. Default: `/mcp`.");
const expiresIn = z.int().describe("How many seconds it is valid.");

/** The metadata that a client registers (RFC 7591 §2). Other members are ignored. */
export const ClientMetadata = z
  .looseObject({
    redirect_uris: redirectUris.min(1).max(20),
    client_name: clientName.max(1000).optional(),
    grant_types: grantTypes.max(20).optional(),
    response_types: responseTypes.max(20).optional(),
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
    client_id: clientId,
    client_id_issued_at: z.int().describe("When it was registered, in Unix seconds."),
    client_name: clientName.optional(),
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: responseTypes,
    token_endpoint_auth_method: z.literal("none").describe("Always `none`: it uses PKCE."),
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
      },
    ],
  });
export type RegisteredClient = z.infer<typeof RegisteredClient>;

export const TokenRequest = z
  .looseObject({
    grant_type: z
      .enum(["authorization_code", "refresh_token", DEVICE_GRANT])
      .describe("How the token is requested."),
    client_id: clientId,
    code: z
      .string()
      .optional()
      .describe(`The authorization code. It is valid once, for ${CODE_SECONDS} seconds.`),
    code_verifier: z.string().optional().describe("The PKCE verifier of the code."),
    redirect_uri: z.string().optional().describe("As in the authorization request."),
    refresh_token: z
      .string()
      .optional()
      .describe("The last refresh token. It works once: the response has the next one."),
    device_code: z
      .string()
      .optional()
      .describe("The code of a device. Send it again until the person has decided."),
    scope: z
      .string()
      .optional()
      .describe("With a refresh token, the same scopes or fewer, separated by spaces."),
    resource: z.string().optional().describe("As in the authorization request."),
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
    client_id: z.literal("agent-infra-cli").describe("The only client that may use codes."),
    scope: scope.optional(),
    resource: resource.optional(),
  })
  .meta({ id: "OAuthDeviceRequest", examples: [{ scope: "api.read api.write" }] });

export const DeviceAuthorization = z
  .object({
    device_code: z.string().describe("The code with which the device asks for tokens."),
    user_code: z.string().describe("The code that the person types at `verification_uri`."),
    verification_uri: z.string().describe("The page where the person types the code."),
    verification_uri_complete: z.string().describe("The same page with the code filled in."),
    expires_in: expiresIn,
    interval: z.int().describe("How many seconds to wait between requests for the token."),
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
    access_token: z.string().describe("The token for requests."),
    token_type: z.literal("Bearer").describe("How it is sent, in `Authorization`."),
    expires_in: expiresIn,
    refresh_token: z.string().describe("Gets the next tokens, once."),
    scope,
  })
  .meta({
    id: "OAuthTokens",
    examples: [
      {
        access_token: "svc_oat_…",
        expires_in: 3600,
        refresh_token: "svc_ort_…",
        scope: "api.read api.write",
      },
    ],
  });
export type TokenResponse = z.infer<typeof TokenResponse>;

export const RevocationRequest = z
  .looseObject({
    token: z.string().describe("The access or refresh token to revoke."),
    token_type_hint: z.string().optional().describe("Ignored."),
    client_id: clientId.optional(),
  })
  .meta({
    id: "OAuthRevocation",
    examples: [{ token: "svc_ort_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" }],
  });

/** The error body of RFC 6749 §5.2. */
export const OAuthFailure = z
  .object({
    error: z.string().describe("What went wrong, as a code of the standard."),
    error_description: z.string().describe("What went wrong, in words, which may change."),
  })
  .meta({ id: "OAuthError" });
