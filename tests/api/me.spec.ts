import { makeKey } from "../support/accounts";
import { freshEmail, test as withAgents } from "../support/agents";
import { challenges, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { sha256 } from "../support/keys";
import { whileLocked, whileUncommitted } from "../support/locks";

/** The holder of a credential can inspect, rotate and revoke it. */

test("/api/me describes the key and its permissions", async ({ api, db, organization, key }) => {
  const response = await api("GET", "/api/me", { key });
  expectStatus(response, 200);
  expect(JSON.parse(response.text)).toEqual({
    object: "me",
    kind: "api_key",
    key_id: expect.stringMatching(/^key_/),
    key_name: expect.any(String),
    organization_id: organization.id,
    organization_name: expect.any(String),
    registration_id: null,
    scopes: ["api.read", "api.write"],
    created_at: expect.any(Number),
    expires_at: null,
    claim_ends_at: null,
    rate_limits: [],
    hint: expect.stringContaining("can read and write"),
  });
  const readOnly = await makeKey(db, organization.id, { scopes: ["api.read"] });
  const { text } = await api("GET", "/api/me", { key: readOnly });
  expect(JSON.parse(text)).toMatchObject({
    scopes: ["api.read"],
    hint: expect.stringContaining("read-only"),
  });
});

test("/api/me without a credential is 200 anonymous and says how to get a key", async ({
  api,
  baseUrl,
}) => {
  const response = await api("GET", "/api/me");
  expectStatus(response, 200);
  expect(JSON.parse(response.text)).toMatchObject({
    kind: "anonymous",
    key_id: null,
    organization_id: null,
    scopes: [],
    hint: expect.stringContaining(`${baseUrl}/auth.md`),
  });
  expectError(await api("GET", "/api/me", { key: "svc_live_wrong" }), 401, "invalid_api_key");
});

withAgents("/api/me tells an agent until when it can be claimed", async ({ agents }) => {
  const { credential: key, registration_id, claim_token_expires } = await agents.anonymous();
  const me = async () => JSON.parse((await agents.api("GET", "/api/me", { key })).text);
  expect(await me()).toMatchObject({
    registration_id,
    scopes: ["api.read"],
    claim_ends_at: claim_token_expires,
    hint: expect.stringContaining("claim its registration"),
  });
  // Too many wrong codes: its claim is 410 from now on.
  await agents.db.query("UPDATE agent_registrations SET otp_failures_total = 15 WHERE id = $1", [
    registration_id,
  ]);
  expect(await me()).toMatchObject({
    claim_ends_at: null,
    hint: expect.stringContaining("register again"),
  });
  const { agent, otp } = await agents.claiming(freshEmail());
  expectStatus(await agents.complete(agent.claim_token, otp), 200);
  const claimed = await agents.api("GET", "/api/me", { key: agent.credential });
  expect(JSON.parse(claimed.text)).toMatchObject({
    scopes: ["api.read", "api.write"],
    claim_ends_at: null,
  });
});

test("Any key can revoke itself, even a read-only one, and no other", async ({
  api,
  db,
  organization,
}) => {
  const key = await makeKey(db, organization.id, { scopes: ["api.read"] });
  expectStatus(await api("DELETE", "/api/me/key", { key }), 204);
  expectError(await api("GET", "/api/me", { key }), 401, "invalid_api_key");
  expectError(await api("DELETE", "/api/me/key", { key }), 401, "invalid_api_key");
  expectStatus(await api("GET", "/api/me", { key: organization.key }), 200);
  expectError(await api("DELETE", "/api/me/key"), 401, "unauthorized");
  const { rows } = await db.query<{ action: string; actor: string; key: string }>(
    "SELECT action, actor, data->>'key' AS key FROM audit_events WHERE organization_id = $1",
    [organization.id],
  );
  expect(rows).toEqual([{ action: "key.revoked", actor: rows[0]?.key, key: rows[0]?.key }]);
});

test("A rotated key passes its rights to a new key, works five more minutes, and cannot rotate again", async ({
  api,
  db,
  organization,
}) => {
  const key = await makeKey(db, organization.id, { scopes: ["api.read"], expiresIn: 3600 });
  const response = await api("POST", "/api/me/key/rotate", { key });
  expectStatus(response, 200);
  const rotated = JSON.parse(response.text);
  expect(rotated).toEqual({
    object: "rotated_key",
    id: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{38}$/),
    kind: "api_key",
    scopes: ["api.read"],
    expires_at: expect.any(Number),
    old_key_expires_at: expect.any(Number),
  });
  expect(rotated.expires_at - Date.now() / 1000).toBeGreaterThan(3580);
  expect(rotated.old_key_expires_at - Date.now() / 1000).toBeGreaterThan(290);
  expect(rotated.old_key_expires_at - Date.now() / 1000).toBeLessThan(302);
  const { text } = await api("GET", "/api/me", { key: rotated.key });
  expect(JSON.parse(text)).toMatchObject({ key_id: rotated.id, organization_id: organization.id });
  expectStatus(await api("GET", "/api/me", { key }), 200);
  // A stolen old key must not yield a lasting one.
  expectError(await api("POST", "/api/me/key/rotate", { key }), 403, "forbidden");
  await db.query("UPDATE api_keys SET expires_at = unix_now() WHERE replaced_by_id = $1", [
    rotated.id,
  ]);
  expectError(await api("GET", "/api/me", { key }), 401, "invalid_api_key");
  expectStatus(await api("GET", "/api/me", { key: rotated.key }), 200);
});

