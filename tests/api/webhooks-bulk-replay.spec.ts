import type { Pool } from "pg";
import { makeKey } from "../support/accounts";
import { actionNamed, callAction, formBody } from "../support/actions";
import { replayEnded, startReplay } from "../support/bulk-replays";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import { sha256 } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { cookieOf, makePerson } from "../support/people";
import { startHoldingTarget, startTarget } from "../support/target";
import { capture, fillEndpoint, makeEndpoint, untilAllHeld } from "../support/webhooks";

/** Bulk replays: of all events that match a filter. */

test("A bulk replay sends each matching event once, oldest first, and reports its progress", async ({
  api,
  db,
  key,
}) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 120 });
  const replay = await startReplay(api, id, { url: target.url }, key);
  expect(replay).toMatchObject({ status: "running", total: 120, searched: 0, ended_at: null });
  // Captured after the start, so not part of it.
  await capture(api, id, { raw: "late" });
  const ended = await replayEnded(api, id, replay.id, key);
  expect(ended).toMatchObject({
    status: "completed",
    searched: 120,
    delivered: 120,
    failed: 0,
    pending: 0,
  });
  const numbers = target.received.map(({ body }) => JSON.parse(body.toString()).number);
  expect([...numbers].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 120 }, (_, index) => index + 1),
  );
  expect(Math.max(...numbers.slice(0, 10))).toBeLessThanOrEqual(50);
  const { data } = (await api("GET", `/api/webhooks/${id}/replays`, { key })).body;
  expect(data).toEqual([ended]);
  // Its messages are not in the change feed: one replay would bury everything else.
  expect((await api("GET", "/api/changes?kind=messages", { key })).body.data).toEqual([]);
  await target.stop();
});

test("The filters are those of the list, and failures are counted", async ({ api, key }) => {
  const target = await startTarget((response, { body }) => {
    response.writeHead(body.toString().includes("bad") ? 500 : 200).end();
  });
  const { id } = await makeEndpoint(api, { key });
  const first = await capture(api, id, { raw: "order good", headers: { "x-kind": "order" } });
  await capture(api, id, { raw: "order bad", headers: { "x-kind": "order" } });
  await capture(api, id, { raw: "other", headers: { "x-kind": "order" } });
  await capture(api, id, { raw: "order good", headers: { "x-kind": "other" } });
  await api("PUT", `/api/catch/${id}`, { raw: "order put", headers: { "x-kind": "order" } });
  const filter = { method: "post", q: "order", header: "x-kind: order" };
  const all = await startReplay(api, id, { url: target.url, ...filter }, key);
  const ended = await replayEnded(api, id, all.id, key);
  expect(ended).toMatchObject({ method: "POST", total: 4, searched: 4, delivered: 1, failed: 1 });
  const newer = await startReplay(api, id, { url: target.url, ...filter, since: first }, key);
  expect(await replayEnded(api, id, newer.id, key)).toMatchObject({ delivered: 0, failed: 1 });
  expect(target.received.map(({ body }) => body.toString()).sort()).toEqual([
    "order bad",
    "order bad",
    "order good",
  ]);
  await target.stop();
});

test("A canceled replay sends nothing more, and keeps the count of what it sent", async ({
  api,
  db,
  key,
}) => {
  const { target, id, replayId } = await startHeld(api, db, key);
  const canceled = await api("POST", `/api/webhooks/${id}/replays/${replayId}/cancel`, { key });
  expectStatus(canceled, 200);
  expect(canceled.body).toMatchObject({ status: "canceled", total: 200 });
  await untilAllHeld(db, id, target);
  const sent = target.held.length;
  target.open();
  const ended = await replayEnded(api, id, replayId, key);
  expect(ended).toMatchObject({ status: "canceled", delivered: sent, pending: 0 });
  expect(ended.canceled).toBeGreaterThan(0);
  expect(ended.delivered + ended.canceled).toBe(ended.searched);
  expect(ended.searched).toBeLessThan(200);
  expect(target.received).toHaveLength(sent);
  // Again, it changes nothing.
  const again = await api("POST", `/api/webhooks/${id}/replays/${replayId}/cancel`, { key });
  expect(again.body).toEqual(ended);
  await target.stop();
});

