import { expect, ID_JAG, test } from "../support/agents";
import { challenges, expectStatus } from "../support/expectations";

/** The documents that lead an agent from a 401 to a key. */

test("The authorization-server metadata is complete and exact", async ({ agents }) => {
  const { api, baseUrl } = agents;
  const response = await api("GET", "/.well-known/oauth-authorization-server");
  expectStatus(response, 200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const both = ["access_token", "api_key"];
  expect(response.body).toEqual({
    issuer: baseUrl,
    resource: `${baseUrl}/`,
    authorization_servers: [baseUrl],
    scopes_supported: ["api.read", "api.write"],
    bearer_methods_supported: ["header"],
    service_documentation: `${baseUrl}/auth.md`,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    agent_auth: {
      skill: `${baseUrl}/auth.md`,
      register_uri: `${baseUrl}/api/agent/auth`,
      claim_uri: `${baseUrl}/api/agent/auth/claim`,
      claim_complete_uri: `${baseUrl}/api/agent/auth/claim/complete`,
      revocation_uri: `${baseUrl}/api/agent/auth/revoke`,
      identity_types_supported: ["anonymous", "identity_assertion", "service_auth"],
      anonymous: { credential_types_supported: ["api_key"] },
      identity_assertion: { assertion_types_supported: [ID_JAG], credential_types_supported: both },
      service_auth: { credential_types_supported: both },
      events_supported: [
        "https://schemas.workos.com/events/agent/auth/identity/assertion/revoked",
        "http://schemas.openid.net/event/backchannel-logout",
      ],
    },
  });
});

test("The metadata does not reveal trusted providers", async ({ agents }) => {
  for (const [path, type] of [
    ["/.well-known/oauth-authorization-server", "application/json"],
    ["/auth.md", "text/markdown; charset=utf-8"],
  ] as const) {
    const { text, headers } = await agents.api("GET", path);
    expect(headers.get("content-type")).toBe(type);
    expect(text).not.toContain(agents.provider.iss);
    expect(text).not.toContain("static.example");
    expect(text).not.toMatch(/jwt-bearer|grant_profiles/);
    expect(text).not.toMatch(/undefined|\[object/);
  }
});

test("From a 401 an agent can reach a key by following the responses", async ({ agents }) => {
  const { api, baseUrl } = agents;
  const refused = await api("GET", "/api/tasks", { key: "svc_live_wrong" });
  const [challenge = ""] = refused.headers.all("www-authenticate");
  expect(challenge.startsWith(challenges(baseUrl).credentialNeeded)).toBe(true);
  const get = async (url: string) => JSON.parse((await api("GET", new URL(url).pathname)).text);
  const resource = await get(challenge.match(/resource_metadata="([^"]+)"/)?.[1] ?? "");
  const issuer = resource.authorization_servers[0];
  const server = await get(`${issuer}/.well-known/oauth-authorization-server`);
  expect(server.issuer).toBe(issuer);
  const path = new URL(server.agent_auth.register_uri).pathname;
  const registered = JSON.parse((await api("POST", path, { body: { type: "anonymous" } })).text);
  expectStatus(await api("GET", "/api/tasks", { key: registered.credential }), 200);
});