test("Rotating a key during its revocation is 401 and creates no key", async ({
  api,
  db,
  organization,
  rows,
}) => {
  const key = await makeKey(db, organization.id);
  const revoke = `UPDATE api_keys SET revoked_at = unix_now() WHERE digest = '${sha256(key)}'`;
  const refused = await whileUncommitted(db, [revoke], "api_keys", () =>
    api("POST", "/api/me/key/rotate", { key }),
  );
  expectError(refused, 401, "invalid_api_key");
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect(await rows.apiKey.count({ where: { organization_id: organization.id } })).toBe(3);
});

test("A key that revokes itself twice in parallel is audited once", async ({
  api,
  db,
  organization,
  rows,
}) => {
  const key = await makeKey(db, organization.id);
  const row = { table: "api_keys", key: "digest", id: sha256(key) };
  const revoke = () => api("DELETE", "/api/me/key", { key });
  for (const response of await whileLocked(db, row, revoke, revoke)) expectStatus(response, 204);
  const audited = await rows.auditEvent.findMany({ where: { organization_id: organization.id } });
  expect(audited).toMatchObject([{ action: "key.revoked" }]);
});

test("A rotation can be replayed with its Idempotency-Key while the old key works", async ({
  api,
  db,
  organization,
}) => {
  const key = await makeKey(db, organization.id);
  const rotate = () =>
    api("POST", "/api/me/key/rotate", { key, headers: { "idempotency-key": "rotate-1" } });
  const [first, again] = [await rotate(), await rotate()];
  expectStatus(first, 200);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
});