test("A message that is retried by hand while its replay is canceled is kept, and an attempt under way is the last", async ({
  api,
  db,
  key,
}) => {
  const { target, id, replayId } = await startHeld(api, db, key);
  expectStatus(await api("POST", `/api/webhooks/${id}/replays/${replayId}/cancel`, { key }), 200);
  await untilAllHeld(db, id, target);
  const messageOf = async (having: string) =>
    (
      await db.query<{ id: string }>(
        `SELECT id FROM scheduled_messages WHERE webhook_replay_id = $1 AND ${having}`,
        [replayId],
      )
    ).rows[0]?.id;
  const path = `/api/messages/${await messageOf("status = 'canceled'")}`;
  // It finds no free slot, since the first ones are held.
  expectStatus(await api("POST", `${path}/retry`, { key }), 200);
  expectStatus(await api("PATCH", path, { key, body: { delay_seconds: 3600 } }), 200);
  target.held.shift()?.writeHead(500).end();
  await expect.poll(() => messageOf("response_status = 500")).toBeDefined();
  const last = await messageOf("response_status = 500");
  const { body } = await api("GET", `/api/messages/${last}`, { key });
  expect(body).toMatchObject({ status: "failed", next_attempt_at: null });
  expect((await api("GET", path, { key })).body.status).toBe("scheduled");
  expectStatus(await api("POST", `${path}/cancel`, { key }), 200);
  target.open();
  expect(await replayEnded(api, id, replayId, key)).toMatchObject({
    status: "canceled",
    failed: 1,
  });
  await target.stop();
});

test("Deleting an endpoint cancels its bulk replay, which still counts for the day's limit", async ({
  api,
  db,
  key,
  rows,
}) => {
  const { target, id, replayId } = await startHeld(api, db, key);
  expectStatus(await api("DELETE", `/api/webhooks/${id}`, { key }), 204);
  const read = () => rows.webhookReplay.findUnique({ where: { id: replayId } });
  await expect.poll(async () => (await read())?.status).toBe("canceled");
  target.open();
  await expect.poll(async () => (await read())?.ended_at).not.toBeNull();
  const where = { webhook_replay_id: replayId, due_at: { not: null } };
  expect(await rows.scheduledMessage.count({ where })).toBe(0);
  expect(await read()).toMatchObject({ total: 200, failed: 0 });

  await db.query("UPDATE webhook_replays SET total = 50000 WHERE id = $1", [replayId]);
  const other = await makeEndpoint(api, { key });
  await capture(api, other.id);
  const body = { url: target.url };
  const refused = await api("POST", `/api/webhooks/${other.id}/replays`, { key, body });
  expectError(refused, 429, "rate_limited");
  await target.stop();
});

test("A bulk replay is in the audit log, and ends with the revocation of its key, also of an expired one, but not with its rotation", async ({
  api,
  baseUrl,
  db,
  key,
  organization,
  rows,
}) => {
  const target = await startHoldingTarget();
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 60 });
  const begin = async () => {
    const old = await makeKey(db, organization.id);
    const { id: replayId } = await startReplay(api, id, { url: target.url }, old);
    const body = { overlap_seconds: 0 };
    const rotated = await api("POST", "/api/me/key/rotate", { key: old, body });
    expectStatus(rotated, 200);
    return { replayId, newKey: jsonOf<{ key: string }>(rotated).key };
  };
  const stopped = await begin();
  const text = await makeKey(db, organization.id);
  const late = await startReplay(api, id, { url: target.url }, text);
  const expire = "UPDATE api_keys SET expires_at = unix_now() WHERE digest = $1 RETURNING id";
  const expired = (await db.query<{ id: string }>(expire, [sha256(text)])).rows[0];
  const revokeKey = actionNamed("revokeKeyOf");
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  await callAction(baseUrl, revokeKey, formBody({ id: expired?.id ?? "" }), { cookie });
  expectStatus(await api("DELETE", "/api/me/key", { key: stopped.newKey }), 204);
  for (const replayId of [stopped.replayId, late.id]) {
    const read = () => api("GET", `/api/webhooks/${id}/replays/${replayId}`, { key });
    await expect.poll(async () => (await read()).body.status).toBe("canceled");
  }
  // Last: an attempt takes 15 seconds at most.
  const kept = await begin();
  target.open();
  const ended = await replayEnded(api, id, stopped.replayId, key);
  expect(ended.searched, "It has made no more messages").toBeLessThan(60);
  const whole = await replayEnded(api, id, kept.replayId, key);
  expect(whole).toMatchObject({ status: "completed", delivered: 60 });
  const where = { organization_id: organization.id, action: "webhook.replay_started" };
  const logged = await rows.auditEvent.findMany({ where });
  const data = { endpoint: id, to: target.url };
  expect(logged).toMatchObject([{ data }, { data }, { data }]);
  await target.stop();
});

