import { expectStatus } from "../support/expectations";
import { textOf, unescaped } from "../support/forms";
import type { ApiResponse } from "../support/http";
import { sha256 } from "../support/keys";
import { CALLBACK, expect, type Fields, test, tokensOf } from "../support/oauth";
import { makePerson, openSession } from "../support/people";

/** The authorization endpoint under the attacks of RFC 9700. */

/** The URL of the page's button to the client, if there is one. */
function wayBack(page: ApiResponse): URL | undefined {
  const href = /<a href="([^"]*)"[^>]*>Return to/.exec(page.text)?.[1];
  return href === undefined ? undefined : new URL(unescaped(href));
}

function expectPage(page: ApiResponse) {
  expectStatus(page, 200);
  expect(page.headers.get("location")).toBeNull();
  expect(page.text).not.toContain('http-equiv="refresh"');
}

const HTTPS = "https://client.example/callback";

test("A request that cannot be returned to its client is shown, without a link to continue", async ({
  oauth,
}) => {
  const clientId = await oauth.register([CALLBACK, HTTPS, "com.example.app:/callback"]);
  const cases: [Fields, string][] = [
    [{ client_id: undefined }, "client_id is missing"],
    [{ client_id: "" }, "client_id is missing"],
    [{ client_id: [clientId, clientId] }, "client_id is repeated"],
    [{ client_id: "oac_0000000000000000000000000" }, "No client has this client_id"],
    [{ client_id: "oac_\0" }, "No client has this client_id"],
    [{ client_id: "x".repeat(2001) }, "client_id has more than 2000 characters"],
    [{ redirect_uri: undefined }, "redirect_uri is missing"],
    [{ redirect_uri: [CALLBACK, HTTPS] }, "redirect_uri is repeated"],
    [{ redirect_uri: [CALLBACK, "https://evil.example/"] }, "redirect_uri is repeated"],
    [{ state: "x".repeat(6000) }, "The request is too long"],
  ];
  for (const [changes, problem] of cases) {
    const page = await oauth.open(oauth.request(clientId, changes));
    expectPage(page);
    expect(textOf(page.text)).toContain(problem);
    expect(wayBack(page)).toBeUndefined();
    expect(page.text).not.toContain('name="decision"');
  }
});

test("A redirect URI that only resembles the registered one is not accepted", async ({ oauth }) => {
  const clientId = await oauth.register([CALLBACK, HTTPS]);
  for (const redirect_uri of [
    "https://client.example/callback/extra",
    "https://client.example@evil.example/callback",
    "https://client.example\\.evil.example/callback",
    "HTTPS://client.example/callback",
    "http://127.0.0.1.evil.example/callback",
    "https://client.example/callback\u0000",
  ]) {
    const page = await oauth.open(oauth.request(clientId, { redirect_uri }));
    expectPage(page);
    expect(textOf(page.text), redirect_uri).toContain("not one that the client has registered");
    expect(wayBack(page)).toBeUndefined();
  }
});

test("A client's URL on our own host is refused, with any port and with a dot at its end", async ({
  oauth,
}) => {
  for (const host of ["localhost", "localhost:8443", "localhost.", "localhost.:8443"]) {
    const page = await oauth.open(oauth.request(`https://${host}/client`));
    expectPage(page);
    expect(textOf(page.text), host).toContain("must not be on this host");
  }
});

test("On loopback any port is the client's", async ({ oauth }) => {
  const registered = [CALLBACK, "http://localhost:3999/done?from=us", "http://[::1]/x"];
  const clientId = await oauth.register(registered);
  for (const redirect_uri of [
    "http://127.0.0.1:49152/callback",
    "http://localhost/done?from=us",
    "http://[::1]:8/x",
  ]) {
    const url = await oauth.decide(oauth.request(clientId, { redirect_uri }));
    expect(url.href.startsWith(redirect_uri)).toBe(true);
    const code = url.searchParams.get("code") ?? "";
    tokensOf(await oauth.exchange(clientId, code, { redirect_uri }));
  }
});