test("Of parallel rotations one succeeds, and without overlap the old key ends at once", async ({
  api,
  db,
  organization,
}) => {
  const key = await makeKey(db, organization.id);
  const responses = await Promise.all(
    Array.from({ length: 6 }, () =>
      api("POST", "/api/me/key/rotate", { key, body: { overlap_seconds: 0 } }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expectError(await api("GET", "/api/me", { key }), 401, "invalid_api_key");
  const { rows } = await db.query(
    "SELECT count(*)::int AS live FROM api_keys WHERE organization_id = $1 AND (expires_at IS NULL OR expires_at > unix_now())",
    [organization.id],
  );
  // The organization's two keys and the new one.
  expect(rows).toEqual([{ live: 3 }]);
  const bad = { key: organization.key, body: { overlap_seconds: 86_401 } };
  const refused = await api("POST", "/api/me/key/rotate", bad);
  expectError(refused, 400, "invalid_param", "overlap_seconds");
});

test("A key outside Authorization is 401, and the message says where it belongs", async ({
  api,
  baseUrl,
  key,
}) => {
  const CASES: Array<[path: string, headers?: Record<string, string>]> = [
    ["/api/tasks", { "x-api-key": key }],
    ["/api/me", { "api-key": key }],
    ["/api/tasks", { "x-auth-token": key }],
    [`/api/tasks?api_key=${key}`],
    [`/api/tasks?limit=5&key=${key}`],
    [`/api/inboxes?API_KEY=${key}`],
    [`/api/tasks?access_token=${key}`],
    ["/api/tasks", { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` }],
    ["/api/tasks", { authorization: key }],
  ];
  for (const [path, headers] of CASES) {
    const response = await api("GET", path, { headers: headers ?? {} });
    expectError(response, 401, "invalid_api_key");
    expect(response.body.error.message).toContain("Authorization: Bearer svc_live_");
    expect(response.text).not.toContain(key);
    expect(response.headers.all("www-authenticate")).toEqual([
      challenges(baseUrl).invalidCredential,
    ]);
  }
  const both = { key, headers: { "x-api-key": "something else" } };
  expectStatus(await api("GET", "/api/tasks", both), 200);
  for (const path of ["/api/health", "/api/limits", "/llms.txt"]) {
    expectStatus(await api("GET", `${path}?key=x`, { headers: { "x-api-key": "x" } }), 200);
  }
  const { body: webhook } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const sent = await api("POST", `/api/catch/${webhook.id}?api_key=x`, {
    raw: "x",
    headers: { "x-api-key": "x" },
  });
  expectStatus(sent, 200);
});

withAgents("A read-only key's 403 says how to write", async ({ agents }) => {
  const { credential: key } = await agents.anonymous();
  const { body: task } = await agents.api("POST", "/api/tasks", { body: { name: "Public" } });
  const response = await agents.api("PATCH", `/api/tasks/${task.id}`, { key, body: { name: "x" } });
  expectError(response, 403, "insufficient_scope");
  expect(response.body.error.message).toContain(`${agents.baseUrl}/auth.md`);
  expect(response.body.error.message).toContain("without a key");
  expectStatus(await agents.api("PATCH", `/api/tasks/${task.id}`, { body: { name: "x" } }), 200);
});

test("/api/limits lists the enforced limits", async ({ api }) => {
  const response = await api("GET", "/api/limits");
  expectStatus(response, 200);
  const limits = JSON.parse(response.text);
  expect(limits.rates.enforced).toBe(false);
  expect(limits.rates.requests_per_key).toEqual({ limit: 1200, window_seconds: 60 });
  expect(limits.fields.task_create.name).toEqual({ min_characters: 1, max_characters: 200 });
  expect(limits.fields.task_create.labels).toEqual({ max_items: 50, max_characters_per_item: 100 });
  expect(limits.fields.question_answer.answer).toMatchObject({ max_characters: 10_000 });
  expect(limits.sizes).toMatchObject({
    task_labels_max: 50,
    question_form_fields_max: 20,
    question_form_choices_per_field_max: 100,
    question_form_choices_max: 500,
  });
  expect(limits.deliveries.retry_delays_seconds).toEqual([60, 300, 1800, 7200]);
  const { max_characters } = limits.fields.webhook_create.name;
  for (const [length, status] of [
    [max_characters, 201],
    [max_characters + 1, 400],
  ]) {
    const made = await api("POST", "/api/webhooks", { body: { name: "x".repeat(length) } });
    expectStatus(made, status);
  }
  const { maximum } = limits.fields.inbox_create.max_events;
  expectStatus(
    await api("POST", "/api/inboxes", { body: { name: "x", max_events: maximum } }),
    201,
  );
  const tooMany = await api("POST", "/api/inboxes", {
    body: { name: "x", max_events: maximum + 1 },
  });
  expectError(tooMany, 400, "invalid_param", "max_events");
  const { request_body_bytes_max, schedule_request_body_bytes_max } = limits.sizes;
  for (const [kind, bytes] of [
    ["webhooks", request_body_bytes_max],
    ["schedules", schedule_request_body_bytes_max],
  ]) {
    const body = `{"name": "${"x".repeat(bytes)}"}`;
    const response = await api("POST", `/api/${kind}`, { raw: body });
    expectError(response, 413, "payload_too_large");
    expect(response.body.error.message).toContain(String(bytes));
  }
});
