import { GRANT_SECONDS_MAX } from "@/lib/identity/oauth/grant";
import { makeOrganization } from "../support/accounts";
import { challenges, expectError, expectStatus } from "../support/expectations";
import { fieldsOf, post, textOf } from "../support/forms";
import { call } from "../support/http";
import { randomText } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { toolCall } from "../support/mcp";
import { errorOf, expect, test, tokensOf } from "../support/oauth";
import { cookieOf, makePerson, openSession } from "../support/people";
import { sweep } from "../support/sweep";

/** What an access token may do, and what ends a grant. */

test("An access token works at its resource only", async ({ oauth, api, baseUrl }) => {
  const clientId = await oauth.register();
  const listTasks = (key: string) =>
    call(baseUrl, "POST", "/mcp", { key, body: toolCall("list", { what: "tasks" }) });
  for (const change of [{}, { resource: undefined }, { resource: `${baseUrl}/mcp/` }]) {
    const code = await oauth.code(clientId, change);
    const { access_token: key } = tokensOf(await oauth.exchange(clientId, code));
    expectStatus(await listTasks(key), 200);
    for (const [method, path] of [
      ["GET", "/api/tasks"],
      ["GET", "/api/me"],
      ["GET", "/api/tasks/tsk_0"],
      ["DELETE", "/api/me/key"],
    ] as const) {
      expectError(await api(method, path, { key }), 401, "invalid_api_key");
    }
  }
  const { access_token: key } = await oauth.signIn(clientId);
  expectStatus(await api("GET", "/api/tasks", { key }), 200);
  const refused = await listTasks(key);
  expectError(refused, 401, "invalid_api_key");
  expect(refused.headers.all("www-authenticate")).toEqual([
    challenges(baseUrl, "mcp").invalidCredential,
  ]);
});

test("A token describes itself, and acts as a key of its grant", async ({ oauth, api }) => {
  const clientId = await oauth.register(undefined, "Editor");
  const { access_token: key, refresh_token } = await oauth.signIn(clientId, { scope: "api.read" });
  const now = Math.floor(Date.now() / 1000);
  const me = await api("GET", "/api/me", { key });
  const { expires_at, key_id, ...rest } = JSON.parse(me.text);
  expect(rest).toMatchObject({
    kind: "access_token",
    key_name: "Editor",
    organization_id: oauth.organization.id,
    scopes: ["api.read"],
    registration_id: null,
    hint: expect.stringContaining('for the client "Editor"'),
  });
  expect(Math.abs(expires_at - now - 3600)).toBeLessThan(60);
  // A refreshed token acts as the same caller.
  const next = tokensOf(await oauth.refresh(clientId, refresh_token));
  const later = await api("GET", "/api/me", { key: next.access_token });
  expect(JSON.parse(later.text).key_id).toBe(key_id);

  const body = { name: "x" };
  expectError(await api("POST", "/api/tasks", { key, body }), 403, "insufficient_scope");
  const rotated = await api("POST", "/api/me/key/rotate", { key });
  expectError(rotated, 403, "forbidden");
  expect(rotated.body.error.message).toContain("/oauth/token");
});

test("An access token cannot open a session that outlives it", async ({ oauth, baseUrl }) => {
  const clientId = await oauth.register();
  const { access_token } = await oauth.signIn(clientId);
  const { fields } = await fieldsOf(baseUrl, "/sign-in", undefined, "key");
  const response = await post(
    baseUrl,
    "/sign-in",
    { ...fields, key: access_token },
    { origin: baseUrl },
  );
  expect(response.headers["set-cookie"]).toBeUndefined();
  expect(textOf(response.body)).toContain("cannot sign in to the dashboard");
});

test("A client ends its grant as a key revokes itself", async ({ oauth, api }) => {
  const clientId = await oauth.register();
  const { access_token: key, refresh_token } = await oauth.signIn(clientId, { scope: "api.read" });
  expectStatus(await api("DELETE", "/api/me/key", { key }), 204);
  expectError(await api("GET", "/api/me", { key }), 401, "invalid_api_key");
  expect(errorOf(await oauth.refresh(clientId, refresh_token))).toBe("invalid_grant");
});

