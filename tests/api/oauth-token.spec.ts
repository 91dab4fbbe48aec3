import { challenges, expectError, expectStatus } from "../support/expectations";
import { formOf } from "../support/forms";
import { sha256 } from "../support/keys";
import { whileLocked, whileUncommitted } from "../support/locks";
import {
  CALLBACK,
  errorOf,
  expect,
  type Fields,
  type Tokens,
  test,
  tokensOf,
} from "../support/oauth";
import { cookieOf, makePerson } from "../support/people";

/** The token endpoint: what a stolen, changed or repeated code or refresh token gets. */

test("A code comes back with state and issuer, and is exchanged for a token of an hour", async ({
  oauth,
}) => {
  const clientId = await oauth.register();
  const url = await oauth.decide(oauth.request(clientId));
  const { code = "", ...rest } = Object.fromEntries(url.searchParams);
  expect(`${url.origin}${url.pathname}`).toBe(CALLBACK);
  expect(rest).toEqual({ state: "the state", iss: oauth.baseUrl });
  const response = await oauth.exchange(clientId, code);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("pragma")).toBe("no-cache");
  expect(tokensOf(response)).toEqual({
    access_token: expect.stringMatching(/^svc_oat_/),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^svc_ort_/),
    scope: "api.read api.write",
  });
});

test("An access token ends at its expires_at", async ({ oauth, api, db }) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId, { resource: `${oauth.baseUrl}/` });
  const { access_token: key } = tokensOf(await oauth.exchange(clientId, code));
  expectStatus(await api("GET", "/api/tasks", { key }), 200);
  await db.query("UPDATE oauth_access_tokens SET expires_at = unix_now() WHERE digest = $1", [
    sha256(key),
  ]);
  expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
});

test("A batch that outlives its access token stops there", async ({ oauth, api, db }) => {
  const clientId = await oauth.register();
  const { access_token: key } = await oauth.signIn(clientId);
  const create = (name: string) => ({ method: "POST", path: "/api/tasks", body: { name } });
  const { id } = (await api("POST", "/api/tasks", { key, body: { name: "Held" } })).body;
  const held = { method: "DELETE", path: `/api/tasks/${id}` };
  const body = { operations: [create("One"), held, create("Two")] };
  const send = () => api("POST", "/api/batch", { key, body });
  const { rows } = await db.query<{ expires_at: number }>(
    `UPDATE oauth_access_tokens SET expires_at = unix_now() + 4 WHERE digest = $1
     RETURNING expires_at`,
    [sha256(key)],
  );
  const isOver = () => db.query("SELECT WHERE unix_now() >= $1", [rows[0]?.expires_at]);
  // A statement waits for a lock for 6 seconds.
  const passed = () =>
    expect.poll(async () => (await isOver()).rowCount, { intervals: [50] }).toBe(1);
  const [stopped] = await whileLocked(db, { table: "tasks", id }, send, passed);
  const ended = { status: 401, error: { code: "invalid_api_key" } };
  expect(JSON.parse(stopped.text).data).toMatchObject([{ status: 201 }, { status: 204 }, ended]);
  expect(stopped.headers.get("retry-after")).toBeNull();
});

test("A code works once: its replay revokes the tokens it was exchanged for", async ({
  oauth,
  api,
}) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId, { resource: `${oauth.baseUrl}/` });
  const tokens = tokensOf(await oauth.exchange(clientId, code));
  expectStatus(await api("GET", "/api/tasks", { key: tokens.access_token }), 200);
  const replay = await oauth.exchange(clientId, code);
  expectStatus(replay, 400);
  expect(errorOf(replay)).toBe("invalid_grant");
  expectError(await api("GET", "/api/tasks", { key: tokens.access_token }), 401, "invalid_api_key");
  expect(errorOf(await oauth.refresh(clientId, tokens.refresh_token))).toBe("invalid_grant");
});

