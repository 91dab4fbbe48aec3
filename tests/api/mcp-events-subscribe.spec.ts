import type { Client } from "@modelcontextprotocol/client";
import { Webhook } from "standardwebhooks";
import { makeAccessToken, makeKey } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect } from "../support/fixtures";
import { sha256 } from "../support/keys";
import { lockWaits, whileUncommitted } from "../support/locks";
import { test as base, REVISIONS } from "../support/mcp";
import { newSecret, startCallback } from "../support/mcp-callback";
import { callEvents } from "../support/mcp-events";
import { startTarget } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** `events/subscribe` and `events/unsubscribe` of MCP Events. */

interface Subscribed {
  id: string;
  refreshBefore: string;
  cursor: string;
  truncated: boolean;
  deliveryStatus?: { active: boolean };
}

type Callback = Awaited<ReturnType<typeof startCallback>>;

const test = base.extend<{
  callback: (...args: Parameters<typeof startCallback>) => Promise<Callback>;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of the fixtures
  callback: async ({}, use) => {
    const started: Callback[] = [];
    await use(async (...args) => {
      const callback = await startCallback(...args);
      started.push(callback);
      return callback;
    });
    for (const one of started) {
      expect(one.failures).toEqual([]);
      await one.stop();
    }
  },
});

const subscribe = (client: Client, params: object) =>
  callEvents<Subscribed>(client, "subscribe", { ...params });

for (const revision of REVISIONS) {
  test(`A callback that echoes gets each capture, signed and in order, until it unsubscribes (${revision})`, async ({
    api,
    callback,
    connect,
    key,
  }) => {
    const { id } = await makeEndpoint(api, { key });
    const { delivery, events, controls, target } = await callback();
    const client = await connect({ key, revision });
    const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
    const subscribed = await subscribe(client, { ...asked, cursor: null });
    expect(subscribed).toMatchObject({ id: expect.stringMatching(/^sub_/), truncated: false });
    const seconds = (Date.parse(subscribed.refreshBefore) - Date.now()) / 1000;
    expect(Math.abs(seconds - 86_400)).toBeLessThan(60);
    expect(controls.map(({ type }) => type)).toEqual(["verification"]);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await capture(api, id, { raw: `${i}` }));
    await expect.poll(() => events.map(({ eventId }) => eventId)).toEqual(ids);
    expect(events[0]).toMatchObject({ name: "webhook.received", data: { body: "0" } });
    expect(
      target.received.every(({ headers }) => headers["x-mcp-subscription-id"] === subscribed.id),
    ).toBe(true);
    const again = await subscribe(client, { ...asked, ttlMs: 1, cursor: events.at(-1)?.cursor });
    expect(again).toMatchObject({ id: subscribed.id, deliveryStatus: { active: true } });
    expect(Date.parse(again.refreshBefore) - Date.now()).toBeLessThan(301_000);
    expect(controls).toHaveLength(1);
    const { secret: _, ...where } = delivery;
    await callEvents(client, "unsubscribe", { ...asked, delivery: where });
    await capture(api, id, { raw: "late" });
    await expect(
      callEvents(client, "unsubscribe", { ...asked, delivery: where }),
    ).rejects.toMatchObject({ code: -32023, data: { kind: "subscription" } });
    expect(events).toHaveLength(5);
  });
}

test("Ready work, ended messages and changes reach a callback within its subscription, and again one that is made again at once", async ({
  api,
  callback,
  connect,
  key,
}) => {
  const { delivery, events } = await callback();
  const client = await connect({ key });
  const inbox = await api("POST", "/api/inboxes", { key, body: { name: "I" } });
  const ready = { name: "inbox.ready", arguments: { inbox_id: inbox.body.id } };
  const asked = [
    ready,
    { name: "task.ready" },
    { name: "message.ended" },
    { name: "change", arguments: { kinds: ["artifacts"] } },
  ];
  for (const one of asked) await subscribe(client, { ...one, delivery });
  await api("POST", `/api/inboxes/${inbox.body.id}/events`, { raw: "work" });
  await api("POST", "/api/tasks", { key, body: { name: "Work" } });
  const message = { url: "https://example.com/", delay_seconds: 3600 };
  const { body: made } = await api("POST", "/api/messages", { key, body: message });
  await api("POST", `/api/messages/${made.id}/cancel`, { key });
  await api("POST", "/api/artifacts", { key, body: { name: "A", content: "x" } });
  await expect
    .poll(() => [...new Set(events.map(({ name }) => name))].toSorted())
    .toEqual(asked.map(({ name }) => name).toSorted());
  const numberOf = (wanted: string) => events.filter(({ name }) => name === wanted).length;
  for (const count of [2, 3, 4, 5, 6]) {
    // Once the change has come, the service has looked at all of them.
    await api("POST", "/api/artifacts", { key, body: { name: "A", content: "x" } });
    await expect.poll(() => numberOf("change")).toBe(count);
    await callEvents(client, "unsubscribe", { ...ready, delivery: { url: delivery.url } });
    await subscribe(client, { ...ready, delivery });
    await expect.poll(() => numberOf("inbox.ready")).toBe(count);
  }
});

