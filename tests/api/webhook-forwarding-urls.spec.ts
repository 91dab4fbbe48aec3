import type { Pool } from "pg";
import { expectError, expectStatus } from "../support/expectations";
import { expect, onCitus, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import { lockWaits, whileLocked } from "../support/locks";
import { dispatch, publicWebhookId } from "../support/messages";
import { makeSchedule, runsOf } from "../support/schedules";
import { pause } from "../support/servers";
import { githubHeaders } from "../support/signatures";
import { startHoldingTarget, startTarget } from "../support/target";
import { startTcpProxy } from "../support/tcp-proxy";
import {
  allEvents,
  arrivals,
  capture,
  forwardedTo,
  makeEndpoint,
  readEvent,
} from "../support/webhooks";

/** Forwarding of captured events to a URL. */

const SECRET = "It's a Secret to Everybody";

test("A verified event is forwarded as a message with its method, headers and bytes, and names that message", async ({
  api,
}) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api);
  const verification = { body: { scheme: "github", secret: SECRET } };
  expectStatus(await api("PUT", `/api/webhooks/${id}/verification`, verification), 200);
  await forwardTo(api, id, `${target.url}/hook`);
  const raw = Buffer.from([1, 0, 255]);
  const headers = { ...githubHeaders(SECRET, raw, "d-1"), authorization: "Basic c2VjcmV0" };
  const response = await api("PUT", `/api/catch/${id}`, { raw, headers });
  const forged = await capture(api, id, { raw: "y", headers });
  const messageId = await forwardedTo(api, id, response.body.event_id);
  const [received] = await arrivals(api, target, 1);
  expect(received).toMatchObject({ method: "PUT", path: "/hook" });
  expect(received?.body.equals(raw)).toBe(true);
  expect(received?.headers).toMatchObject({
    "x-github-delivery": "d-1",
    "webhook-forwarded": "1",
    // Of a public endpoint's message too the ID is the permission.
    "webhook-id": publicWebhookId(messageId),
  });
  expect(received?.headers.authorization).toBeUndefined();
  await expect
    .poll(async () => (await api("GET", `/api/messages/${messageId}`)).body)
    .toMatchObject({ status: "delivered", organization_id: null });
  expect((await api("GET", `/api/messages/${messageId}/attempts`)).body.data).toHaveLength(1);
  expect((await readEvent(api, id, forged)).forward).toMatchObject({ reason: "not_verified" });
  expect(target.received).toHaveLength(1);
  await target.stop();
});

test("Messages of forwards have the endpoint's owner, or its claim token", async ({
  api,
  key,
  organization,
}) => {
  const owned = await makeEndpoint(api, { key });
  const open = await makeEndpoint(api);
  await forwardTo(api, owned.id, "https://example.invalid/", key);
  await forwardTo(api, open.id, "https://example.invalid/");
  const ownedEvent = await capture(api, owned.id, { raw: "x" });
  const openEvent = await capture(api, open.id, { raw: "x" });
  const ownedMessage = await forwardedTo(api, owned.id, ownedEvent, key);
  const openMessage = await forwardedTo(api, open.id, openEvent);
  expectError(await api("GET", `/api/messages/${ownedMessage}`), 403, "forbidden");
  const shown = await api("GET", `/api/messages/${ownedMessage}`, { key });
  expect(shown.body.organization_id).toBe(organization.id);
  const claim = await api("POST", `/api/claim/${openMessage}`, {
    key,
    body: { claim_token: open.claim_token },
  });
  expectStatus(claim, 200);
});

test("A forwarded event that comes back is captured and not forwarded again", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  // Another address of the same service, which a comparison does not find.
  const proxy = await startTcpProxy(baseUrl);
  await forwardTo(api, id, new URL(`/api/catch/${id}`, proxy.url).href);
  const first = await capture(api, id, { raw: "x" });
  await forwardedTo(api, id, first);
  let events: { id: string; forward: { status: string; reason: string } }[] = [];
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      const list = await api("GET", `/api/webhooks/${id}/events`);
      events = jsonOf<{ data: typeof events }>(list).data;
      return events.length;
    })
    .toBe(2);
  expect(events.find((event) => event.id !== first)?.forward).toMatchObject({
    status: "skipped",
    reason: "loop",
  });
  // A replay of that event is a new request, without the mark.
  const again = events.find((event) => event.id !== first)?.id;
  const replayed = await api("POST", `/api/webhooks/${id}/events/${again}/replay`, {
    body: { url: "https://example.invalid/" },
  });
  expect(replayed.text).not.toContain("webhook-forwarded");
  await proxy.close();
});

