import * as z from "zod";
import { makeKey } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { REVISIONS, test } from "../support/mcp";
import { callEvents, pollerOf } from "../support/mcp-events";
import { sendMessage } from "../support/mcp-messages";
import { githubHeaders } from "../support/signatures";
import { capture, fillEndpoint, makeEndpoint, readRaw } from "../support/webhooks";

/** MCP Events (SEP-3415): the types of events, and reading them. */

const NAMES = [
  "webhook.received",
  "inbox.ready",
  "task.ready",
  "message.ended",
  "question.answered",
  "change",
];
const SECRET = "It's a Secret to Everybody";

interface Described {
  name: string;
  delivery: string[];
  inputSchema: { type: string; properties: Record<string, unknown> };
  payloadSchema: { type: string; properties: Record<string, unknown> };
}

for (const revision of REVISIONS) {
  test(`A client without a key finds the extension and its events with their schemas (${revision})`, async ({
    connect,
  }) => {
    const client = await connect({ revision });
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { "io.modelcontextprotocol/events": {} },
    });
    const { events } = await callEvents<{ events: Described[] }>(client, "list");
    expect(events.map(({ name }) => name)).toEqual(NAMES);
    for (const { inputSchema, payloadSchema } of events) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(Object.keys(payloadSchema.properties).length).toBeGreaterThan(1);
    }
    expect(events[0]?.inputSchema).toMatchObject({
      required: ["endpoint_id"],
      properties: { match: { type: "object" }, verified: { type: "boolean" } },
    });
  });

  test(`Anyone who knows a public endpoint gets its captures, each once and in order (${revision})`, async ({
    api,
    connect,
  }) => {
    const { id } = await makeEndpoint(api);
    await capture(api, id, { raw: "before" });
    const client = await connect({ revision });
    const poller = await pollerOf(client, "webhook.received", { endpoint_id: id });
    expect(await poller.next()).toEqual([]);
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await capture(api, id, { raw: `number ${i}` }));
    const events = await poller.next({ maxEvents: 2 });
    expect(events.map(({ eventId }) => eventId)).toEqual(ids);
    expect(events[0]).toMatchObject({
      name: "webhook.received",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { endpoint_id: id, body: "number 0", body_cut: false, warning: expect.any(String) },
    });
    expect(await poller.next()).toEqual([]);
  });
}

test("The skill of /skill.md is listed, got and read over MCP", async ({ api, connect }) => {
  const client = await connect();
  const { skills } = await call(client, "skills/list");
  const [{ uri, frontmatter, resources }] = skills;
  expect(frontmatter.name).toBe("agent-infrastructure");
  expect((await call(client, "skills/get", { uri })).skill).toEqual(skills[0]);
  const { contents } = await client.readResource({ uri });
  const { text } = await api("GET", "/skill.md");
  expect(contents).toEqual([{ uri, mimeType: "text/markdown", text }]);
  expect(resources).toEqual([
    { uri, digest: `sha256:${sha256(text)}`, size: Buffer.byteLength(text) },
  ]);
  await expect(call(client, "skills/get", { uri: "skill://x" })).rejects.toMatchObject({
    code: -32602,
  });

  // biome-ignore lint/suspicious/noExplicitAny: the test says what is in it
  function call(by: typeof client, method: string, params = {}): Promise<any> {
    return by.request({ method, params }, z.looseObject({}));
  }
});

test("The discovery of the 2026 revision also has the name that ChatGPT reads", async ({
  baseUrl,
}) => {
  const { result } = await sendMessage(baseUrl, "server/discover", {}, { capabilities: {} });
  expect(result.capabilities).toMatchObject({
    events: {},
    extensions: { "io.modelcontextprotocol/events": {} },
  });
});

