import * as z from "zod";
import { DEVICE_GRANT } from "@/lib/identity/oauth/contract";
import { scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { resourceOf, type Wanted } from "@/lib/platform/http/challenge";
import { credentialType, ID_JAG_TYPE } from "./contract";
import { REVOCATION_EVENTS } from "./logout-token";
import { enabledFlows } from "./register";

const EXAMPLE_URL = "https://agents.acme.dev";

export const ProtectedResource = z
  .object({
    resource: z.url().describe("What the access tokens are for."),
    resource_name: z.string().describe("The service's name, for people."),
    authorization_servers: z.array(z.url()).describe("Who issues its access tokens."),
    scopes_supported: z.array(z.enum(scopes)).describe("What a token may permit."),
    bearer_methods_supported: z.array(z.literal("header")).describe("How a token is sent."),
    resource_documentation: z.url().describe("How an agent gets a key."),
  })
  .meta({
    id: "ProtectedResource",
    examples: [protectedResourceAt(EXAMPLE_URL, {})],
  });

const credential_types_supported = z
  .array(credentialType)
  .describe("The credentials that this way of registering can issue.");
const credentials = z
  .object({ credential_types_supported })
  .optional()
  .describe("The credentials that it issues. Absent if this method is disabled.");

const { resource, authorization_servers, scopes_supported, bearer_methods_supported } =
  ProtectedResource.shape;

export const AuthorizationServer = z
  .object({
    issuer: z.url().describe("The `iss` of authorization responses, this server."),
    resource,
    authorization_servers,
    scopes_supported,
    bearer_methods_supported,
    service_documentation: z.url().describe("How an agent gets a key."),
    authorization_endpoint: z.url().describe("The page where a person signs a client in."),
    token_endpoint: z.url().describe("Where a client gets and renews its tokens."),
    registration_endpoint: z.url().describe("Where a client registers (RFC 7591)."),
    device_authorization_endpoint: z.url().describe("Where a device gets its codes (RFC 8628)."),
    revocation_endpoint: z.url().describe("Where a client revokes a token (RFC 7009)."),
    response_types_supported: z.array(z.string()).describe("The `response_type` values."),
    response_modes_supported: z.array(z.string()).describe("The `response_mode` values."),
    grant_types_supported: z.array(z.string()).describe("The `grant_type` values."),
    code_challenge_methods_supported: z.array(z.string()).describe("The methods of PKCE."),
    token_endpoint_auth_methods_supported: z
      .array(z.string())
      .describe("How a client authenticates for a token: not at all, since it uses PKCE."),
    revocation_endpoint_auth_methods_supported: z
      .array(z.string())
      .describe("How a client authenticates to revoke a token: not at all."),
    client_id_metadata_document_supported: z
      .boolean()
      .describe("Whether a `client_id` may be the URL of the client's metadata."),
    authorization_response_iss_parameter_supported: z
      .boolean()
      .describe("Whether authorization responses have `iss` (RFC 9207)."),
    agent_auth: z
      .object({
        skill: z.url().describe("How an agent registers, as a document for it to read."),
        register_uri: z.url().describe("Where an agent registers."),
        claim_uri: z.url().describe("Where an agent begins the claim of its registration."),
        claim_complete_uri: z.url().describe("Where an agent completes that claim, with the code."),
        revocation_uri: z.url().describe("Where a provider revokes its users' credentials."),
        identity_types_supported: z.array(z.string()).describe("The ways of registering."),
        anonymous: credentials,
        identity_assertion: z
          .object({
            assertion_types_supported: z.array(z.string()).describe("The kinds of assertions."),
            credential_types_supported,
          })
          .optional()
          .describe("The assertions and credentials of this method. Absent if it is disabled."),
        service_auth: credentials,
        events_supported: z.array(z.string()).describe("The security events of revocations."),
      })
      .describe("How agents get credentials without a person's browser."),
  })
  .meta({
    id: "AuthorizationServer",
    examples: [
      authorizationServerAt(EXAMPLE_URL, {
        anonymous: true,
        identity_assertion: false,
        service_auth: false,
      }),
    ],
  });

/** The metadata of a protected resource (RFC 9728). */
export function protectedResource(wanted: Wanted): z.infer<typeof ProtectedResource> {
  return protectedResourceAt(config().baseUrl, wanted);
}

function protectedResourceAt(baseUrl: string, wanted: Wanted) {
  return {
    resource: resourceOf(wanted, baseUrl),
    resource_name: "Agent Infrastructure Service",
    authorization_servers: [baseUrl],
    scopes_supported: [...scopes],
    bearer_methods_supported: ["header" as const],
    resource_documentation: `${baseUrl}/auth.md`,
  };
}

/** How to sign in and obtain keys, by the enabled flows. Names no trusted providers. */
export function authorizationServer(): z.infer<typeof AuthorizationServer> {
  return authorizationServerAt(config().baseUrl, enabledFlows());
}

function authorizationServerAt(baseUrl: string, flows: ReturnType<typeof enabledFlows>) {
  const credential_types_supported = ["access_token" as const, "api_key" as const];
  return {
    issuer: baseUrl,
    resource: `${baseUrl}/`,
    authorization_servers: [baseUrl],
    scopes_supported: [...scopes],
    bearer_methods_supported: ["header" as const],
    service_documentation: `${baseUrl}/auth.md`,
    ...oauthServer(baseUrl),
    agent_auth: {
      skill: `${baseUrl}/auth.md`,
      register_uri: `${baseUrl}/api/agent/auth`,
      claim_uri: `${baseUrl}/api/agent/auth/claim`,
      claim_complete_uri: `${baseUrl}/api/agent/auth/claim/complete`,
      revocation_uri: `${baseUrl}/api/agent/auth/revoke`,
      identity_types_supported: Object.entries(flows).flatMap(([type, on]) => (on ? [type] : [])),
      ...(flows.anonymous && { anonymous: { credential_types_supported: ["api_key" as const] } }),
      ...(flows.identity_assertion && {
        identity_assertion: {
          assertion_types_supported: [ID_JAG_TYPE],
          credential_types_supported,
        },
      }),
      ...(flows.service_auth && { service_auth: { credential_types_supported } }),
      events_supported: REVOCATION_EVENTS,
    },
  };
}

/** The OAuth members of the authorization-server metadata (RFC 8414). */
function oauthServer(baseUrl: string) {
  return {
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}
