import type { Change } from "@/lib/resources/changes/contract";
import { makeOrganization } from "../support/accounts";
import { changesOf, feed } from "../support/changes";
import { openEventStream } from "../support/event-stream";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { jsonOf } from "../support/http";
import type { Event } from "../support/inboxes";
import { leaseOf } from "../support/leases";
import { sweep } from "../support/sweep";

test("Each action appears once, with its resource and who did it", async ({
  api,
  db,
  organization,
  key,
}) => {
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM api_keys WHERE organization_id = $1 AND 'api.write' = ANY (scopes)",
    [organization.id],
  );
  const actor = rows[0]?.id;
  const expected: string[] = [];
  const names = new Map<string, string>();
  const call = async (method: string, path: string, body?: object) => {
    const response = await api(method, path, { key, ...(body && { body }) });
    expect(response.status, `${method} ${path} ${response.text}`).toBeLessThan(300);
    return response;
  };
  const make = async (kind: string, body: object) => {
    const { id } = (await call("POST", `/api/${kind}`, body)).body;
    names.set(id, kind);
    expected.push(`${kind} created`);
    return `/api/${kind}/${id}`;
  };
  const then = (...changes: string[]) => expected.push(...changes);

  const task = await make("tasks", { name: "One" });
  const other = await make("tasks", { name: "Two" });
  await call("PATCH", task, { name: "Changed" });
  await call("POST", `${task}/labels`, { add: ["in-progress"] });
  then("tasks updated", "tasks updated");
  await call("POST", `${task}/labels`, { add: ["in-progress"] });
  const { lease_id } = leaseOf(await call("POST", `${task}/lease`, { holder: "w" }));
  await call("POST", `${task}/lease`, { holder: "w", lease_id });
  await call("DELETE", `${task}/lease`, { lease_id });
  await call("DELETE", `${task}/lease`, { lease_id });
  then("tasks leased", "tasks released");
  const otherId = other.split("/").at(-1);
  await call("PUT", `${task}/blockers/${otherId}`);
  await call("PUT", `${task}/blockers/${otherId}`);
  await call("DELETE", `${task}/blockers/${otherId}`);
  await call("DELETE", `${task}/blockers/${otherId}`);
  then("tasks blocker_added", "tasks blocker_removed");
  await call("POST", `${task}/notes`, { body: "A note" });
  await call("POST", "/api/tasks/lease-next", { holder: "w" });
  await call("POST", `${task}/complete`, { note: "Done" });
  await call("POST", `${task}/complete`, { note: "Done" });
  await call("POST", `${task}/complete`, { note: "Another" });
  then("tasks note_added", "tasks leased", "tasks completed", "tasks note_added");
  await call("POST", `${task}/lease`, { holder: "w" });
  await call("POST", `${task}/complete`);
  await call("POST", `${task}/complete`);
  await call("DELETE", task);
  then("tasks leased", "tasks released", "tasks deleted");

  const artifact = await make("artifacts", { name: "A", content: "" });
  await call("PATCH", artifact, { content: "B" });
  await call("POST", `${artifact}/share`);
  await call("DELETE", `${artifact}/share`);
  await call("DELETE", `${artifact}/share`);
  then("artifacts updated", "artifacts shared", "artifacts unshared");
  await call("POST", "/api/artifacts?share=true", { name: "Shared", content: "" });
  then("artifacts created", "artifacts shared");

  const webhook = await make("webhooks", { name: "W" });
  await call("PATCH", webhook, { name: "V" });
  await call("PUT", `${webhook}/verification`, { scheme: "github", secret: "A secret" });
  await call("DELETE", webhook);
  then("webhooks updated", "webhooks updated", "webhooks deleted");

  const message = await make("messages", { url: "https://example.com/", delay_seconds: 3600 });
  await call("PATCH", message, { method: "PUT" });
  await call("POST", `${message}/cancel`);
  await call("POST", `${message}/cancel`);
  await call("POST", `${message}/retry`);
  await call("POST", `${message}/cancel`);
  then("messages updated", "messages canceled", "messages retried", "messages canceled");

  const inbox = await make("inboxes", { name: "I" });
  await call("POST", `${inbox}/events`, { an: "event" });
  const received = await call("POST", `${inbox}/events/receive`, {});
  for (const { id, lease_id } of jsonOf<{ data: Event[] }>(received).data) {
    await call("POST", `${inbox}/events/${id}/nack`, { lease_id, dead: true });
  }
  then("inboxes event_dead");
  await call("PUT", "/api/inboxes/external/mine", { name: "Upserted" });
  await call("PUT", "/api/inboxes/external/mine", { name: "Upserted again" });
  then("inboxes created", "inboxes updated");

  const open = await api("POST", "/api/tasks", { body: { name: "Public" } });
  expectStatus(open, 201);
  await api("PATCH", `/api/tasks/${open.body.id}`, { body: { name: "Still public" } });
  await call("POST", `/api/claim/${open.body.id}`, { claim_token: open.body.claim_token });
  then("tasks claimed");

  // Transactions of other tests may hold the last ones up for a moment.
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(expected.length);
  const changes = await changesOf(api, key);
  expect(changes.map(({ kind, action }) => `${kind} ${action}`)).toEqual(expected);
  for (const change of changes) {
    expect(change.actor).toBe(actor);
    const kind = names.get(change.resource_id);
    if (kind !== undefined) expect(change.kind).toBe(kind);
  }
});