test("A task whose blocker had no owner is announced to a callback within half a minute", async ({
  api,
  callback,
  connect,
  key,
}) => {
  const { delivery, events } = await callback();
  const client = await connect({ key });
  const make = async () => (await api("POST", "/api/tasks", { body: { name: "Public" } })).body;
  const [task, blocker] = [await make(), await make()];
  expectStatus(await api("PUT", `/api/tasks/${task.id}/blockers/${blocker.id}`), 204);
  const { claim_token } = task;
  expectStatus(await api("POST", `/api/claim/${task.id}`, { key, body: { claim_token } }), 200);
  await subscribe(client, { name: "task.ready", delivery });
  await subscribe(client, { name: "change", arguments: { kinds: ["artifacts"] }, delivery });
  await api("POST", "/api/artifacts", { key, body: { name: "A", content: "x" } });
  // Once the change has come, the service has looked at both.
  const names = () => events.map(({ name }) => name);
  await expect.poll(names).toEqual(["change"]);
  expectStatus(await api("POST", `/api/tasks/${blocker.id}/complete`), 200);
  await expect.poll(names, { timeout: 45_000 }).toEqual(["change", "task.ready"]);
});

test("A subscription whose arguments only another version takes does not stop the others", async ({
  api,
  callback,
  connect,
  db,
  key,
}) => {
  const { delivery, events } = await callback();
  const client = await connect({ key });
  const asked = { name: "change", delivery };
  const newer = await subscribe(client, { ...asked, arguments: { kinds: ["artifacts"] } });
  await subscribe(client, { ...asked, arguments: { kinds: ["tasks"] } });
  // Made again, so that no process knows it with its old arguments.
  await db.query(
    `UPDATE subscriptions SET arguments = '{"kinds":["boards"]}', id = id || 'x' WHERE id = $1`,
    [newer.id],
  );
  try {
    await api("POST", "/api/tasks", { key, body: { name: "T" } });
    await expect.poll(() => events.length).toBe(1);
  } finally {
    await db.query("DELETE FROM subscriptions WHERE id = $1", [`${newer.id}x`]);
  }
});

test("410 and 413 drop one event; the subscription goes on", async ({
  api,
  callback,
  connect,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const { delivery, accepted, events } = await callback((_, nth) => [410, 413][nth - 1] ?? 200);
  const client = await connect({ key });
  await subscribe(client, { name: "webhook.received", arguments: { endpoint_id: id }, delivery });
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await capture(api, id, { raw: `${i}` }));
  await expect.poll(() => accepted.map(({ eventId }) => eventId)).toEqual(ids.slice(2));
  expect(events).toHaveLength(4);
});

