import { Webhook } from "standardwebhooks";
import type { Change } from "@/lib/resources/changes/contract";
import { changesOf } from "../support/changes";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Api, jsonOf } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { startTarget } from "../support/target";
import { allEvents, makeEndpoint } from "../support/webhooks";

test("A URL gets each matching change once, in order, signed with the organization's secret", async ({
  api,
  baseUrl,
  key,
}) => {
  const target = await makeEndpoint(api);
  await task(api, key, "Earlier");
  await visible(api, key, 1, { kind: "tasks" });
  const url = `${baseUrl}/api/catch/${target.id}`;
  const subscription = await subscribe(api, key, { url, kinds: ["tasks"], actions: ["created"] });
  const wanted = [await task(api, key, "One"), await task(api, key, "Two")];
  await api("POST", "/api/inboxes", { key, body: { name: "Of another kind" } });
  await api("PATCH", `/api/tasks/${wanted[0]}`, { key, body: { name: "Another action" } });
  const events = await dispatched(api, target.id, 2);
  const { secret } = jsonOf<{ secret: string }>(await api("GET", "/api/signing-secret", { key }));
  const changes = await changesOf(api, key, { kind: "tasks", action: "created" });
  for (const event of events) {
    const body = event.body ?? "";
    expect(() => new Webhook(secret).verify(body, event.headers)).not.toThrow();
    expect(event.headers["subscription-id"]).toBe(subscription.id);
    const { type, data } = JSON.parse(body);
    expect(type).toBe("tasks.created");
    expect(changes).toContainEqual(data);
  }
  const sent = events.map(({ body }) => JSON.parse(body ?? "").data.resource_id);
  expect(sent.toSorted()).toEqual(wanted.toSorted());
});

test("Pushing makes no changes that are pushed in turn", async ({ api, baseUrl, key }) => {
  const target = await makeEndpoint(api);
  await subscribe(api, key, { url: `${baseUrl}/api/catch/${target.id}` });
  const id = await task(api, key, "One");
  await dispatched(api, target.id, 1);
  await dispatched(api, target.id, 1);
  const changes = await changesOf(api, key);
  expect(changes.map(({ resource_id }) => resource_id)).toEqual([id]);
});

test("What is done by hand to the message of a push makes no change, which would be pushed in turn", async ({
  api,
  db,
  key,
  organization,
}) => {
  const target = await startTarget((response) => response.writeHead(400).end());
  await subscribe(api, key, { url: target.url });
  const first = await task(api, key, "One");
  let pushes: { id: string }[] = [];
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      pushes = (await api("GET", "/api/messages?status=failed", { key })).body.data;
      return pushes.length;
    })
    .toBe(1);
  await db.query(
    `UPDATE scheduled_messages SET status = 'scheduled', due_at = unix_now() + 3600
     WHERE organization_id = $1`,
    [organization.id],
  );
  const path = `/api/messages/${pushes[0]?.id}`;
  expectStatus(await api("PATCH", path, { key, body: { delay_seconds: 3600 } }), 200);
  for (const move of ["cancel", "retry"]) {
    expectStatus(await api("POST", `${path}/${move}`, { key }), 200);
  }
  expectStatus(await api("DELETE", path, { key }), 204);
  const last = await task(api, key, "Two");
  const changed = async () => (await changesOf(api, key)).map(({ resource_id }) => resource_id);
  await expect.poll(async () => (await changed()).at(-1)).toBe(last);
  expect(await changed()).toEqual([first, last]);
  await target.stop();
});

test("A change that a capture URL captures is not forwarded, which could make the next change", async ({
  api,
  baseUrl,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const headers = { Authorization: `Bearer ${key}` };
  const forward = { url: `${baseUrl}/api/tasks`, headers, text_field: "name" };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { key, body: forward }), 200);
  const url = `${baseUrl}/api/catch/${id}`;
  for (const text_field of [null, "text"]) {
    await subscribe(api, key, { url, text_field, kinds: ["tasks"] });
  }
  await task(api, key, "One");
  const events = await dispatched(api, id, 2, key);
  expect(events.map(({ forward }) => forward?.reason)).toEqual(["loop", "loop"]);
});

