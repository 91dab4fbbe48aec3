import * as z from "zod";
import { resourceOf } from "@/lib/identity/authenticate";
import { oauthServer } from "@/lib/identity/oauth/metadata";
import { type Audience, scopes } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { credentialType, ID_JAG_TYPE } from "./contract";
import { REVOCATION_EVENTS } from "./logout-token";
import { enabledFlows } from "./register";

export const ProtectedResource = z
  .object({
    resource: z.url(),
    resource_name: z.string(),
    authorization_servers: z.array(z.url()),
    scopes_supported: z.array(z.enum(scopes)),
    bearer_methods_supported: z.array(z.literal("header")),
    resource_documentation: z.url(),
  })
  .meta({
    id: "ProtectedResource",
    examples: [
      {
        resource: "https://agents.acme.dev/",
        resource_name: "Agent Infrastructure Service",
        authorization_servers: ["https://agents.acme.dev"],
        scopes_supported: ["api.read", "api.write"],
        bearer_methods_supported: ["header"],
        resource_documentation: "https://agents.acme.dev/auth.md",
      },
    ],
  });

const credentials = z.object({ credential_types_supported: z.array(credentialType) }).optional();

export const AuthorizationServer = z
  .object({
    issuer: z.url(),
    resource: z.url(),
    authorization_servers: z.array(z.url()),
    scopes_supported: z.array(z.enum(scopes)),
    bearer_methods_supported: z.array(z.literal("header")),
    service_documentation: z.url(),
    authorization_endpoint: z.url(),
    token_endpoint: z.url(),
    registration_endpoint: z.url(),
    device_authorization_endpoint: z.url(),
    revocation_endpoint: z.url(),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    client_id_metadata_document_supported: z.boolean(),
    authorization_response_iss_parameter_supported: z.boolean(),
    agent_auth: z.object({
      skill: z.url(),
      register_uri: z.url(),
      claim_uri: z.url(),
      claim_complete_uri: z.url(),
      revocation_uri: z.url(),
      identity_types_supported: z.array(z.string()),
      anonymous: credentials,
      identity_assertion: z
        .object({
          assertion_types_supported: z.array(z.string()),
          credential_types_supported: z.array(credentialType),
        })
        .optional(),
      service_auth: credentials,
      events_supported: z.array(z.string()),
    }),
  })
  .meta({
    id: "AuthorizationServer",
    examples: [
      {
        issuer: "https://agents.acme.dev",
        resource: "https://agents.acme.dev/",
        authorization_servers: ["https://agents.acme.dev"],
        scopes_supported: ["api.read", "api.write"],
        bearer_methods_supported: ["header"],
        service_documentation: "https://agents.acme.dev/auth.md",
        ...oauthServer("https://agents.acme.dev"),
        agent_auth: {
          skill: "https://agents.acme.dev/auth.md",
          register_uri: "https://agents.acme.dev/api/agent/auth",
          claim_uri: "https://agents.acme.dev/api/agent/auth/claim",
          claim_complete_uri: "https://agents.acme.dev/api/agent/auth/claim/complete",
          revocation_uri: "https://agents.acme.dev/api/agent/auth/revoke",
          identity_types_supported: ["anonymous"],
          anonymous: { credential_types_supported: ["api_key"] },
          events_supported: REVOCATION_EVENTS,
        },
      },
    ],
  });

/** The metadata of a protected resource (RFC 9728). */
export function protectedResource(audience: Audience): z.infer<typeof ProtectedResource> {
  const { baseUrl } = config();
  return {
    resource: resourceOf(audience),
    resource_name: "Agent Infrastructure Service",
    authorization_servers: [baseUrl],
    scopes_supported: [...scopes],
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}/auth.md`,
  };
}

/** How to sign in and obtain keys, by the enabled flows. Names no trusted providers. */
export function authorizationServer(): z.infer<typeof AuthorizationServer> {
  const { baseUrl } = config();
  const flows = enabledFlows();
  const credential_types_supported = ["access_token" as const, "api_key" as const];
  return {
    issuer: baseUrl,
    resource: `${baseUrl}/`,
    authorization_servers: [baseUrl],
    scopes_supported: [...scopes],
    bearer_methods_supported: ["header"],
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