test("A dot at the end of our host's name makes it no other host", async ({
  api,
  baseUrl,
  key,
}) => {
  const { id } = await makeEndpoint(api);
  const url = `http://localhost.:${new URL(baseUrl).port}/api/catch/${id}`;
  const forward = await api("PUT", `/api/webhooks/${id}/forward`, { body: { url } });
  expectError(forward, 400, "invalid_param", "url");
  const subscription = { url, headers: { "x-note": "x" } };
  const pushed = await api("POST", "/api/subscriptions", { key, body: subscription });
  expectError(pushed, 400, "invalid_param", "headers");
  // Loopback is a trusted proxy here.
  const headers = { "x-note": "x", "x-forwarded-for": "203.0.113.7" };
  expectStatus(
    await api("POST", "/api/messages", { body: { url, headers, delay_seconds: 0 } }),
    201,
  );
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      return (await allEvents(api, id)).length;
    })
    .toBe(1);
  const [event] = await allEvents(api, id);
  expect(event?.headers["x-note"]).toBe("x");
  expect(event?.source_ip).not.toBe("203.0.113.7");
});

test("A forward that asks for a message into its own endpoint ends too", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const raw = JSON.stringify({ url: `${baseUrl}/api/catch/${id}`, delay_seconds: 0 });
  await forwardTo(api, id, `${baseUrl}/api/messages`);
  await capture(api, id, { raw, headers: { "Content-Type": "application/json" } });
  const reasons = async () => {
    await api("POST", "/api/messages/dispatch");
    const list = await api("GET", `/api/webhooks/${id}/events`);
    const { data } = jsonOf<{ data: { forward: { reason: string } | null }[] }>(list);
    return data.map(({ forward }) => forward?.reason ?? null);
  };
  await expect.poll(async () => (await reasons()).length).toBeGreaterThan(1);
  await reasons();
  expect(await reasons()).toEqual(["loop", null]);
});

test("A forward runs a schedule, unless its message could come back to the endpoint", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const message = { url: `${baseUrl}/api/catch/${id}`, delay_seconds: 0 };
  const sending = await makeSchedule(api, undefined, { target: { message } });
  await forwardTo(api, id, `${baseUrl}/api/schedules/${sending.id}/run`);
  const refused = await forwardedTo(api, id, await capture(api, id));
  const harmless = await makeSchedule(api, undefined);
  await forwardTo(api, id, `${baseUrl}/api/schedules/${harmless.id}/run`);
  const accepted = await forwardedTo(api, id, await capture(api, id));
  const ended = async (messageId: string) => {
    await api("POST", "/api/messages/dispatch");
    return (await api("GET", `/api/messages/${messageId}`)).body;
  };
  await expect.poll(() => ended(accepted)).toMatchObject({ status: "delivered" });
  await expect
    .poll(() => ended(refused))
    .toMatchObject({ status: "failed", response_status: 403, next_attempt_at: null });
  const attempts = await api("GET", `/api/messages/${refused}/attempts`);
  expect(attempts.text).toContain("cannot run a schedule that sends messages");
  expect(await runsOf(api, sending.id)).toEqual([]);
  expect(await runsOf(api, harmless.id)).toMatchObject([{ status: "created" }]);
  expect(await allEvents(api, id)).toHaveLength(2);
});

test("Events wait while a public endpoint has many messages that have not ended, and none is sent twice", async ({
  api,
  db,
  rows,
}) => {
  const { id } = await makeEndpoint(api);
  await forwardTo(api, id, "https://example.invalid/");
  await db.query(
    `UPDATE scheduled_messages SET due_at = unix_now() + 3600 WHERE webhook_endpoint_id = $1`,
    [id],
  );
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 20 }, () => capture(api, id, { raw: "x" })));
    await db.query(
      `UPDATE scheduled_messages SET due_at = unix_now() + 3600 WHERE webhook_endpoint_id = $1`,
      [id],
    );
  }
  const state = () => api("GET", `/api/webhooks/${id}/forward`);
  await expect
    .poll(async () => jsonOf<object>(await state()))
    .toMatchObject({ held_count: 10, held_reason: "too_many_pending" });
  await db.query(
    `UPDATE scheduled_messages SET due_at = NULL, status = 'canceled' WHERE webhook_endpoint_id = $1`,
    [id],
  );
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  await expect.poll(async () => jsonOf<object>(await state())).toMatchObject({ held_count: 0 });
  const sent = await rows.scheduledMessage.findMany({ where: { webhook_endpoint_id: id } });
  expect(new Set(sent.map((row) => row.webhook_event_id)).size).toBe(60);
  expect(sent).toHaveLength(60);
});