test("An inbox gets each change once, even with several dispatches at a time", async ({
  api,
  key,
}) => {
  const inbox = await makeInbox(api, {}, key);
  await subscribe(api, key, { inbox_id: inbox.id, kinds: ["tasks"] });
  const ids: string[] = [];
  for (let i = 0; i < 120; i++) ids.push(await task(api, key, `${i}`));
  const received: string[] = [];
  await visible(api, key, 120, { kind: "tasks" });
  await Promise.all([1, 2, 3].map(() => api("POST", "/api/messages/dispatch")));
  await expect
    .poll(async () => {
      const events = await inbox.receive({ limit: 100 });
      received.push(...events.map((event) => resourceOf(event)));
      return received.length;
    })
    .toBe(120);
  expect(received).toEqual(ids);
});

test("A full inbox holds changes back, the subscription says so, and they follow", async ({
  api,
  key,
}) => {
  const inbox = await makeInbox(api, { max_events: 2 }, key);
  const { id } = await subscribe(api, key, { inbox_id: inbox.id, kinds: ["tasks"] });
  const ids = [];
  for (let i = 0; i < 5; i++) ids.push(await task(api, key, `${i}`));
  await visible(api, key, 5, { kind: "tasks" });
  const received: string[] = [];
  while (received.length < 5) {
    const heldReason = async () => {
      await api("POST", "/api/messages/dispatch");
      const shown = await api("GET", `/api/subscriptions/${id}`, { key });
      return jsonOf<{ held_reason: string | null }>(shown).held_reason;
    };
    await expect.poll(heldReason).toBe(received.length < 3 ? "inbox_full" : null);
    for (const event of await inbox.receive({ limit: 10 })) {
      received.push(resourceOf(event));
      await inbox.ack(event);
    }
  }
  expect(received).toEqual(ids);
});

test("A pushed change that dies in its inbox is not pushed again; another event is", async ({
  api,
  key,
}) => {
  const inbox = await makeInbox(api, {}, key);
  await subscribe(api, key, { inbox_id: inbox.id, actions: ["event_dead"] });
  await inbox.ingest();
  await inbox.nack(await inbox.receiveOne(), { dead: true });
  await visible(api, key, 1, { action: "event_dead" });
  await api("POST", "/api/messages/dispatch");
  const pushed = await inbox.receiveOne({ wait_seconds: 20 });
  expect(payloadOf(pushed)).toMatchObject({
    type: "inboxes.event_dead",
    data: { resource_id: inbox.id },
  });
  await inbox.nack(pushed, { dead: true });
  await api("POST", "/api/messages/dispatch");
  expect(await inbox.receive()).toEqual([]);
  expect(await changesOf(api, key, { action: "event_dead" })).toHaveLength(1);
});

test("A new subscription has the Location and ETag of its read, also when the request is repeated", async ({
  api,
  key,
}) => {
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const body = { url: "https://example.com/hook" };
  for (const _ of ["once", "again"]) {
    const made = await api("POST", "/api/subscriptions", { key, headers, body });
    expectStatus(made, 200);
    const read = await api("GET", String(made.headers.get("location")), { key });
    expect(read.body).toEqual(made.body);
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
  }
});