test("A subscription to verified requests that match gets no others", async ({ api, connect }) => {
  const { id } = await makeEndpoint(api);
  const path = `/api/webhooks/${id}/verification`;
  await api("PUT", path, { body: { scheme: "github", secret: SECRET } });
  const match = { "x-github-event": "push", "$.ref": "main" };
  const client = await connect();
  const wanted = await pollerOf(client, "webhook.received", {
    endpoint_id: id,
    match,
    verified: true,
  });
  const rest = await pollerOf(client, "webhook.received", { endpoint_id: id, verified: false });
  const body = '{"ref":"main"}';
  const forged = await capture(api, id, { raw: body });
  await capture(api, id, { raw: '{"ref":"x"}', headers: githubHeaders(SECRET, '{"ref":"x"}') });
  const good = await capture(api, id, { raw: body, headers: githubHeaders(SECRET, body) });
  const large = JSON.stringify({ ref: "main", commits: "x".repeat(70_000) });
  const alsoGood = await capture(api, id, { raw: large, headers: githubHeaders(SECRET, large) });
  expect((await wanted.next()).map(({ eventId }) => eventId)).toEqual([good, alsoGood]);
  expect((await rest.next()).map(({ eventId }) => eventId)).toEqual([forged]);
});

test("A body is cut to 200 kB, however it is escaped, and the URL has the rest", async ({
  api,
  baseUrl,
  connect,
}) => {
  const { id } = await makeEndpoint(api);
  const poller = await pollerOf(await connect(), "webhook.received", { endpoint_id: id });
  const whole = `${"\u0001😀".repeat(60_000)}`;
  const eventId = await capture(api, id, { raw: whole });
  const [event] = await poller.next();
  const data = event?.data as { body: string; body_cut: boolean; body_url: string };
  const size = Buffer.byteLength(JSON.stringify(event));
  expect(size).toBeLessThanOrEqual(256 * 1024);
  expect(size).toBeGreaterThan(150_000);
  expect(data.body_cut).toBe(true);
  expect(whole.startsWith(data.body)).toBe(true);
  expect(data.body.isWellFormed()).toBe(true);
  expect(data.body_url).toBe(`${baseUrl}/api/webhooks/${id}/events/${eventId}/raw`);
  expect((await readRaw(api, id, eventId)).toString()).toBe(whole);
});

test("An inbox says that work is there: at the start, when more comes, and when a lease was given back", async ({
  api,
  connect,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest();
  const poller = await pollerOf(await connect(), "inbox.ready", { inbox_id: inbox.id });
  const call = expect.stringMatching(`${inbox.path}/events/receive$`);
  expect(await poller.next()).toMatchObject([
    { data: { inbox_id: inbox.id, ready_count: 1, call } },
  ]);
  expect(await poller.next()).toEqual([]);
  await inbox.ingest();
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 2 } }]);
  const leased = await inbox.receive({ limit: 10 });
  expect(await poller.next()).toEqual([]);
  for (const event of leased) await inbox.nack(event);
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 2 } }]);
  // It would hide what comes until then.
  const future = { cursor: "ready_1000_9999999999999999" };
  const asked = { name: "inbox.ready", arguments: { inbox_id: inbox.id } };
  const moved = await callEvents(await connect(), "poll", { ...asked, ...future });
  expect(moved).toMatchObject({ truncated: true, events: [], hasMore: true });
  const { events } = await callEvents(await connect(), "poll", { ...asked, cursor: moved.cursor });
  expect(events).toMatchObject([{ data: { ready_count: 2 } }]);
});

test("A free task is news when it was given back, when it is as new as another, and once if it is from before the clock was set back", async ({
  api,
  connect,
  db,
  key,
}) => {
  const poller = await pollerOf(await connect({ key }), "task.ready", { labels: ["news"] });
  const create = async (name: string) =>
    (await api("POST", "/api/tasks", { key, body: { name, labels: ["news"] } })).body.id;
  const lease = async (id: string) => {
    const body = { holder: "worker" };
    const leased = await api("POST", `/api/tasks/${id}/lease`, { key, body });
    return JSON.parse(leased.text).lease_id;
  };
  const [one] = [await create("One"), await create("Two")];
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 2 } }]);
  expect(await poller.next()).toEqual([]);
  const body = { lease_id: await lease(one) };
  expectStatus(await api("DELETE", `/api/tasks/${one}/lease`, { key, body }), 204);
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 2 } }]);
  expect(await poller.next()).toEqual([]);
  const three = await create("Three");
  const held = { lease_id: await lease(one) };
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 2 } }]);
  // As many as before, and older ones.
  const taken = { lease_id: await lease(three) };
  expectStatus(await api("DELETE", `/api/tasks/${one}/lease`, { key, body: held }), 204);
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 2 } }]);
  expect(await poller.next()).toEqual([]);
  expectStatus(await api("DELETE", `/api/tasks/${three}/lease`, { key, body: taken }), 204);
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 3 } }]);
  await db.query("UPDATE tasks SET updated_at = unix_now() + 600 WHERE id = $1", [three]);
  expect(await poller.next()).toMatchObject([{ data: { ready_count: 3 } }]);
  expect(await poller.next()).toEqual([]);
});