test("An endpoint that is locked takes one connection, however many dispatches wait for it", async ({
  api,
  db,
}) => {
  test.skip(onCitus, "Finds out who waits for a lock on one server");
  const { id } = await makeEndpoint(api);
  const event = await capture(api, id, { raw: "x" });
  await forwardTo(api, id, "https://example.invalid/");
  const locking = await db.connect();
  const dispatches: Promise<unknown>[] = [];
  try {
    await locking.query("BEGIN");
    await locking.query("SELECT FROM endpoint_state WHERE endpoint_id = $1 FOR UPDATE", [id]);
    await db.query("UPDATE webhook_events SET forward_status = 'held' WHERE id = $1", [event]);
    for (let i = 0; i < 8; i++) dispatches.push(api("POST", "/api/messages/dispatch"));
    const waiting = () => lockWaits(db, "FOR NO KEY UPDATE OF e, state");
    await expect.poll(waiting, { intervals: [20] }).toBeGreaterThan(0);
    await Promise.all(Array.from({ length: 5 }, () => api("GET", `/api/webhooks/${id}`)));
    expect(await waiting()).toBe(1);
  } finally {
    await locking.query("ROLLBACK");
    locking.release();
    await Promise.all(dispatches);
  }
  await expect
    .poll(async () => (await readEvent(api, id, event)).forward?.status)
    .toBe("forwarded");
});

