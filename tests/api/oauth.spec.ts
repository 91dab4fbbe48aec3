import { expectError, expectStatus } from "../support/expectations";
import { CALLBACK, errorOf, expect, test, tokensOf } from "../support/oauth";

/** Sign-in of clients with OAuth 2.1, from the metadata to the revocation. */

test("A client that knows only a URL signs in, calls, refreshes and signs out", async ({
  oauth,
  api,
  baseUrl,
}) => {
  const refused = await api("GET", "/api/tasks", { key: "svc_oat_unknown" });
  expect(refused.status).toBe(401);
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(
    refused.headers.get("www-authenticate") ?? "",
  )?.[1];
  const get = async (url: string) =>
    JSON.parse((await api("GET", new URL(url).pathname)).text) as Record<string, string>;
  const resource = await get(metadataUrl ?? "");
  const server = await get(
    `${resource.authorization_servers?.[0]}/.well-known/oauth-authorization-server`,
  );
  expect(server.authorization_endpoint).toBe(`${baseUrl}/oauth/authorize`);

  const clientId = await oauth.register();
  const url = await oauth.decide(oauth.request(clientId, { resource: resource.resource }));
  expect(`${url.origin}${url.pathname}`).toBe(CALLBACK);
  expect(url.searchParams.get("state")).toBe("the state");
  expect(url.searchParams.get("iss")).toBe(server.issuer);
  const response = await oauth.exchange(clientId, url.searchParams.get("code") ?? "");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("pragma")).toBe("no-cache");
  const tokens = tokensOf(response);
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^svc_oat_/),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^svc_ort_/),
    scope: "api.read api.write",
  });

  const made = await api("POST", "/api/tasks", { key: tokens.access_token, body: { name: "x" } });
  expectStatus(made, 201);
  expect(made.body.organization_id).toBe(oauth.organization.id);

  const next = tokensOf(await oauth.refresh(clientId, tokens.refresh_token));
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  expectStatus(await api("GET", "/api/tasks", { key: next.access_token }), 200);

  expectStatus(await oauth.post("/oauth/revoke", { token: next.refresh_token }), 200);
  for (const key of [tokens.access_token, next.access_token]) {
    expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
  }
  expect(errorOf(await oauth.refresh(clientId, next.refresh_token))).toBe("invalid_grant");
});