test("A subscription ends with its inbox or when it is deleted, and cancels its messages; both are audited", async ({
  api,
  db,
  organization,
  key,
  rows,
}) => {
  const inbox = await makeInbox(api, {}, key);
  const ofInbox = await subscribe(api, key, { inbox_id: inbox.id });
  const ofUrl = await subscribe(api, key, { url: "https://example.invalid/hook" });
  expect((await api("GET", "/api/subscriptions", { key })).body.data).toEqual([ofUrl, ofInbox]);
  expectStatus(await api("DELETE", `/api/inboxes/${inbox.id}`, { key }), 204);
  const ofSubscription = { where: { subscription_id: ofUrl.id } };
  await expect.poll(() => rows.scheduledMessage.count(ofSubscription)).toBeGreaterThan(0);
  await db.query(
    `UPDATE scheduled_messages SET status = 'failed', due_at = unix_now() + 3600, lease_token = NULL
     WHERE subscription_id = $1`,
    [ofUrl.id],
  );
  expectStatus(await api("DELETE", `/api/subscriptions/${ofUrl.id}`, { key }), 204);
  const messages = await rows.scheduledMessage.findMany(ofSubscription);
  expect(new Set(messages.map(({ status }) => status))).toEqual(new Set(["canceled"]));
  expectStatus(await api("DELETE", `/api/subscriptions/${ofUrl.id}`, { key }), 404);
  expect((await api("GET", "/api/subscriptions", { key })).body.data).toEqual([]);
  const where = { organization_id: organization.id };
  const audited = await rows.auditEvent.findMany({ where, orderBy: { id: "asc" } });
  expect(audited.map(({ action }) => action)).toEqual([
    "subscription.created",
    "subscription.created",
    "subscription.deleted",
  ]);
});

test("An organization gets no more than 100 subscriptions, to events too, however many it asks for at once", async ({
  api,
  db,
  key,
  organization,
}) => {
  await db.query(
    `INSERT INTO subscriptions (id, organization_id, kinds, actions, after_xid, after_id, event, url,
       arguments, key_id, cursor, expires_at, suspended_at)
     SELECT 'sub_' || $1 || n, $1, '{}', '{}', 0, 0, 'change', 'https://example.com/', '{}', key.id, 'chg_0',
       unix_now() + 600, 1
     FROM generate_series(1, 80) AS n, (SELECT id FROM api_keys WHERE organization_id = $1 LIMIT 1) AS key`,
    [organization.id],
  );
  const body = { url: "https://example.com/hook" };
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => api("POST", "/api/subscriptions", { key, body })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expectError(response, 400, "invalid_param", null);
  }
});

test("A target that is foreign, public, deleted, doubled or missing is refused", async ({
  api,
  key,
  otherOrganization,
}) => {
  const create = (body: object) => api("POST", "/api/subscriptions", { key, body });
  const inbox = async (owner: string | undefined) =>
    (await api("POST", "/api/inboxes", { key: owner, body: { name: "I" } })).body.id;
  const foreign = await inbox(otherOrganization.key);
  const open = await inbox(undefined);
  const url = "https://example.com/hook";
  expectStatus(await create({ inbox_id: foreign }), 403);
  expectError(await create({ inbox_id: open }), 400, "invalid_param", "inbox_id");
  expectError(await create({ inbox_id: "inbox_0" }), 404, "resource_not_found", "inbox_id");
  expectError(await create({}), 400, "missing_required_param", "url");
  expectError(await create({ url, inbox_id: open }), 400, "invalid_param", "inbox_id");
  expectError(await create({ url: "ftp://example.com/" }), 400, "invalid_param", "url");
  expectError(await create({ url, kinds: ["notes"] }), 400, "invalid_param", "kinds.0");
  expectError(await create({ url, actions: [] }), 400, "invalid_param", "actions");
});

async function subscribe(api: Api, key: string, body: object) {
  const response = await api("POST", "/api/subscriptions", { key, body });
  expectStatus(response, 200);
  return jsonOf<{ id: string }>(response);
}

/** Waits until the feed shows so many changes: transactions of other tests may hold it up. */
async function visible(api: Api, key: string, count: number, query: Record<string, string>) {
  await expect.poll(async () => (await changesOf(api, key, query)).length).toBe(count);
}

async function task(api: Api, key: string, name: string): Promise<string> {
  const response = await api("POST", "/api/tasks", { key, body: { name } });
  expectStatus(response, 201);
  return response.body.id;
}

/** Dispatches until the endpoint has captured so many requests. */
async function dispatched(api: Api, endpointId: string, count: number, key?: string) {
  const events = () => allEvents(api, endpointId, {}, key);
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      return (await events()).length;
    })
    .toBe(count);
  return events();
}

function payloadOf(event: { parsed_body?: unknown }): { type: string; data: Change } {
  return event.parsed_body as { type: string; data: Change };
}

function resourceOf(event: { parsed_body?: unknown }): string {
  return payloadOf(event).data.resource_id;
}