test("A bulk replay of a person ends with the membership", async ({
  api,
  baseUrl,
  db,
  key,
  organization,
}) => {
  const target = await startHoldingTarget();
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 60 });
  const person = await makePerson(db, organization.id);
  const replay = actionNamed("replayEvents");
  const body = formBody({ id, url: target.url });
  await callAction(baseUrl, replay, body, { cookie: await cookieOf(db, person.id) });
  await expect.poll(() => target.held.length).toBeGreaterThan(0);
  // A membership that begins later is another.
  await db.query(`DELETE FROM members WHERE user_id = '${person.id}';
    INSERT INTO members (organization_id, user_id, role, created_at)
    VALUES ('${organization.id}', '${person.id}', 'member', unix_now() + 1)`);
  const read = () => api("GET", `/api/webhooks/${id}/replays`, { key });
  await expect.poll(async () => (await read()).body.data?.[0]?.status).toBe("canceled");
  await target.stop();
});

const BEHIND_KEYS = {
  "made its key": "UPDATE api_keys SET created_by_user_id = $2 WHERE id = $1",
  "connected its client": `
    INSERT INTO oauth_grants (id, user_id, client_id, client_host, audience, family_digest, token_digest)
    VALUES ($1, $2, 'client', 'client', 'api', $1, '')`,
  "claimed its agent": `
    WITH agent AS (
      INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, claimed_by_user_id)
      SELECT 'reg_' || id, 'service_auth', 'api_key', organization_id, $2::text FROM api_keys WHERE id = $1
      RETURNING id
    ) UPDATE api_keys SET registration_id = agent.id FROM agent WHERE api_keys.id = $1`,
  "has its agent from a provider": `
    WITH user_of AS (
      INSERT INTO delegations (iss, sub, user_id, organization_id)
      SELECT 'https://provider.example', id, $2::text, organization_id FROM api_keys WHERE id = $1
      RETURNING *
    ), agent AS (
      INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, iss, sub)
      SELECT 'reg_' || sub, 'agent-provider', 'api_key', organization_id, iss, sub FROM user_of
      RETURNING id
    ) UPDATE api_keys SET registration_id = agent.id FROM agent WHERE api_keys.id = $1`,
};
for (const [how, statement] of Object.entries(BEHIND_KEYS)) {
  test(`A bulk replay whose key has expired ends with the membership of the person who ${how}`, async ({
    api,
    db,
    key,
    organization,
    rows,
  }) => {
    const text = await makeKey(db, organization.id);
    const own = await rows.apiKey.findFirstOrThrow({ where: { digest: sha256(text) } });
    const person = await makePerson(db, organization.id);
    await db.query(statement, [own.id, person.id]);
    const { target, id, replayId } = await startHeld(api, db, text);
    await db.query("UPDATE api_keys SET expires_at = unix_now() WHERE id = $1", [own.id]);
    await db.query("DELETE FROM members WHERE user_id = $1", [person.id]);
    const read = () => api("GET", `/api/webhooks/${id}/replays/${replayId}`, { key });
    await expect.poll(async () => (await read()).body.status).toBe("canceled");
    await target.stop();
  });
}

test("A step of a bulk replay that is over by the time it has its turn makes no messages", async ({
  api,
  db,
  key,
}) => {
  const { target, id, replayId } = await startHeld(api, db, key);
  // The step that waits for this began before the person behind the replay was gone.
  const end = `UPDATE webhook_replays SET user_id = 'usr_none' WHERE id = '${replayId}'`;
  const ended = await whileUncommitted(db, [end], "AND position =", () => {
    target.open();
    return replayEnded(api, id, replayId, key);
  });
  expect(ended).toMatchObject({ status: "canceled", searched: 50 });
  await target.stop();
});

