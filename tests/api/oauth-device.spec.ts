import { digestOf } from "@/lib/identity/keys/key-format";
import { challenges, expectStatus } from "../support/expectations";
import type { Api } from "../support/http";
import { whileLocked } from "../support/locks";
import { expect, type Fields, type OAuth, test } from "../support/oauth";

/** Signing the command line in on a machine without a browser (RFC 8628). */

const CLIENT = "agent-infra-cli";

async function begin(oauth: OAuth) {
  const response = await oauth.post("/oauth/device_authorization", {
    client_id: CLIENT,
    resource: `${oauth.baseUrl}/`,
  });
  expectStatus(response, 200);
  return JSON.parse(response.text);
}

async function poll(oauth: OAuth, device_code: string, changes: Fields = {}) {
  const response = await oauth.post("/oauth/token", {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    client_id: CLIENT,
    device_code,
    ...changes,
  });
  return { status: response.status, ...JSON.parse(response.text) };
}

function page(api: Api, oauth: OAuth, user_code: string) {
  const headers = { cookie: `session=${oauth.session}` };
  return api("GET", "/oauth/device", { query: { user_code }, headers });
}

test("A person's code connects the program once, with the access that they chose", async ({
  api,
  oauth,
  organization,
}) => {
  const metadata = await api("GET", "/.well-known/oauth-authorization-server");
  const begun = await begin(oauth);
  expect(JSON.parse(metadata.text)).toMatchObject({
    device_authorization_endpoint: `${oauth.baseUrl}/oauth/device_authorization`,
    grant_types_supported: expect.arrayContaining(["urn:ietf:params:oauth:grant-type:device_code"]),
  });
  expect(begun).toMatchObject({
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${oauth.baseUrl}/oauth/device`,
    expires_in: 900,
    interval: 5,
  });
  const { device_code, user_code } = begun;
  expect(await poll(oauth, device_code)).toMatchObject({
    status: 400,
    error: "authorization_pending",
  });
  const typed = ` ${user_code.toLowerCase().replace("-", " ")} `;
  const decided = await oauth.decideDevice(typed, { access: "read" });
  expect(decided).toMatchObject({
    status: 303,
    headers: { location: "/oauth/device?done=allowed" },
  });
  const again = await page(api, oauth, user_code);
  expect(again.text, "a decided code has no form").toContain("No terminal is waiting for");

  const tokens = await Promise.all([poll(oauth, device_code), poll(oauth, device_code)]);
  expect(tokens.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(tokens.find(({ status }) => status === 400)).toMatchObject({ error: "invalid_grant" });
  const [granted] = tokens.filter(({ status }) => status === 200);
  expect(granted).toMatchObject({ scope: "api.read", token_type: "Bearer" });
  const me = await api("GET", "/api/me", { key: granted.access_token });
  expect(me.body).toMatchObject({ kind: "access_token", organization_id: organization.id });
});

test("A refusal, a late code and a wrong client get no tokens", async ({ db, oauth }) => {
  const refused = await begin(oauth);
  const { headers } = await oauth.decideDevice(refused.user_code, { decision: "deny" });
  expect(headers.location).toBe("/oauth/device?done=denied");
  expect(await poll(oauth, refused.device_code)).toMatchObject({ error: "access_denied" });

  const late = await begin(oauth);
  await db.query("UPDATE oauth_device_codes SET expires_at = unix_now() WHERE digest = $1", [
    digestOf(late.device_code),
  ]);
  expect(await poll(oauth, late.device_code)).toMatchObject({ error: "expired_token" });

  const { device_code } = await begin(oauth);
  const wrong: [Fields, string][] = [
    [{ client_id: await oauth.register() }, "invalid_grant"],
    [{ device_code: `${device_code}0` }, "invalid_grant"],
    [{ device_code: undefined }, "invalid_request"],
  ];
  for (const [changes, error] of wrong) {
    expect.soft(await poll(oauth, device_code, changes)).toMatchObject({ error });
  }
  const registered = await oauth.post("/oauth/device_authorization", {
    client_id: await oauth.register(),
  });
  expectStatus(registered, 401);
  expect(JSON.parse(registered.text)).toMatchObject({ error: "invalid_client" });
  expect(registered.headers.all("www-authenticate")).toEqual([
    challenges(oauth.baseUrl).credentialNeeded,
  ]);
  const scope = await oauth.post("/oauth/device_authorization", {
    client_id: CLIENT,
    scope: "all",
  });
  expect(JSON.parse(scope.text)).toMatchObject({ error: "invalid_scope" });
});

test("A person who left the organization since has no tokens", async ({ db, oauth }) => {
  const { device_code, user_code } = await begin(oauth);
  await oauth.decideDevice(user_code);
  await db.query("DELETE FROM members WHERE user_id = $1", [oauth.person.id]);
  expect(await poll(oauth, device_code)).toMatchObject({ error: "invalid_grant" });
});

test("A program that asks too often is told so, and its code stays good", async ({ db, oauth }) => {
  const { device_code, user_code } = await begin(oauth);
  expect(await poll(oauth, device_code)).toMatchObject({ error: "authorization_pending" });
  expect(await poll(oauth, device_code)).toMatchObject({ status: 400, error: "slow_down" });
  await db.query("UPDATE oauth_device_codes SET polled_at = unix_now() - 5 WHERE digest = $1", [
    digestOf(device_code),
  ]);
  expect(await poll(oauth, device_code)).toMatchObject({ error: "authorization_pending" });
  await oauth.decideDevice(user_code);
  expect(await poll(oauth, device_code)).toMatchObject({ status: 200 });
});

test("The page says who asks, cannot be framed, and takes no form of another site", async ({
  api,
  db,
  oauth,
}) => {
  const { device_code, user_code } = await begin(oauth);
  const { rows } = await db.query<{ ip: string }>(
    "SELECT * FROM oauth_device_codes WHERE digest = $1",
    [digestOf(device_code)],
  );
  expect(JSON.stringify(rows), "only digests are stored").not.toContain(device_code);
  const { status, text, headers } = await page(api, oauth, user_code);
  expect(status).toBe(200);
  expect(text).toContain(`>${user_code}<`);
  expect(text).toContain(rows[0]?.ip);
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("cache-control")).toContain("no-store");
  const foreign = await oauth.decideDevice(user_code, {}, { origin: "https://evil.example" });
  expect(foreign.headers.location).toBeUndefined();
  expect(await poll(oauth, device_code)).toMatchObject({ error: "authorization_pending" });
});

test("Tokens from a device code end with the revocation of their grant", async ({ api, oauth }) => {
  const { device_code, user_code } = await begin(oauth);
  await oauth.decideDevice(user_code);
  const { access_token, refresh_token } = await poll(oauth, device_code);
  expect((await api("GET", "/api/tasks", { key: access_token })).status).toBe(200);
  await oauth.post("/oauth/revoke", { client_id: CLIENT, token: refresh_token });
  expect((await api("GET", "/api/tasks", { key: access_token })).status).toBe(401);
});

test("What a person has allowed ends with their membership, and does not come back with it", async ({
  oauth,
  db,
}) => {
  const { device_code, user_code } = await begin(oauth);
  await oauth.decideDevice(user_code);
  const member = [oauth.organization.id, oauth.person.id];
  await db.query("DELETE FROM members WHERE organization_id = $1 AND user_id = $2", member);
  await db.query("INSERT INTO members VALUES ($1, $2, 'owner')", member);
  expect(await poll(oauth, device_code)).toMatchObject({ status: 400, error: "invalid_grant" });
});

test("Of two decisions at once, the first one counts", async ({ oauth, db }) => {
  const { device_code, user_code } = await begin(oauth);
  const device = { table: "oauth_device_codes", key: "digest", id: digestOf(device_code) };
  const decided = await whileLocked(
    db,
    device,
    () => oauth.decideDevice(user_code),
    () => oauth.decideDevice(user_code, { decision: "deny" }),
  );
  const places = decided.flatMap(({ headers }) => headers.location ?? []);
  expect(places).toHaveLength(1);
  const outcome = await poll(oauth, device_code);
  expect(outcome.error).toBe(places[0]?.endsWith("allowed") ? undefined : "access_denied");
});