test("Five failures suspend it until it is refreshed, and nothing is lost or passed", async ({
  api,
  callback,
  connect,
  db,
  key,
}) => {
  let isUp = false;
  const { id } = await makeEndpoint(api, { key });
  const { delivery, accepted, events } = await callback(() => (isUp ? 204 : 401));
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const { id: subscription, cursor } = await subscribe(client, asked);
  const ids: string[] = [];
  const watching = await callback();
  await subscribe(client, { ...asked, delivery: watching.delivery });
  for (let i = 0; i < 3; i++) {
    ids.push(await capture(api, id, { raw: `${i}` }));
    await expect.poll(() => events.length).toBeGreaterThan(0);
  }
  const suspended = "SELECT suspended_at FROM subscriptions WHERE id = $1 AND suspended_at > 0";
  // News changes nothing between two attempts.
  await expect.poll(() => watching.accepted.length).toBe(3);
  expect((await db.query(suspended, [subscription])).rowCount).toBe(0);
  await expect
    .poll(async () => {
      // The retries are due at once.
      await db.query(
        "UPDATE scheduled_messages SET due_at = unix_now() WHERE subscription_id = $1 AND status = 'failed' AND due_at > unix_now()",
        [subscription],
      );
      return events.length;
    })
    .toBe(5);
  await expect.poll(async () => (await db.query(suspended, [subscription])).rowCount).toBe(1);
  expect(new Set(events.map(({ eventId }) => eventId))).toEqual(new Set([ids[0]]));
  const other = await callback(() => 503);
  const ending = { ...asked, delivery: other.delivery };
  await subscribe(client, ending);
  await capture(api, id, { raw: "of the other" });
  // Between two attempts, so that none is on its way, and with the next one far off.
  const between =
    "UPDATE scheduled_messages SET due_at = unix_now() + 600 WHERE url = $1 AND status = 'failed' AND due_at IS NOT NULL";
  await expect.poll(async () => (await db.query(between, [other.url])).rowCount).toBe(1);
  const attempts = other.events.length;
  await callEvents(client, "unsubscribe", { ...ending, delivery: { url: other.url } });
  await db.query("UPDATE scheduled_messages SET due_at = unix_now() WHERE url = $1", [other.url]);
  const ended = "SELECT last_error FROM scheduled_messages WHERE url = $1 AND due_at IS NULL";
  await expect
    .poll(
      async () => (await db.query<{ last_error: string }>(ended, [other.url])).rows[0]?.last_error,
    )
    .toContain("The subscription has ended");
  expect(other.events).toHaveLength(attempts);
  isUp = true;
  const refreshed = await subscribe(client, asked);
  expect(refreshed).toMatchObject({ cursor, deliveryStatus: { active: false } });
  await expect.poll(() => accepted.map(({ eventId }) => eventId).slice(0, 3)).toEqual(ids);
});

test("A refresh after the last failure but before the suspension sends the event again", async ({
  api,
  callback,
  connect,
  db,
  key,
}) => {
  let isUp = false;
  const { id } = await makeEndpoint(api, { key });
  const { delivery, accepted } = await callback(() => (isUp ? 204 : 503));
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const { id: subscription } = await subscribe(client, asked);
  const event = await capture(api, id);
  const failed = `FROM scheduled_messages
    WHERE subscription_id = '${subscription}' AND status = 'failed' AND due_at > unix_now()`;
  await expect.poll(async () => (await db.query(`SELECT ${failed}`)).rowCount).toBe(1);
  isUp = true;
  await whileUncommitted(
    db,
    [
      `SELECT FROM subscriptions WHERE id = '${subscription}' FOR UPDATE`,
      `UPDATE scheduled_messages SET due_at = NULL WHERE id IN (SELECT id ${failed})`,
    ],
    "expires_at > unix_now() FOR NO KEY UPDATE",
    () => subscribe(client, asked),
  );
  await expect.poll(() => accepted.map(({ eventId }) => eventId)).toEqual([event]);
});

test("A replaced secret still signs, also after a refresh with the new one", async ({
  api,
  callback,
  connect,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const { accepted, delivery, target } = await callback();
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const renewed = { ...delivery, secret: newSecret() };
  for (const given of [delivery, renewed, renewed]) {
    await subscribe(client, { ...asked, delivery: given });
  }
  await capture(api, id);
  // The callback verifies with the first.
  await expect.poll(() => accepted).toHaveLength(1);
  const sent = target.received.at(-1);
  if (!sent) throw new Error("Nothing was sent.");
  const headers = sent.headers as Record<string, string>;
  new Webhook(renewed.secret).verify(sent.body.toString(), headers);
});

test("The end of a subscription, too, is signed by a secret that was replaced", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const own = await makeKey(db, organization.id);
  const { controls, delivery } = await callback();
  const client = await connect({ key: own });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const renewed = { ...delivery, secret: newSecret() };
  for (const given of [delivery, renewed]) await subscribe(client, { ...asked, delivery: given });
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(own)]);
  // The callback verifies with the first.
  await expect.poll(() => controls.map(({ type }) => type)).toEqual(["verification", "terminated"]);
});