test("A bulk replay continues after its events were deleted, and says how many were gone", async ({
  api,
  db,
  key,
}) => {
  const target = await startHoldingTarget();
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 150 });
  const { id: replayId } = await startReplay(api, id, { url: target.url }, key);
  await expect.poll(() => target.held.length).toBeGreaterThan(0);
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events`, { key }), 204);
  target.open();
  const ended = await replayEnded(api, id, replayId, key);
  expect(ended).toMatchObject({ status: "completed", total: 150, delivered: 50, gone: 100 });
  await target.stop();
});

test("Only endpoints of an organization have bulk replays, three at a time", async ({
  api,
  db,
  key,
}) => {
  const open = await makeEndpoint(api);
  const body = { url: "http://localhost/" };
  expectError(
    await api("POST", `/api/webhooks/${open.id}/replays`, { body, key }),
    403,
    "forbidden",
  );
  const target = await startHoldingTarget();
  const { id } = await makeEndpoint(api, { key });
  await capture(api, id, { raw: "x" });
  // Neither a message may ask for one, whose messages could ask again.
  for (const header of ["message-attempt", "replay-message-id"]) {
    const ofMessage = { body: { url: target.url }, key, headers: { [header]: "1" } };
    const looping = await api("POST", `/api/webhooks/${id}/replays`, ofMessage);
    expectError(looping, 403, "forbidden");
  }
  const asked = await Promise.all(
    [1, 2, 3, 4, 5].map(() =>
      api("POST", `/api/webhooks/${id}/replays`, { key, body: { url: target.url } }),
    ),
  );
  expect(asked.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429]);
  const running = asked.filter(({ status }) => status === 202).map(({ body }) => body.id);
  await expect.poll(() => target.held.length).toBe(3);
  target.open();
  for (const replayId of running) await replayEnded(api, id, replayId, key);
  await db.query("UPDATE webhook_replays SET total = 50000 WHERE id = $1", [running[0]]);
  const tooMany = await api("POST", `/api/webhooks/${id}/replays`, { key, body });
  expectError(tooMany, 429, "rate_limited");
  expect(tooMany.body.error.message).toContain("50000 events for bulk replays in 24 hours");
  await target.stop();
});

test("Invalid input of a bulk replay is refused with the name of its field", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const path = `/api/webhooks/${id}/replays`;
  const refused = async (body: object, code: string, param: string) =>
    expectError(await api("POST", path, { key, body }), 400, code, param);
  await refused({}, "missing_required_param", "url");
  await refused({ url: "ftp://example.com/" }, "invalid_param", "url");
  await refused({ url: "http://10.0.0.1/" }, "url_not_allowed", "url");
  await refused({ url: "https://example.com/", since: "wev_1" }, "invalid_param", "since");
  await refused({ url: "https://example.com/", q: "x".repeat(201) }, "invalid_param", "q");
  await refused({ url: "https://example.com/", retry: "yes" }, "invalid_param", "retry");
  await refused({ url: "https://example.com/", headers: {} }, "unknown_param", "headers");
  const other = await makeEndpoint(api, { key });
  const empty = await startReplay(api, id, { url: "https://example.com/" }, key);
  expect(empty).toMatchObject({ status: "completed", total: 0 });
  const elsewhere = await api("GET", `/api/webhooks/${other.id}/replays/${empty.id}`, { key });
  expectError(elsewhere, 404, "resource_not_found");
});

/** A replay of 200 events to a target that holds each request. The first ones are under way. */
async function startHeld(api: Api, db: Pool, key: string) {
  const target = await startHoldingTarget();
  const { id } = await makeEndpoint(api, { key, max_events: 300 });
  await fillEndpoint(db, { id, count: 200 });
  const { id: replayId } = await startReplay(api, id, { url: target.url, retry: true }, key);
  await expect.poll(() => target.held.length).toBeGreaterThan(0);
  return { target, id, replayId };
}