test("A wrong request goes back to its client by a click only, with state and issuer", async ({
  oauth,
  baseUrl,
}) => {
  const clientId = await oauth.register();
  const cases: [Fields, string][] = [
    [{ response_type: undefined }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: "code id_token" }, "unsupported_response_type"],
    [{ response_type: ["code", "code"] }, "invalid_request"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "s256" }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge: `${"a".repeat(42)}=` }, "invalid_request"],
    [{ code_challenge: "a".repeat(2001) }, "invalid_request"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ resource: `${baseUrl}/mcp#x` }, "invalid_target"],
    [{ resource: `${baseUrl}.evil.example/mcp` }, "invalid_target"],
    [{ resource: [`${baseUrl}/mcp`, `${baseUrl}/`] }, "invalid_target"],
    [{ resource: [`${baseUrl}/mcp`, "https://other.example/mcp"] }, "invalid_target"],
    [{ resource: `${baseUrl}/mcp?x#y` }, "invalid_target"],
    [{ scope: "admin" }, "invalid_scope"],
    [{ scope: "api.read\u00a0api.write" }, "invalid_scope"],
    [{ scope: ["api.read", "api.write"] }, "invalid_request"],
  ];
  for (const [changes, error] of cases) {
    const page = await oauth.open(oauth.request(clientId, changes));
    expectPage(page);
    const back = wayBack(page);
    expect(back?.href.startsWith(`${CALLBACK}?`), JSON.stringify(changes)).toBe(true);
    const { error_description, ...given } = Object.fromEntries(back?.searchParams ?? []);
    expect(given).toEqual({ error, state: "the state", iss: baseUrl });
    expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  }
  const repeated = await oauth.open(oauth.request(clientId, { state: ["one", "two"] }));
  expect(wayBack(repeated)?.searchParams.get("error")).toBe("invalid_request");
  expect(wayBack(repeated)?.searchParams.has("state")).toBe(false);
});

test("Unknown parameters are ignored, and so are unknown scopes beside known ones", async ({
  oauth,
}) => {
  const clientId = await oauth.register();
  const changes = { prompt: ["consent", "login"], scope: "openid api.read offline_access" };
  expect((await oauth.signIn(clientId, changes)).scope).toBe("api.read");
});

test("/mcp is the same resource with any query, and may be named more than once", async ({
  oauth,
  baseUrl,
}) => {
  const clientId = await oauth.register();
  const mcp = `${baseUrl}/mcp`;
  const several = [mcp, mcp, `${mcp}?sign_in=true`];
  for (const resource of [`${mcp}?sign_in=true`, several]) {
    const code = await oauth.code(clientId, { resource });
    const { access_token } = tokensOf(await oauth.exchange(clientId, code, { resource }));
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const path of ["/mcp", "/mcp?sign_in=true"]) {
      expectStatus(await oauth.api("POST", path, { key: access_token, body: ping }), 200);
    }
  }
});

test("A signed-out person signs in first and returns to the same request", async ({ oauth }) => {
  const clientId = await oauth.register();
  const parameters = oauth.request(clientId, { state: "a&b=c %2f + é" });
  const page = await oauth.open(parameters, null);
  expectStatus(page, 307);
  const location = new URL(page.headers.need("location"), oauth.baseUrl);
  expect(location.pathname).toBe("/sign-in");
  const next = new URL(location.searchParams.get("next") ?? "", oauth.baseUrl);
  expect(next.origin + next.pathname).toBe(`${oauth.baseUrl}/oauth/authorize`);
  expect(Object.fromEntries(next.searchParams)).toEqual(parameters);
  // Nothing is fetched or looked up for strangers, and nothing is revealed.
  const unknown = await oauth.open(oauth.request("https://127.0.0.1:9/client"), null);
  expectStatus(unknown, 307);
});

test("Denying returns access_denied, with state and issuer, and no code", async ({
  oauth,
  baseUrl,
}) => {
  const clientId = await oauth.register([HTTPS]);
  const url = await oauth.decide(
    oauth.request(clientId, { redirect_uri: HTTPS, state: "<&\"'>" }),
    { decision: "deny" },
  );
  const { error_description: _, ...given } = Object.fromEntries(url.searchParams);
  expect(`${url.origin}${url.pathname}`).toBe(HTTPS);
  expect(given).toEqual({ error: "access_denied", state: "<&\"'>", iss: baseUrl });
});

test("A form without a decision denies", async ({ oauth }) => {
  const clientId = await oauth.register();
  const url = await oauth.decide(oauth.request(clientId), { decision: "" });
  expect(url.searchParams.get("error")).toBe("access_denied");
});