test("With another SERVER_SECRET nothing is sent unsigned, and a client that subscribes again misses nothing", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const own = await makeKey(db, organization.id);
  const { accepted, controls, delivery, target } = await callback();
  const client = await connect({ key: own });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const { id: subscription } = await subscribe(client, asked);
  const reseal = () =>
    db.query("UPDATE subscriptions SET secret = 'of another secret' WHERE id = $1", [subscription]);
  await reseal();
  const event = await capture(api, id);
  const failed = "SELECT last_error FROM scheduled_messages WHERE subscription_id = $1";
  await expect
    .poll(async () => (await db.query<{ last_error: string }>(failed, [subscription])).rows[0])
    .toEqual({ last_error: "interrupted: SERVER_SECRET was changed. Subscribe again." });
  await subscribe(client, asked);
  await expect
    .poll(async () => {
      await db.query(
        "UPDATE scheduled_messages SET due_at = unix_now() WHERE subscription_id = $1 AND status = 'failed' AND due_at > unix_now()",
        [subscription],
      );
      return accepted.map(({ eventId }) => eventId);
    })
    .toEqual([event]);
  await reseal();
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(own)]);
  const left = "SELECT FROM subscriptions WHERE id = $1";
  await expect.poll(async () => (await db.query(left, [subscription])).rowCount).toBe(0);
  expect(controls.map(({ type }) => type)).toEqual(["verification"]);
  expect(target.received).toHaveLength(2);
});

test("A subscription whose time is over is 404, and lives on if it is extended before it is deleted", async ({
  api,
  callback,
  connect,
  db,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const { delivery } = await callback();
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const { id: subscription } = await subscribe(await connect({ key }), asked);
  const extending = await db.connect();
  try {
    const set = (time: string) =>
      `UPDATE subscriptions SET expires_at = ${time} WHERE id = '${subscription}'`;
    // Sent together, so that it is not deleted in between.
    await extending.query(
      `BEGIN; ${set("unix_now() + 3")}; COMMIT; BEGIN; ${set("unix_now() + 600")}`,
    );
    const waits = () => lockWaits(db, "DELETE FROM subscriptions");
    await expect.poll(waits).toBeGreaterThan(0);
    for (const method of ["GET", "DELETE"]) {
      const response = await api(method, `/api/subscriptions/${subscription}`, { key });
      expectError(response, 404, "resource_not_found");
    }
    await extending.query("COMMIT");
    await expect.poll(waits).toBe(0);
    expectStatus(await api("GET", `/api/subscriptions/${subscription}`, { key }), 200);
  } finally {
    extending.release();
  }
  const left = await db.query("SELECT FROM subscriptions WHERE id = $1", [subscription]);
  expect(left.rowCount).toBe(1);
});

test("A subscription made again after its end starts at the present, and does not send what was left", async ({
  api,
  callback,
  connect,
  db,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const { delivery, events } = await callback(() => 503);
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const { id: subscription } = await subscribe(client, asked);
  const event = await capture(api, id);
  // Between two attempts, with the next one far off.
  const waiting =
    "UPDATE scheduled_messages SET due_at = unix_now() + 600 WHERE subscription_id = $1 AND status = 'failed' AND due_at IS NOT NULL";
  await expect.poll(async () => (await db.query(waiting, [subscription])).rowCount).toBe(1);
  await db.query("UPDATE subscriptions SET expires_at = unix_now() - 1 WHERE id = $1", [
    subscription,
  ]);
  expect(await subscribe(client, asked)).toMatchObject({ id: subscription, cursor: event });
  const left = "SELECT id, status, last_error FROM scheduled_messages WHERE subscription_id = $1";
  const { rows } = await db.query<{ id: string; status: string }>(left, [subscription]);
  expect(rows).toMatchObject([{ status: "canceled" }]);
  // Nor after a retry by hand, or one that followed an attempt that was on its way.
  const attempts = events.length;
  expectStatus(await api("POST", `/api/messages/${rows[0]?.id}/retry`, { key }), 200);
  await expect
    .poll(async () => (await db.query(left, [subscription])).rows)
    .toMatchObject([
      { status: "failed", last_error: expect.stringContaining("The subscription has ended") },
    ]);
  expect(events).toHaveLength(attempts);
});

test("What a subscription has still to send is canceled when it is unsubscribed, over or without its key or its endpoint", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const own = await makeKey(db, organization.id);
  const { delivery } = await callback(() => 503);
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const client = await connect({ key });
  const { id: unsubscribed } = await subscribe(client, asked);
  const { id: over } = await subscribe(client, {
    ...asked,
    delivery: (await callback(() => 503)).delivery,
  });
  const { id: revoked } = await subscribe(await connect({ key: own }), asked);
  const { id: deleted } = await makeEndpoint(api, { key });
  const watching = await callback(() => 503);
  const { id: bereft } = await subscribe(client, {
    ...asked,
    arguments: { endpoint_id: deleted },
    delivery: watching.delivery,
  });
  await capture(api, id);
  await capture(api, deleted);
  const ids = [unsubscribed, over, revoked, bereft];
  // Between two attempts, with the next one far off.
  const waiting = `UPDATE scheduled_messages SET due_at = unix_now() + 600
    WHERE subscription_id = ANY ($1) AND status = 'failed' AND due_at IS NOT NULL`;
  await expect.poll(async () => (await db.query(waiting, [ids])).rowCount).toBe(ids.length);
  await callEvents(client, "unsubscribe", { ...asked, delivery: { url: delivery.url } });
  await db.query("UPDATE subscriptions SET expires_at = unix_now() - 1 WHERE id = $1", [over]);
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(own)]);
  expectStatus(await api("DELETE", `/api/webhooks/${deleted}`, { key }), 204);
  const left = `SELECT status FROM scheduled_messages WHERE subscription_id = ANY ($1)`;
  await expect
    .poll(async () => (await db.query(left, [ids])).rows)
    .toEqual(ids.map(() => ({ status: "canceled" })));
  await expect
    .poll(() => watching.controls.at(-1))
    .toMatchObject({ type: "terminated", error: { code: -32023 } });
});