test("A code that others have seen is useless to them, and its client is not affected", async ({
  oauth,
  api,
}) => {
  const clientId = await oauth.register();
  const other = await oauth.register();
  const code = await oauth.code(clientId, { resource: `${oauth.baseUrl}/` });
  const attempts: [Fields, string][] = [
    [{ client_id: other }, "invalid_grant"],
    [{ client_id: "agent-infra-cli" }, "invalid_grant"],
    [{ client_id: undefined }, "invalid_request"],
    [{ code_verifier: "a".repeat(43) }, "invalid_grant"],
    [{ code_verifier: undefined }, "invalid_request"],
    [{ code_verifier: "" }, "invalid_request"],
    [{ code_verifier: "short" }, "invalid_request"],
    [{ code_verifier: "é".repeat(43) }, "invalid_request"],
    [{ redirect_uri: "http://127.0.0.1:1/callback" }, "invalid_grant"],
    [{ redirect_uri: "https://evil.example/" }, "invalid_grant"],
    [{ resource: `${oauth.baseUrl}/mcp` }, "invalid_target"],
    [{ resource: "https://other.example/" }, "invalid_target"],
    [{ code: `${code.slice(0, -1)}!` }, "invalid_grant"],
    [{ code: undefined }, "invalid_request"],
    [{ code: "\0" }, "invalid_grant"],
  ];
  for (const [changes, error] of attempts) {
    const response = await oauth.exchange(clientId, code, changes);
    expectStatus(response, 400);
    expect(errorOf(response), JSON.stringify(changes)).toBe(error);
  }
  const { access_token } = tokensOf(await oauth.exchange(clientId, code));
  for (const changes of [{ client_id: other }, { code_verifier: "b".repeat(43) }]) {
    expect(errorOf(await oauth.exchange(clientId, code, changes))).toBe("invalid_grant");
  }
  expectStatus(await api("GET", "/api/tasks", { key: access_token }), 200);
});

test("A code is exchanged without redirect_uri and with the resource it was issued for", async ({
  oauth,
}) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId);
  const resource = `${oauth.baseUrl}/mcp/`;
  tokensOf(await oauth.exchange(clientId, code, { redirect_uri: undefined, resource }));
});

test("A code expires after 60 seconds", async ({ oauth, db }) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId);
  const { rows } = await db.query<{ seconds: number }>(
    "SELECT (expires_at - unix_now())::int AS seconds FROM oauth_codes WHERE client_id = $1",
    [clientId],
  );
  expect(rows[0]?.seconds).toBeGreaterThan(30);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
  await db.query("UPDATE oauth_codes SET expires_at = unix_now() WHERE client_id = $1", [clientId]);
  expect(errorOf(await oauth.exchange(clientId, code))).toBe("invalid_grant");
});

test("Of two exchanges of a code at once one wins, and its tokens are revoked", async ({
  oauth,
  api,
}) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId, { resource: `${oauth.baseUrl}/` });
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => oauth.exchange(clientId, code)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const won = responses.find(({ status }) => status === 200);
  const key = JSON.parse(won?.text ?? "{}").access_token;
  expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
});

test("A code of a person who has left since is not exchanged, not even once they are back", async ({
  oauth,
  db,
}) => {
  const { person, organization } = oauth;
  const clientId = await oauth.register();
  const code = await oauth.code(clientId);
  await db.query("DELETE FROM members WHERE user_id = $1", [person.id]);
  expect(errorOf(await oauth.exchange(clientId, code))).toBe("invalid_grant");
  await db.query("INSERT INTO members VALUES ($1, $2, 'owner')", [organization.id, person.id]);
  expect(errorOf(await oauth.exchange(clientId, code))).toBe("invalid_grant");
  // As one that the previous version left.
  const other = await oauth.code(clientId);
  await db.query("UPDATE oauth_codes SET user_id = 'usr_none' WHERE client_id = $1", [clientId]);
  expect(errorOf(await oauth.exchange(clientId, other))).toBe("invalid_grant");
});