test("Free tasks with the labels, ends of messages and changes are events of an organization", async ({
  api,
  baseUrl,
  connect,
  db,
  key,
}) => {
  const client = await connect({ key });
  const tasks = await pollerOf(client, "task.ready", { labels: ["docs"], not_labels: ["later"] });
  const changes = await pollerOf(client, "change", { kinds: ["tasks"], actions: ["created"] });
  const ends = await pollerOf(client, "message.ended", { status: "canceled" });
  const create = async (path: string, body: object) =>
    JSON.parse((await api("POST", path, { key, body })).text) as { id: string };
  await create("/api/tasks", { name: "Later", labels: ["docs", "later"] });
  expect(await tasks.next()).toEqual([]);
  const task = await create("/api/tasks", { name: "Now", labels: ["docs"] });
  expect(await tasks.next()).toMatchObject([{ name: "task.ready", data: { ready_count: 1 } }]);
  const url = `${baseUrl}/api/health`;
  const message = await create("/api/messages", { url, delay_seconds: 600 });
  const one = await pollerOf(client, "message.ended", { message_id: message.id });
  expect(await one.next()).toEqual([]);
  await api("POST", `/api/messages/${message.id}/cancel`, { key });
  const ended = { name: "message.ended", data: { message_id: message.id, status: "canceled" } };
  // Both ends are in one second.
  const inOneSecond = "UPDATE scheduled_messages SET updated_at = created_at WHERE id = $1";
  await db.query(inOneSecond, [message.id]);
  const first = await one.next();
  expect(first).toMatchObject([ended]);
  expect(await one.next()).toEqual([]);
  await expect.poll(() => ends.next()).toMatchObject([ended]);
  // As if it had been retried, and were not sent yet.
  await db.query(
    `UPDATE scheduled_messages SET status = 'scheduled', due_at = unix_now() + 600,
       revision = revision + 1 WHERE id = $1`,
    [message.id],
  );
  expect(await one.next()).toEqual([]);
  await api("POST", `/api/messages/${message.id}/cancel`, { key });
  await db.query(inOneSecond, [message.id]);
  const again = await one.next();
  expect(again).toMatchObject([ended]);
  expect(again[0]?.eventId).not.toBe(first[0]?.eventId);
  await expect
    .poll(async () => (await changes.next()).map(({ data }) => data.resource_id))
    .toContain(task.id);
});