test("The person may grant less than the client asks for, and never more", async ({ oauth }) => {
  const clientId = await oauth.register();
  const asked = "api.read api.write";
  expect((await oauth.signIn(clientId, { scope: asked })).scope).toBe(asked);
  expect((await oauth.signIn(clientId, {})).scope).toBe(asked);
  expect((await oauth.signIn(clientId, { scope: asked }, { access: "read" })).scope).toBe(
    "api.read",
  );
  const reading = await oauth.signIn(clientId, { scope: "api.read" }, { access: "write" });
  expect(reading.scope).toBe("api.read");
});

test("A grant is made only by the person whom the page names, for an organization of theirs", async ({
  oauth,
  otherOrganization,
  db,
}) => {
  const clientId = await oauth.register();
  const parameters = oauth.request(clientId);
  for (const organization of [otherOrganization.id, "org_none", ""]) {
    const response = await oauth.submit(parameters, { organization });
    expect(textOf(response.body)).toContain("You are not a member of this organization.");
    expect(response.body).not.toContain("svc_oac_");
  }
  // Somebody else has signed in since the page was opened.
  const other = await makePerson(db, oauth.organization.id);
  const cookie = `session=${await openSession(db, other.id)}`;
  const response = await oauth.submit(parameters, {}, { cookie });
  expect(textOf(response.body)).toContain("This page belongs to another organization or account");
  await db.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'member')", [
    otherOrganization.id,
    oauth.person.id,
  ]);
  // The organization that the person has selected elsewhere does not matter: the form names its own.
  const token = await openSession(db, oauth.person.id);
  await db.query("UPDATE sessions SET organization_id = $1 WHERE digest = $2", [
    otherOrganization.id,
    sha256(token),
  ]);
  const moved = await oauth.submit(parameters, {}, { cookie: `session=${token}` });
  expect(moved.body).toContain('http-equiv="refresh"');
  const { access_token } = await oauth.signIn(clientId, {}, { organization: otherOrganization.id });
  const { body } = await oauth.api("GET", "/api/me", { key: access_token });
  expect(body.organization_id).toBe(otherOrganization.id);
});

test("A request changed between page and form is checked again", async ({ oauth }) => {
  const clientId = await oauth.register();
  for (const changes of [
    { redirect_uri: "https://evil.example/" },
    { client_id: "oac_none" },
    { code_challenge: undefined },
    { resource: "https://other.example/" },
  ]) {
    const pairs = Object.entries(oauth.request(clientId, changes)).filter(([, value]) => value);
    const request = String(new URLSearchParams(pairs as [string, string][]));
    const response = await oauth.submit(oauth.request(clientId), { request });
    expect(response.body).not.toContain("svc_oac_");
    expect(response.body).not.toContain('http-equiv="refresh"');
  }
});

test("A session opened with an API key cannot let a client in", async ({ oauth, api, db }) => {
  const clientId = await oauth.register();
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM api_keys WHERE organization_id = $1 LIMIT 1",
    [oauth.organization.id],
  );
  const person = await makePerson(db, oauth.organization.id);
  const session = await openSession(db, person.id);
  await db.query("UPDATE sessions SET user_id = NULL, key_id = $1 WHERE user_id = $2", [
    rows[0]?.id,
    person.id,
  ]);
  const page = await oauth.open(oauth.request(clientId), session);
  expectStatus(page, 200);
  expect(textOf(page.text)).toContain("Sign in with your email address");
  expect(page.text).not.toContain('name="decision"');
  // The form of a person's page does not work for it either.
  const response = await oauth.submit(
    oauth.request(clientId),
    {},
    { cookie: `session=${session}` },
  );
  expect(response.body).not.toContain("svc_oac_");
  expectStatus(await api("GET", "/api/health"), 200);
});

test("The page cannot be framed or cached, and shows names as text", async ({ oauth }) => {
  const name = "<img src=x onerror=alert(1)>\u202egnihsihp\u0000\n Claude";
  const clientId = await oauth.register([HTTPS], name);
  const page = await oauth.open(oauth.request(clientId, { redirect_uri: HTTPS }));
  expectStatus(page, 200);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  expect(page.headers.get("cache-control")).toContain("no-store");
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
  expect(page.text).not.toContain("<img src=x");
  expect(page.text).not.toContain("\u202e");
  const text = textOf(page.text);
  expect(text).toContain("client.example – not verified");
  expect(text).toContain(oauth.person.email);
});