test("A member who is being removed cannot let a client in, and a concurrent exchange yields no tokens", async ({
  oauth,
  api,
  db,
}) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId, { resource: `${oauth.baseUrl}/` });
  const remove = `DELETE FROM members WHERE user_id = '${oauth.person.id}'`;
  const [exchanged] = await whileLocked(
    db,
    { table: "oauth_codes", key: "client_id", id: clientId },
    () => oauth.exchange(clientId, code),
    () => db.query(remove),
  );
  const { access_token: key } = tokensOf(exchanged);
  expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");

  const member = [oauth.organization.id, oauth.person.id];
  await db.query("INSERT INTO members VALUES ($1, $2, 'owner')", member);
  const later = await oauth.register();
  const parameters = oauth.request(later);
  await whileUncommitted(db, [remove], "members", () => oauth.submit(parameters));
  const { rows } = await db.query("SELECT FROM oauth_codes WHERE client_id = $1", [later]);
  expect(rows).toEqual([]);
});

test("A code that is replayed while its person is removed does not deadlock with the removal", async ({
  oauth,
  db,
}) => {
  const clientId = await oauth.register();
  const code = await oauth.code(clientId);
  tokensOf(await oauth.exchange(clientId, code));
  const owner = await makePerson(db, oauth.organization.id);
  const cookie = await cookieOf(db, owner.id);
  const form = new RegExp(`"${oauth.person.id}".*Remove member`);
  const press = await formOf(oauth.baseUrl, "/settings", cookie, form);
  const [replay, removal] = await whileLocked(
    db,
    { table: "oauth_codes", key: "client_id", id: clientId },
    () => oauth.exchange(clientId, code),
    () => press({}),
  );
  expect(errorOf(replay)).toBe("invalid_grant");
  expect(removal.status).toBe(200);
  const { rows } = await db.query("SELECT FROM members WHERE user_id = $1", [oauth.person.id]);
  expect(rows).toEqual([]);
});

test("A reused refresh token revokes the whole grant", async ({ oauth, api }) => {
  const clientId = await oauth.register();
  const first = await oauth.signIn(clientId);
  const second = tokensOf(await oauth.refresh(clientId, first.refresh_token));
  const third = tokensOf(await oauth.refresh(clientId, second.refresh_token));
  const reuse = await oauth.refresh(clientId, first.refresh_token);
  expectStatus(reuse, 400);
  expect(errorOf(reuse)).toBe("invalid_grant");
  expect(errorOf(await oauth.refresh(clientId, third.refresh_token))).toBe("invalid_grant");
  for (const { access_token: key } of [first, second, third]) {
    expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
  }
});

test("Of two refreshes at once one wins, and the grant is revoked", async ({ oauth, api, db }) => {
  const clientId = await oauth.register();
  const { refresh_token } = await oauth.signIn(clientId);
  const grant = { table: "oauth_grants", key: "client_id", id: clientId };
  const refresh = () => oauth.refresh(clientId, refresh_token);
  const responses = await whileLocked(db, grant, refresh, refresh, refresh, refresh);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const won: Tokens = JSON.parse(responses.find(({ status }) => status === 200)?.text ?? "{}");
  expectError(await api("GET", "/api/tasks", { key: won.access_token }), 401, "invalid_api_key");
  expect(errorOf(await oauth.refresh(clientId, won.refresh_token))).toBe("invalid_grant");
});