test("What is unknown, foreign, not allowed or malformed gets the code and the name of the field", async ({
  api,
  connect,
  db,
  key,
  otherOrganization,
}) => {
  const { id } = await makeEndpoint(api);
  const foreign = await makeEndpoint(api, { key: otherOrganization.key });
  const client = await connect({ key });
  const anonymous = await connect();
  const webhook = { name: "webhook.received", arguments: { endpoint_id: id } };
  const failures: [params: object, code: number, message: string | RegExp, by?: typeof client][] = [
    [{ name: "email.received" }, -32023, "task.ready"],
    [{ ...webhook, arguments: { endpoint_id: "wh_x" } }, -32023, "wh_x"],
    [{ ...webhook, arguments: { endpoint_id: foreign.id } }, -32024, "another organization"],
    [{ name: "task.ready" }, -32024, "API key", anonymous],
    [{ name: "change" }, -32024, "API key", anonymous],
    [{ name: "message.ended" }, -32024, "API key", anonymous],
    [{ name: "inbox.ready", arguments: { inbox_id: "inbox_x" } }, -32023, "inbox_x"],
    [{ name: "webhook.received" }, -32602, '"endpoint_id" is required'],
    [{ ...webhook, arguments: { endpoint_id: id, matches: {} } }, -32602, '"matches"'],
    [{ ...webhook, arguments: { endpoint_id: id, match: { $: {} } } }, -32602, /match/],
    [{ ...webhook, cursor: "chg_0" }, -32602, '"cursor"'],
    [{ ...webhook, cursor: 7 }, -32602, '"cursor"'],
    [{ ...webhook, maxEvents: 0 }, -32602, '"maxEvents"'],
    [{ ...webhook, maxAgeMs: "1" }, -32602, '"maxAgeMs"'],
    [{ ...webhook, limit: 1 }, -32602, '"limit"'],
    [{ name: "change", arguments: { kinds: ["keys"] } }, -32602, '"kinds.0"'],
  ];
  for (const [params, code, message, by = client] of failures) {
    await expect(callEvents(by, "poll", { ...params })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  }
  const expired = await makeKey(db, otherOrganization.id, { scopes: ["api.read"] });
  const reader = await connect({ key: expired });
  await expect(callEvents(reader, "poll", { name: "task.ready" })).resolves.toMatchObject({
    events: [],
  });
});

test("A cursor that is too old or from the future starts at what is kept, and says so", async ({
  api,
  connect,
  db,
}) => {
  const { id } = await makeEndpoint(api, { max_events: 2 });
  const client = await connect();
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const first = await capture(api, id);
  for (let i = 0; i < 4; i++) await capture(api, id);
  await expect
    .poll(async () => (await callEvents(client, "poll", { ...asked, cursor: first })).truncated)
    .toBe(true);
  const late = await callEvents(client, "poll", { ...asked, cursor: first });
  expect(late.events).toEqual([]);
  const kept = await callEvents(client, "poll", { ...asked, cursor: late.cursor });
  expect(kept).toMatchObject({ truncated: false, events: [{}, {}] });
  const future = { ...asked, cursor: `wev_${"z".repeat(25)}` };
  const moved = await callEvents(client, "poll", future);
  expect(moved).toMatchObject({ truncated: true, cursor: kept.events[1]?.eventId });
  const recent = await callEvents(client, "poll", {
    ...asked,
    cursor: late.cursor,
    maxAgeMs: 600_000,
  });
  expect(recent.events).toHaveLength(2);
  // An event is no cursor from the future, even if it is from before the clock was set back.
  await db.query(
    "UPDATE endpoint_state SET last_event_micros = last_event_micros + 3600000000 WHERE endpoint_id = $1",
    [id],
  );
  const [ahead, last] = [await capture(api, id), await capture(api, id)];
  expect(await callEvents(client, "poll", { ...asked, cursor: ahead })).toMatchObject({
    truncated: false,
    events: [{ eventId: last }],
  });
});

test("Events deleted before a cursor was issued are not a gap", async ({ api, connect }) => {
  const { id } = await makeEndpoint(api);
  await capture(api, id);
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events`), 204);
  const client = await connect();
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const { cursor } = await callEvents(client, "poll", asked);
  const eventId = await capture(api, id);
  expect(await callEvents(client, "poll", { ...asked, cursor })).toMatchObject({
    truncated: false,
    events: [{ eventId }],
  });
});

test("With a maximum age, a cursor starts from now if the first matching event is older, however many others come before it", async ({
  api,
  connect,
  db,
}) => {
  const client = await connect();
  for (const [count, pages] of [
    [5, 1],
    [1200, 3],
  ] as const) {
    const { id } = await makeEndpoint(api, { max_events: 10_000 });
    await fillEndpoint(db, { id, count });
    const wanted = await capture(api, id, { headers: { "x-kind": "wanted" } });
    const last = await capture(api, id);
    await db.query("UPDATE webhook_events SET received_at = received_at - 600 WHERE id = $1", [
      wanted,
    ]);
    const asked = {
      name: "webhook.received",
      arguments: { endpoint_id: id, match: { "x-kind": "wanted" } },
    };
    const read = async (maxAgeMs: number) => {
      let cursor = "wev_0";
      for (let polls = 1; ; polls++) {
        const page = await callEvents(client, "poll", { ...asked, cursor, maxAgeMs });
        if (!page.hasMore || page.truncated || page.events.length > 0) return { ...page, polls };
        ({ cursor } = page);
      }
    };
    expect(await read(60_000)).toMatchObject({
      truncated: true,
      events: [],
      cursor: last,
      polls: pages,
    });
    expect(await read(6_000_000)).toMatchObject({
      truncated: false,
      events: [{ eventId: wanted }],
    });
  }
});