test("An ended message is deleted with its event, a pending one is not", async ({ api, db }) => {
  const { id } = await makeEndpoint(api, { max_events: 2 });
  await forwardTo(api, id, "https://example.invalid/");
  const messages: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    messages.push(await forwardedTo(api, id, await capture(api, id, { raw: `${n}` })));
  }
  const [ended, pending] = messages;
  const end = (message: string | undefined) =>
    db.query("UPDATE scheduled_messages SET due_at = NULL, status = 'delivered' WHERE id = $1", [
      message,
    ]);
  await end(ended);
  await db.query("UPDATE scheduled_messages SET due_at = unix_now() + 3600 WHERE id = $1", [
    pending,
  ]);
  for (let n = 0; n < 2; n += 1) await capture(api, id, { raw: "newer" });
  await expect.poll(async () => (await api("GET", `/api/messages/${ended}`)).status).toBe(404);
  expectStatus(await api("GET", `/api/messages/${pending}`), 200);

  const event = await capture(api, id, { raw: "deleted" });
  const forwarded = await forwardedTo(api, id, event);
  await end(forwarded);
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events/${event}`), 204);
  expectStatus(await api("GET", `/api/messages/${forwarded}`), 404);
});

test("Deleting a forward, or its endpoint, cancels the messages that are still to be sent", async ({
  api,
  db,
}) => {
  for (const deleted of ["/forward", ""]) {
    const { id } = await makeEndpoint(api);
    await forwardTo(api, id, "https://example.invalid/");
    const message = await forwardedTo(api, id, await capture(api, id, { raw: "x" }));
    await db.query(
      `UPDATE scheduled_messages SET status = 'failed', due_at = unix_now() + 3600, lease_token = NULL
       WHERE id = $1`,
      [message],
    );
    expectStatus(await api("DELETE", `/api/webhooks/${id}${deleted}`), 204);
    const { body } = await api("GET", `/api/messages/${message}`);
    expect(body, deleted).toMatchObject({ status: "canceled", next_attempt_at: null });
  }
});

test("An attempt that is under way when its forward ends is the last, also if its server stops, until a retry by hand", async ({
  api,
  db,
}) => {
  for (const deleted of ["/forward", ""]) {
    const target = await startHoldingTarget();
    const { id } = await makeEndpoint(api);
    await forwardTo(api, id, target.url);
    const messages: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      messages.push(await forwardedTo(api, id, await capture(api, id, { raw: `${n}` })));
    }
    await expect.poll(() => target.held.length).toBe(2);
    expectStatus(await api("DELETE", `/api/webhooks/${id}${deleted}`), 204);
    const read = async (n: number) => (await api("GET", `/api/messages/${messages[n]}`)).body;
    expect(await read(0)).toMatchObject({ status: "delivering" });
    // As if the server had been killed, and the lease of the second one had ended.
    await db.query("UPDATE scheduled_messages SET due_at = unix_now() - 1 WHERE id = $1", [
      messages[1],
    ]);
    await dispatch(api);
    const fail = () => {
      for (const response of target.held.splice(0)) response.writeHead(500).end();
    };
    fail();
    for (const n of [0, 1]) {
      await expect.poll(async () => (await read(n)).status, deleted).toBe("failed");
      expect(await read(n), deleted).toMatchObject({ attempts: 1, next_attempt_at: null });
    }
    expectStatus(await api("POST", `/api/messages/${messages[0]}/retry`), 200);
    await expect.poll(() => target.held.length).toBe(1);
    fail();
    await expect.poll(async () => (await read(0)).status, deleted).toBe("failed");
    expect(await read(0), deleted).toMatchObject({ next_attempt_at: expect.anything() });
    await target.stop();
  }
});

test("An endpoint is never gone while a message of its forward is still to be sent, nor an event before its message", async ({
  api,
  db,
}) => {
  const { id } = await makeEndpoint(api);
  await forwardTo(api, id, "https://example.invalid/");
  const path = `/api/webhooks/${id}`;
  const forwarded = async (columns: string) => {
    const event = await capture(api, id, { raw: "x" });
    const message = await forwardedTo(api, id, event);
    // An attempt may be under way.
    const set = `${columns}, lease_token = NULL`;
    await db.query(`UPDATE scheduled_messages SET ${set} WHERE id = $1`, [message]);
    return { event, lock: { table: "scheduled_messages", id: message } };
  };
  const statusOf = async (of: string) => (await api("GET", of)).status;
  const deleted = await forwarded("status = 'delivered', due_at = NULL");
  const evicted = await forwarded("status = 'delivered', due_at = NULL");
  const pending = await forwarded("status = 'failed', due_at = unix_now() + 3600");

  // What another process or a crash would find in between.
  const event = `${path}/events/${deleted.event}`;
  const [, eventBefore] = await whileLocked(
    db,
    deleted.lock,
    () => api("DELETE", event),
    () => statusOf(event),
  );
  expect(eventBefore).toBe(200);
  expect(await statusOf(`/api/messages/${deleted.lock.id}`)).toBe(404);

  const stored = "SELECT FROM webhook_events WHERE endpoint_id = $1 AND id = $2";
  const isStored = async () => (await db.query(stored, [id, evicted.event])).rowCount;
  const locking = await db.connect();
  try {
    await locking.query("BEGIN");
    await locking.query("SELECT FROM scheduled_messages WHERE id = $1 FOR UPDATE", [
      evicted.lock.id,
    ]);
    expectStatus(await api("DELETE", `${path}/events`), 204);
    // Its row is removed half a second later.
    await pause(1500);
    expect(await isStored()).toBe(1);
  } finally {
    locking.release(true);
  }
  await expect.poll(isStored).toBe(0);
  expect(await statusOf(`/api/messages/${evicted.lock.id}`)).toBe(404);

  const [, endpointBefore] = await whileLocked(
    db,
    pending.lock,
    () => api("DELETE", path),
    () => statusOf(path),
  );
  expect(endpointBefore).toBe(200);
  expect(await statusOf(path)).toBe(404);
  const { body } = await api("GET", `/api/messages/${pending.lock.id}`);
  expect(body.status).toBe("canceled");
});

test("Who reaches only the endpoint neither cancels nor deletes a message that another owner has claimed", async ({
  api,
  db,
  key,
}) => {
  const { id, claim_token } = await makeEndpoint(api);
  const body = { url: "http://127.0.0.1:9/", claim_token };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { body }), 200);
  const claimOne = async (columns: string) => {
    const event = await capture(api, id, { raw: "x" });
    const message = await forwardedTo(api, id, event);
    // An attempt may be under way.
    const set = `${columns}, lease_token = NULL`;
    await db.query(`UPDATE scheduled_messages SET ${set} WHERE id = $1`, [message]);
    const claim = { key, body: { claim_token } };
    expectStatus(await api("POST", `/api/claim/${message}`, claim), 200);
    return { event, message };
  };
  const pending = await claimOne("status = 'failed', due_at = unix_now() + 3600");
  const ended = await claimOne("status = 'delivered', due_at = NULL");
  const evicted = await claimOne("status = 'delivered', due_at = NULL");
  const statusOf = async ({ message }: { message: string }) =>
    (await api("GET", `/api/messages/${message}`, { key })).body.status;

  expectStatus(await api("DELETE", `/api/webhooks/${id}/events/${ended.event}`), 204);
  expect(await statusOf(ended)).toBe("delivered");
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events`), 204);
  const left = "SELECT FROM webhook_events WHERE endpoint_id = $1";
  await expect.poll(async () => (await db.query(left, [id])).rowCount).toBe(0);
  expectStatus(await api("DELETE", `/api/webhooks/${id}/forward`), 204);
  expect(await statusOf(pending)).toBe("failed");
  expectStatus(await api("DELETE", `/api/webhooks/${id}`), 204);
  expect(await statusOf(pending)).toBe("failed");
  expect(await statusOf(evicted)).toBe("delivered");
});