test("A refresh cannot widen scopes or change client or resource, and may narrow scopes", async ({
  oauth,
  api,
}) => {
  const clientId = await oauth.register();
  const other = await oauth.register();
  const reading = await oauth.signIn(clientId, { scope: "api.read" });
  const refused: [Fields, string][] = [
    [{ scope: "api.write" }, "invalid_scope"],
    [{ scope: "api.read api.write" }, "invalid_scope"],
    [{ scope: "admin" }, "invalid_scope"],
    [{ client_id: other }, "invalid_grant"],
    [{ resource: `${oauth.baseUrl}/mcp` }, "invalid_target"],
    [{ refresh_token: `${reading.refresh_token.slice(0, -1)}!` }, "invalid_grant"],
    [{ refresh_token: reading.access_token }, "invalid_grant"],
    [{ refresh_token: undefined }, "invalid_request"],
  ];
  for (const [changes, error] of refused) {
    const response = await oauth.refresh(clientId, reading.refresh_token, changes);
    expect(errorOf(response), JSON.stringify(changes)).toBe(error);
  }
  tokensOf(await oauth.refresh(clientId, reading.refresh_token, { scope: "api.read" }));

  const writing = await oauth.signIn(clientId);
  const scope = "api.read";
  const narrow = tokensOf(await oauth.refresh(clientId, writing.refresh_token, { scope }));
  expect(narrow.scope).toBe("api.read");
  const body = { name: "x" };
  const unable = await api("POST", "/api/tasks", { key: narrow.access_token, body });
  expectError(unable, 403, "insufficient_scope");
  const wide = tokensOf(await oauth.refresh(clientId, narrow.refresh_token));
  expect(wide.scope).toBe("api.read api.write");
  expectStatus(await api("POST", "/api/tasks", { key: wide.access_token, body }), 201);
});

test("A grant ends after 30 days without a refresh, and at 180 days with its last access token", async ({
  oauth,
  db,
}) => {
  const clientId = await oauth.register();
  const { refresh_token } = await oauth.signIn(clientId);
  const grant = async (set: string) => {
    await db.query(
      `UPDATE api_keys SET ${set} FROM oauth_grants
       WHERE oauth_grants.id = api_keys.id AND client_id = $1`,
      [clientId],
    );
  };
  const daysLeft = async () => {
    const { rows } = await db.query<{ days: number }>(
      `SELECT round((expires_at - unix_now()) / 86400.0)::int AS days
       FROM api_keys JOIN oauth_grants USING (id) WHERE client_id = $1`,
      [clientId],
    );
    return rows[0]?.days;
  };
  expect(await daysLeft()).toBe(30);
  await grant("created_at = unix_now() - 20 * 86400, expires_at = unix_now() + 10 * 86400");
  const second = tokensOf(await oauth.refresh(clientId, refresh_token));
  expect(await daysLeft()).toBe(30);
  await grant("created_at = unix_now() - 179 * 86400");
  const third = tokensOf(await oauth.refresh(clientId, second.refresh_token));
  expect(await daysLeft()).toBe(1);
  expect(third.expires_in).toBe(3600);
  await grant("created_at = unix_now() - 180 * 86400 + 600");
  const last = tokensOf(await oauth.refresh(clientId, third.refresh_token));
  expect(last.expires_in).toBeGreaterThan(500);
  expect(last.expires_in).toBeLessThanOrEqual(600);
  const { rows } = await db.query(
    `SELECT token.expires_at = api_keys.expires_at AS together
     FROM oauth_access_tokens AS token JOIN api_keys ON api_keys.id = grant_id
     WHERE token.digest = $1`,
    [sha256(last.access_token)],
  );
  expect(rows).toEqual([{ together: true }]);
  await grant("expires_at = unix_now()");
  expect(errorOf(await oauth.refresh(clientId, last.refresh_token))).toBe("invalid_grant");
});