test("Revocation ends a waiting request, and the end of a token leaves its grant", async ({
  oauth,
  api,
  db,
}) => {
  const clientId = await oauth.register();
  const { access_token: key } = await oauth.signIn(clientId);
  const inbox = (await api("POST", "/api/inboxes", { key, body: { name: "x" } })).body;
  const ended = api("POST", `/api/inboxes/${inbox.id}/events/receive`, {
    key,
    body: { wait_seconds: 20 },
  });
  await db.query(
    `UPDATE api_keys SET revoked_at = unix_now() FROM oauth_grants
     WHERE oauth_grants.id = api_keys.id AND client_id = $1`,
    [clientId],
  );
  expectError(await ended, 401, "invalid_api_key");

  const other = await oauth.register();
  const second = await oauth.signIn(other);
  await db.query(
    `UPDATE oauth_access_tokens SET expires_at = unix_now() WHERE grant_id IN (
       SELECT id FROM oauth_grants WHERE client_id = $1)`,
    [other],
  );
  expectError(await api("GET", "/api/me", { key: second.access_token }), 401, "invalid_api_key");
  tokensOf(await oauth.refresh(other, second.refresh_token));
});

test("A grant ends when its person leaves or is deleted, and others stay", async ({
  oauth,
  api,
  db,
  organization,
}) => {
  const clientId = await oauth.register();
  const colleague = await makePerson(db, organization.id);
  const session = await openSession(db, colleague.id);
  const theirs = Object.assign(Object.create(oauth), { session, person: colleague });
  const kept = await theirs.signIn(clientId);
  const leaving = await oauth.signIn(clientId);
  await db.query("DELETE FROM members WHERE user_id = $1 AND organization_id = $2", [
    oauth.person.id,
    organization.id,
  ]);
  expectError(await api("GET", "/api/me", { key: leaving.access_token }), 401, "invalid_api_key");
  expectStatus(await api("GET", "/api/me", { key: kept.access_token }), 200);
  // Joining again revives nothing.
  await db.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
    organization.id,
    oauth.person.id,
  ]);
  expect(errorOf(await oauth.refresh(clientId, leaving.refresh_token))).toBe("invalid_grant");
  await db.query("DELETE FROM users WHERE id = $1", [colleague.id]);
  expectError(await api("GET", "/api/me", { key: kept.access_token }), 401, "invalid_api_key");
  const again = await oauth.signIn(clientId);
  await db.query("DELETE FROM organizations WHERE id = $1", [organization.id]);
  expectError(await api("GET", "/api/me", { key: again.access_token }), 401, "invalid_api_key");
});

test("A person's hundredth client is the last, even if several exchange their codes at once", async ({
  oauth,
  db,
}) => {
  const { person, organization } = oauth;
  const clientId = await oauth.register();
  const [code, other] = [await oauth.code(clientId), await oauth.code(clientId)];
  const connect = (clients: number) =>
    `WITH keys AS (
       INSERT INTO api_keys (id, organization_id, name, kind, prefix, last_four, scopes, expires_at)
       SELECT 'key_' || md5(random()::text), '${organization.id}', 'Client', 'oauth_grant', '', '',
              '{api.read}', unix_now() + 600
       FROM generate_series(1, ${clients}) RETURNING id
     )
     INSERT INTO oauth_grants (id, user_id, client_id, client_host, audience, family_digest, token_digest)
     SELECT id, '${person.id}', 'oac_x', 'host.example', 'api', id, '' FROM keys`;
  await db.query(connect(99));
  const owner = `${organization.id} ${person.id}`;
  const lock = `SELECT pg_advisory_xact_lock(hashtextextended('${owner}', 6))`;
  const exchange = () => oauth.exchange(clientId, code);
  const late = await whileUncommitted(db, [lock, connect(1)], "pg_advisory_xact_lock", exchange);
  expect(errorOf(late)).toBe("invalid_grant");
  const refused = await oauth.submit(oauth.request(clientId));
  expect(textOf(refused.body)).toContain("You have connected 100 clients.");
  await db.query(
    "DELETE FROM api_keys WHERE id = (SELECT id FROM oauth_grants WHERE user_id = $1 LIMIT 1)",
    [person.id],
  );
  tokensOf(await exchange());
  expect(errorOf(await oauth.exchange(clientId, other))).toBe("invalid_grant");
});

test("Keys & agents lists grants apart from keys, and logs their start and end", async ({
  oauth,
  api,
}) => {
  const clientId = await oauth.register(undefined, "Laptop editor");
  const { access_token: key } = await oauth.signIn(clientId);
  const cookie = { cookie: `session=${oauth.session}` };
  const page = async (path: string) =>
    textOf((await call(oauth.baseUrl, "GET", path, { headers: cookie })).text);
  const before = await page("/keys");
  expect(before).toContain(`Laptop editor this computer , by ${oauth.person.email}`);
  expect(before).toContain("2 live of 2");
  const started = `${oauth.person.email} connected the client Laptop editor`;
  expect(await page("/keys?tab=log")).toContain(started);
  expectStatus(await api("DELETE", "/api/me/key", { key }), 204);
  expect(await page("/keys?tab=log")).toContain(
    "Laptop editor disconnected the client Laptop editor",
  );
});