test("A subscription ends within a second with its key, and with its grant, and says so", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const own = await makeKey(db, organization.id);
  const token = await makeAccessToken(db, organization.id, "mcp");
  const lasting = "UPDATE api_keys SET expires_at = unix_now() + 600 WHERE digest = $1";
  await db.query(lasting, [sha256(own)]);
  for (const credential of [own, token]) {
    const { delivery, events, controls } = await callback();
    const client = await connect({ key: credential });
    const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
    const { id: subscription, refreshBefore } = await subscribe(client, asked);
    if (credential === own) {
      expect(Date.parse(refreshBefore)).toBeLessThan(Date.now() + 660_000);
    }
    await db.query(
      "UPDATE api_keys SET revoked_at = unix_now() WHERE id = (SELECT key_id FROM subscriptions WHERE id = $1)",
      [subscription],
    );
    await expect
      .poll(() => controls.map(({ type }) => type))
      .toEqual(["verification", "terminated"]);
    expect(controls.at(-1)?.error?.code).toBe(-32024);
    await capture(api, id);
    const left = await db.query("SELECT FROM subscriptions WHERE id = $1", [subscription]);
    expect(left.rowCount).toBe(0);
    expect(events).toEqual([]);
  }
  expect(sha256(own)).toHaveLength(64);
});