test("Revoking either token ends the grant; an unknown token is no error", async ({
  oauth,
  api,
}) => {
  const clientId = await oauth.register();
  const other = await oauth.register();
  for (const name of ["access_token", "refresh_token"] as const) {
    const tokens = await oauth.signIn(clientId);
    const token = tokens[name];
    const foreign = await oauth.post("/oauth/revoke", { token, client_id: other });
    expectStatus(foreign, 400);
    expectStatus(await api("GET", "/api/tasks", { key: tokens.access_token }), 200);
    const fields = { token, client_id: clientId, token_type_hint: "nonsense" };
    for (const _ of ["once", "and again"]) {
      const response = await oauth.post("/oauth/revoke", fields);
      expectStatus(response, 200);
      expect(response.text).toBe("");
    }
    const refused = await api("GET", "/api/tasks", { key: tokens.access_token });
    expectError(refused, 401, "invalid_api_key");
    expect(errorOf(await oauth.refresh(clientId, tokens.refresh_token))).toBe("invalid_grant");
  }
  for (const token of ["unknown", "svc_live_x", "\0", "x".repeat(1999), oauth.organization.key]) {
    expectStatus(await oauth.post("/oauth/revoke", { token }), 200);
  }
  expectStatus(await api("GET", "/api/tasks", { key: oauth.organization.key }), 200);
  expect(errorOf(await oauth.post("/oauth/revoke", {}))).toBe("invalid_request");
});

test("Wrong requests get the error body of RFC 6749, and a challenge with every 401", async ({
  api,
  baseUrl,
}) => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const base = "grant_type=refresh_token&client_id=agent-infra-cli&refresh_token=x";
  const cases: [string, Record<string, string>, number, string][] = [
    ["", form, 400, "invalid_request"],
    ["grant_type=password&client_id=x&username=a&password=b", form, 400, "unsupported_grant_type"],
    ["grant_type=client_credentials&client_id=x", form, 400, "unsupported_grant_type"],
    ["grant_type=refresh_token&client_id=x", form, 400, "invalid_request"],
    [base, form, 400, "invalid_grant"],
    [`${base}&refresh_token=y`, form, 400, "invalid_request"],
    [`${base}&client_id=y`, form, 400, "invalid_request"],
    [`${base}&client_secret=s`, form, 401, "invalid_client"],
    [`${base}&client_assertion=s`, form, 401, "invalid_client"],
    [base, { ...form, authorization: "Basic eDp5" }, 401, "invalid_client"],
    [`${base}&client_secret=`, form, 400, "invalid_grant"],
    [base, { "content-type": "application/json" }, 400, "invalid_request"],
    [base, {}, 400, "invalid_request"],
    [`${base}&scope=${"x".repeat(2001)}`, form, 400, "invalid_request"],
    [`${base}&unknown=${"x".repeat(5000)}`, form, 400, "invalid_grant"],
    [`${base}&unknown=${"x".repeat(20_000)}`, form, 413, "invalid_request"],
    [`%00=%ff&${base}`, form, 400, "invalid_grant"],
  ];
  for (const [raw, headers, status, error] of cases) {
    const response = await api("POST", "/oauth/token", { raw, headers });
    expectStatus(response, status);
    expect(JSON.parse(response.text), raw.slice(0, 100)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
    });
    expect(response.headers.get("cache-control")).toBe("no-store");
    const basic = headers.authorization && 'Basic realm="OAuth"';
    const challenge = basic ?? challenges(baseUrl).credentialNeeded;
    expect(response.headers.all("www-authenticate")).toEqual(status === 401 ? [challenge] : []);
  }
});

test("Browser-based clients may call the endpoints from any origin", async ({ api }) => {
  for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"]) {
    const preflight = await api("OPTIONS", path, {
      headers: {
        origin: "https://client.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, mcp-protocol-version",
      },
    });
    expectStatus(preflight, 204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.members("access-control-allow-headers")).toEqual(
      expect.arrayContaining(["content-type", "mcp-protocol-version"]),
    );
    const response = await api("POST", path, { headers: { origin: "https://client.example" } });
    expectStatus(response, 400);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const get = await api("GET", path);
    expectError(get, 405, "method_not_allowed");
    expect(get.headers.get("allow")).toBe("POST");
  }
});