test("Keys & agents says how many grants it does not show, and a search finds them", async ({
  api,
  db,
}) => {
  const organization = await makeOrganization(db);
  await db.query(
    `WITH keys AS (
       INSERT INTO api_keys (id, organization_id, name, kind, prefix, last_four, scopes)
       SELECT 'key_' || $1 || n, $2, 'Client ' || n || '.', 'oauth_grant', '', '', '{api.read}'
       FROM generate_series(1001, 1203) AS n RETURNING id
     )
     INSERT INTO oauth_grants (id, user_id, client_id, client_host, audience, family_digest, token_digest)
     SELECT id, 'usr_none', 'oac_x', 'host.example', 'api', id, '' FROM keys`,
    [randomText(21), organization.id],
  );
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const open = async (path: string) =>
    textOf((await api("GET", path, { headers: { cookie } })).text);
  const all = await open("/keys");
  expect(all).toContain("3 more, which a search finds too.");
  expect(all).not.toContain("Client 1001.");
  const found = await open("/keys?q=client+1001");
  expect(found).toContain("Client 1001.");
  expect(found).not.toContain("more, which");
});

test("A grant keeps its ten newest access tokens, also if all of them end with it", async ({
  oauth,
  db,
  api,
}) => {
  const clientId = await oauth.register();
  let last = await oauth.signIn(clientId);
  const ofGrant = "(SELECT id FROM oauth_grants WHERE client_id = $1)";
  await db.query(
    `UPDATE oauth_access_tokens SET expires_at = expires_at - 3590 WHERE grant_id IN ${ofGrant}`,
    [clientId],
  );
  await db.query(
    `UPDATE api_keys SET created_at = unix_now() - $2::bigint WHERE id IN ${ofGrant}`,
    [clientId, GRANT_SECONDS_MAX - 600],
  );
  const keys = [last.access_token];
  for (let count = 0; count < 12; count++) {
    last = tokensOf(await oauth.refresh(clientId, last.refresh_token));
    keys.push(last.access_token);
  }
  const statuses: number[] = [];
  for (const key of keys) statuses.push((await api("GET", "/api/me", { key })).status);
  expect(statuses).toEqual([...Array(3).fill(401), ...Array(10).fill(200)]);
});

test("Expired tokens, old codes, ended grants and unused clients are deleted", async ({
  oauth,
  api,
  db,
}) => {
  const [unused, old, ended, kept] = await Promise.all([
    oauth.register(),
    oauth.register(),
    oauth.register(),
    oauth.register(),
  ]);
  for (const clientId of [old, ended, kept]) await oauth.signIn(clientId);
  const days = (count: number) => `unix_now() - ${count} * 86400`;
  await db.query(`UPDATE oauth_clients SET created_at = ${days(8)} WHERE id IN ($1, $2)`, [
    unused,
    kept,
  ]);
  await db.query(`UPDATE oauth_clients SET last_used_at = ${days(91)} WHERE id = $1`, [old]);
  await db.query(
    `UPDATE api_keys SET revoked_at = ${days(31)} FROM oauth_grants
     WHERE oauth_grants.id = api_keys.id AND client_id = $1`,
    [ended],
  );
  await db.query(`UPDATE oauth_codes SET expires_at = ${days(2)} WHERE client_id = $1`, [old]);
  await db.query(
    `UPDATE oauth_access_tokens SET expires_at = unix_now() - 1 WHERE grant_id IN (
       SELECT id FROM oauth_grants WHERE client_id = $1)`,
    [old],
  );
  const left = async () => {
    const { rows } = await db.query<{ found: string }>(
      `SELECT 'client ' || id AS found FROM oauth_clients WHERE id = ANY ($1)
       UNION ALL SELECT 'code ' || client_id FROM oauth_codes WHERE client_id = ANY ($1)
       UNION ALL SELECT 'grant ' || client_id FROM oauth_grants WHERE client_id = ANY ($1)
       UNION ALL SELECT 'token ' || client_id FROM oauth_access_tokens
         JOIN oauth_grants ON id = grant_id WHERE client_id = ANY ($1)`,
      [[unused, old, ended, kept]],
    );
    return rows.map(({ found }) => found).sort();
  };
  await expect
    .poll(async () => {
      await sweep(api, db);
      return left();
    })
    .toEqual(
      [
        `client ${ended}`,
        `client ${kept}`,
        `code ${ended}`,
        `code ${kept}`,
        `grant ${kept}`,
        `grant ${old}`,
        `token ${kept}`,
      ].sort(),
    );
});