test("Deliveries that end are changes without an actor", async ({ api, baseUrl, key }) => {
  const endpoint = await api("POST", "/api/webhooks", { body: { name: "Target" } });
  const url = `${baseUrl}/api/catch/${endpoint.body.id}`;
  const message = await api("POST", "/api/messages", { key, body: { url, delay_seconds: 0 } });
  expectStatus(message, 201);
  await api("POST", "/api/messages/dispatch");
  const delivered = { kind: "messages", action: "delivered", resource_id: message.body.id };
  await expect
    .poll(async () => (await changesOf(api, key)).at(-1))
    .toMatchObject({ ...delivered, actor: null });
});

test("A create that is repeated with its Idempotency-Key is one change", async ({ api, key }) => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const create = () => api("POST", "/api/tasks", { key, headers, body: { name: "Once" } });
  await Promise.all([create(), create(), create()]);
  await create();
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(1);
});

test("Pages follow each other without gaps, and the last one leads on", async ({ api, key }) => {
  for (let i = 0; i < 7; i++) await api("POST", "/api/tasks", { key, body: { name: `${i}` } });
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(7);
  const all = await changesOf(api, key);
  const first = await feed(api, key, { limit: "3" });
  expect(first).toMatchObject({ object: "list", has_more: true, next_cursor: all[2]?.id });
  const second = await feed(api, key, { after: first.next_cursor });
  expect([...first.data, ...second.data]).toEqual(all);
  expect(second.has_more).toBe(false);
  const empty = await feed(api, key, { after: second.next_cursor });
  expect(empty).toMatchObject({ data: [], has_more: false });
  await api("POST", "/api/tasks", { key, body: { name: "Later" } });
  for (const after of [second.next_cursor, empty.next_cursor, all.at(-1)?.id ?? ""]) {
    await expect.poll(async () => (await feed(api, key, { after })).data.length).toBe(1);
  }
});

test("kind and action narrow the feed, also behind thousands of other changes", async ({
  api,
  db,
  organization,
  key,
}) => {
  await db.query(
    `INSERT INTO changes (organization_id, kind, action, resource_id)
     SELECT $1, 'tasks', 'created', 'tsk_' || n FROM generate_series(1, 2500) AS n`,
    [organization.id],
  );
  await api("POST", "/api/inboxes", { key, body: { name: "Rare" } });
  await api("POST", "/api/artifacts", { key, body: { name: "Rare", content: "" } });
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(2502);
  const kinds = async (query: Record<string, string | string[]>) =>
    (await changesOf(api, key, query)).map(({ kind }) => kind);
  for (const limit of ["100", "1"]) {
    const found = await kinds({ kind: ["inboxes", "artifacts"], limit });
    expect(found).toEqual(["inboxes", "artifacts"]);
  }
  expect(await kinds({ kind: "inboxes", action: "created" })).toEqual(["inboxes"]);
  expect(await kinds({ action: "deleted" })).toEqual([]);
  // A request that waits does not search on by itself: that takes others' connections.
  const waiting = await feed(api, key, { kind: "artifacts", wait: "5" });
  expect(waiting).toMatchObject({ data: [], has_more: true });
});

test("A waiting request answers soon after a change, and others' changes do not wake it", async ({
  api,
  key,
  otherOrganization,
}) => {
  const { next_cursor: after } = await feed(api, key, { after: "latest" });
  const waiting = feed(api, key, { after, wait: "20" });
  await api("POST", "/api/tasks", { key: otherOrganization.key, body: { name: "Foreign" } });
  const { body } = await api("POST", "/api/tasks", { key, body: { name: "Own" } });
  // It is in the feed once no older transaction is open, of whatever database.
  await expect.poll(async () => (await feed(api, key, { after })).data.length).toBe(1);
  const started = performance.now();
  const { data } = await waiting;
  await expectWithin(api, 2000, performance.now() - started);
  expect(data.map((change: Change) => change.resource_id)).toEqual([body.id]);
});