test("An endpoint that keeps one event sends every event of a burst", async ({ api, key }) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api, { key, max_events: 1 });
  await forwardTo(api, id, target.url, key);
  await Promise.all(Array.from({ length: 50 }, (_, n) => capture(api, id, { raw: `${n}` })));
  const received = await arrivals(api, target, 50);
  expect(new Set(received.map(({ body }) => body.toString())).size).toBe(50);
  await target.stop();
});

test("Events that were pushed out before a server ended are sent before they are deleted", async ({
  api,
  db,
}) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api);
  await forwardTo(api, id, target.url);
  await insertHeld(db, id, 5);
  await db.query("UPDATE endpoint_state SET gone_up_to = 'wev_5' WHERE endpoint_id = $1", [id]);
  // The next eviction deletes what is left of earlier ones.
  expectStatus(await api("PATCH", `/api/webhooks/${id}`, { body: { max_events: 1 } }), 200);
  await arrivals(api, target, 5);
  const left = "SELECT FROM webhook_events WHERE endpoint_id = $1";
  await expect.poll(async () => (await db.query(left, [id])).rowCount).toBe(0);
  await target.stop();
});

test("Events that were deleted or dropped behind an obstacle are not sent, and later ones are", async ({
  api,
  db,
}) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api);
  await forwardTo(api, id, target.url);
  const stored = async () =>
    (await db.query("SELECT FROM webhook_events WHERE endpoint_id = $1", [id])).rowCount;

  await insertHeld(db, id, 5);
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events`), 204);
  await expect.poll(stored).toBe(0);

  await insertHeld(db, id, 5);
  const dropped = "gone_up_to = 'wev_5', obstacle = 'too_many_pending'";
  await db.query(`UPDATE endpoint_state SET ${dropped} WHERE endpoint_id = $1`, [id]);
  // The first clears the obstacle.
  for (const raw of ["first", "second"])
    await forwardedTo(api, id, await capture(api, id, { raw }));
  const received = await arrivals(api, target, 2);
  expect(received.map(({ body }) => body.toString()).sort()).toEqual(["first", "second"]);
  const sent = "SELECT FROM scheduled_messages WHERE webhook_endpoint_id = $1";
  expect((await db.query(sent, [id])).rowCount).toBe(2);
  await target.stop();
});

test("A foreign web page cannot forward to the developer's machine, nor trigger a forward to it", async ({
  api,
  rows,
}) => {
  const target = await startTarget();
  const { id } = await makeEndpoint(api);
  const headers = { origin: "http://evil.example" };
  const put = await api("PUT", `/api/webhooks/${id}/forward`, {
    body: { url: target.url },
    headers,
  });
  expectError(put, 403, "forbidden", "url");
  await forwardTo(api, id, target.url);
  const foreign = await forwardedTo(api, id, await capture(api, id, { raw: "x", headers }));
  const local = await forwardedTo(api, id, await capture(api, id, { raw: "y" }));
  const where = { webhook_endpoint_id: id };
  const sent = await rows.scheduledMessage.findMany({ where, orderBy: { id: "asc" } });
  expect(sent).toMatchObject([
    { id: foreign, public_only: true },
    { id: local, public_only: false },
  ]);
  const [received] = await arrivals(api, target, 1);
  expect(received?.body.toString()).toBe("y");
  await target.stop();
});

/** Events `wev_1`, `wev_2`, … that wait for their turn. */
async function insertHeld(db: Pool, endpointId: string, count: number): Promise<void> {
  await db.query(
    `INSERT INTO webhook_events
       (endpoint_id, id, method, path, query_string, headers, body, size_bytes, forward_status)
     SELECT $1, 'wev_' || n, 'POST', '/', '', '{}', '', 0, 'held' FROM generate_series(1, $2) AS n`,
    [endpointId, count],
  );
}

async function forwardTo(api: Api, id: string, url: string, key?: string): Promise<void> {
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { key, body: { url } }), 200);
}