test("A callback that does not echo, redirects, is silent or is not there is refused, with the reason", async ({
  api,
  connect,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const answers: [status: number, text: string][] = [
    [200, "ok"],
    [200, '{"challenge":"other"}'],
    [302, ""],
    [500, ""],
  ];
  for (const [status, text] of answers) {
    const target = await startTarget((response) => {
      response.writeHead(status, { location: "/else" }).end(text);
    });
    const delivery = { url: target.url, secret: newSecret() };
    await expect(subscribe(client, { ...asked, delivery })).rejects.toMatchObject({
      code: -32027,
      data: { reason: "challenge_failed" },
    });
    await target.stop();
    expect(target.received).toHaveLength(1);
  }
  const silent = await startTarget(() => {});
  const reasons = { [silent.url]: "timeout", "http://127.0.0.1:9/": "connection_refused" };
  for (const [url, reason] of Object.entries(reasons)) {
    const delivery = { url, secret: newSecret() };
    await expect(subscribe(client, { ...asked, delivery })).rejects.toMatchObject({
      code: -32027,
      data: { reason },
    });
  }
  await silent.stop();
  expect((await api("GET", "/api/subscriptions", { key })).body.data).toEqual([]);
});

test("Who may not subscribe, and what may not be subscribed to, gets the code and the field", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
  otherOrganization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const foreign = await makeEndpoint(api, { key: otherOrganization.key });
  const { delivery, url, secret } = await callback();
  const clients = {
    "no key": await connect(),
    "read-only key": await connect({
      key: await makeKey(db, organization.id, { scopes: ["api.read"] }),
    }),
    "full key": await connect({ key }),
  };
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const failures: [by: keyof typeof clients, params: object, code: number, message: string][] = [
    ["no key", asked, -32024, "needs an API key"],
    ["read-only key", asked, -32024, "api.write"],
    ["full key", { ...asked, arguments: { endpoint_id: foreign.id } }, -32024, "another"],
    ["full key", { ...asked, arguments: { endpoint_id: "wh_x" } }, -32023, "wh_x"],
    ["full key", { ...asked, name: "mail" }, -32023, "mail"],
    ["full key", { ...asked, delivery: { ...delivery, mode: "push" } }, -32026, "delivery.mode"],
    ["full key", { ...asked, delivery: { url } }, -32602, "delivery.secret"],
    ["full key", { ...asked, delivery: { url, secret: "whsec_" } }, -32602, "delivery.secret"],
    ["full key", { ...asked, delivery: { url, secret: newSecret(23) } }, -32602, "delivery.secret"],
    ["full key", { ...asked, delivery: { url, secret: newSecret(65) } }, -32602, "delivery.secret"],
    ["full key", { ...asked, delivery: { url: "http://example.com/", secret } }, -32602, "https"],
    [
      "full key",
      { ...asked, delivery: { url: "https://a:b@example.com/", secret } },
      -32602,
      "user",
    ],
    ["full key", { ...asked, delivery: { url: "https://10.0.0.1/", secret } }, -32602, "private"],
    ["full key", { ...asked, delivery: { url: `${url}#x`, secret } }, -32602, "delivery.url"],
    ["full key", { ...asked, ttlMs: 0 }, -32602, "ttlMs"],
    ["full key", { ...asked, cursor: "chg_0" }, -32602, "cursor"],
  ];
  for (const [by, params, code, message] of failures) {
    await expect(subscribe(clients[by], params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  }
  await expect(
    callEvents(clients["no key"], "unsubscribe", { ...asked, delivery: { url } }),
  ).rejects.toMatchObject({ code: -32024 });
  const future = `wev_${"z".repeat(25)}`;
  const longest = await subscribe(clients["full key"], { ...asked, ttlMs: null, cursor: future });
  expect(longest.truncated).toBe(true);
  const listed = JSON.parse((await api("GET", "/api/subscriptions", { key })).text);
  expect(listed.data).toMatchObject([{ id: longest.id, event: "webhook.received", url }]);
  expect((await api("DELETE", `/api/subscriptions/${longest.id}`, { key })).status).toBe(204);
  const { secret: _, ...where } = delivery;
  await expect(
    callEvents(clients["full key"], "unsubscribe", { ...asked, delivery: where }),
  ).rejects.toMatchObject({ code: -32023 });
  const days = (Date.parse(longest.refreshBefore) - Date.now()) / 86_400_000;
  expect(Math.abs(days - 30)).toBeLessThan(0.1);
});

test("An organization has at most 100 subscriptions", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
}) => {
  await db.query(hundredOf(organization.id));
  const { id } = await makeEndpoint(api, { key });
  const { delivery, controls } = await callback();
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  await expect(subscribe(client, asked)).rejects.toMatchObject({ code: -32025 });
  expect(controls).toEqual([]);
});

test("A subscription that ends while it is extended is one of at most 100 again", async ({
  api,
  callback,
  connect,
  db,
  key,
  organization,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const { delivery } = await callback();
  const client = await connect({ key });
  const asked = { name: "webhook.received", arguments: { endpoint_id: id }, delivery };
  const { id: subscription } = await subscribe(client, asked);
  const end = `DELETE FROM subscriptions WHERE id = '${subscription}'`;
  const extended = whileUncommitted(db, [end, hundredOf(organization.id)], "subscriptions", () =>
    subscribe(client, asked),
  );
  await expect(extended).rejects.toMatchObject({ code: -32025 });
});

/** Inserts as many subscriptions as an organization can have. */
function hundredOf(organizationId: string): string {
  return `INSERT INTO subscriptions (id, organization_id, kinds, actions, after_xid, after_id, event,
      arguments, key_id, cursor, expires_at, suspended_at)
    SELECT 'sub_${organizationId}' || n, '${organizationId}', '{}', '{}', 0, 0, 'change', '{}',
      key.id, 'chg_0', unix_now() + 600, 1
    FROM generate_series(1, 100) AS n,
      (SELECT id FROM api_keys WHERE organization_id = '${organizationId}' LIMIT 1) AS key`;
}