test("A stream resumes after its last ID", async ({ api, baseUrl, key }) => {
  const headers = { authorization: `Bearer ${key}` };
  const create = async (name: string) =>
    (await api("POST", "/api/tasks", { key, body: { name } })).body.id;
  await create("Before");
  // A transaction of another test may hold it up.
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(1);
  const stream = await openEventStream(baseUrl, "/api/changes/stream?kind=tasks", headers);
  await expect.poll(() => stream.lastEventId).toMatch(/^chg_/);
  const first = await create("One");
  await expect.poll(() => stream.messages.length).toBe(1);
  stream.close();
  const second = await create("Two");
  const resumed = await openEventStream(baseUrl, "/api/changes/stream", {
    ...headers,
    "last-event-id": stream.lastEventId,
  });
  await expect.poll(() => resumed.messages.length).toBe(1);
  resumed.close();
  const shown = [...stream.messages, ...resumed.messages].map(({ id, data }) => ({
    ...JSON.parse(data),
    at: id,
  }));
  expect(shown.map(({ resource_id }) => resource_id)).toEqual([first, second]);
  for (const { id, at } of shown) expect(at).toBe(id);
});

test("A change that commits late is not skipped", async ({ api, db, organization, key }) => {
  const { next_cursor: after } = await feed(api, key, { after: "latest" });
  const slow = await db.connect();
  try {
    await slow.query("BEGIN");
    await slow.query(
      `INSERT INTO changes (organization_id, kind, action, resource_id)
       VALUES ($1, 'tasks', 'created', 'tsk_slow')`,
      [organization.id],
    );
    const { body } = await api("POST", "/api/tasks", { key, body: { name: "Fast" } });
    // It began later, so it would push the position past the slow one.
    expect((await feed(api, key, { after })).data).toEqual([]);
    await slow.query("COMMIT");
    await expect
      .poll(async () => (await feed(api, key, { after })).data.map((one) => one.resource_id))
      .toEqual(["tsk_slow", body.id]);
  } finally {
    slow.release();
  }
});

test("A position whose changes were removed after 7 days is refused, and no other", async ({
  api,
  db,
  organization,
  key,
}) => {
  for (let i = 0; i < 3; i++) await api("POST", "/api/tasks", { key, body: { name: `${i}` } });
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(3);
  const [first, second, third] = await changesOf(api, key);
  await db.query(
    "UPDATE changes SET created_at = created_at - 8 * 86400 WHERE organization_id = $1 AND resource_id = ANY ($2)",
    [organization.id, [first?.resource_id, second?.resource_id]],
  );
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await changesOf(api, key)).length;
    })
    .toBe(1);
  const path = `/api/changes?after=${first?.id}`;
  expectError(await api("GET", path, { key }), 410, "cursor_expired", "after");
  const refused = await api("GET", `/api/changes/stream?after=${first?.id}`, { key });
  expectError(refused, 410, "cursor_expired", "after");
  for (const after of [second?.id ?? "", "chg_0"]) {
    expect((await feed(api, key, { after })).data).toEqual([third]);
  }
});

test("Positions that the feed never returned are refused", async ({ api, key }) => {
  for (const after of ["chg_", "tsk_0", `chg_${"z".repeat(25)}`, "chg_1", "now"]) {
    const response = await api("GET", "/api/changes", { key, query: { after } });
    expectError(response, 400, "invalid_param", "after");
  }
  const ahead = `chg_${"0".repeat(4)}zzzzzzzz${"0".repeat(13)}`;
  const refused = await api("GET", "/api/changes", { key, query: { after: ahead } });
  expectError(refused, 410, "cursor_expired", "after");
  const headers = { "last-event-id": "chg_1" };
  const response = await api("GET", "/api/changes/stream", { key, headers });
  expectError(response, 400, "invalid_param", "Last-Event-ID");
});

test("Another organization's position shows nothing of it", async ({ api, db, key }) => {
  const other = await makeOrganization(db);
  await api("POST", "/api/tasks", { key: other.key, body: { name: "Foreign" } });
  await expect.poll(async () => (await changesOf(api, other.key)).length).toBe(1);
  const [foreign] = await changesOf(api, other.key);
  const mine = jsonOf<{ id: string }>(
    await api("POST", "/api/tasks", { key, body: { name: "Own" } }),
  );
  const after = foreign?.id ?? "";
  await expect
    .poll(async () => (await feed(api, key, { after })).data.map((one) => one.resource_id))
    .toEqual([mine.id]);
});
