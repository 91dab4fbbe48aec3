import { makeKey } from "../support/accounts";
import { expectStatus, expectWithin } from "../support/expectations";
import { expect } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { REVISIONS, test } from "../support/mcp";
import { openStream } from "../support/mcp-events";
import { capture, makeEndpoint } from "../support/webhooks";

/** `events/stream` of MCP Events. */

for (const revision of REVISIONS) {
  test(`A stream confirms itself, then sends each capture within a second (${revision})`, async ({
    api,
    baseUrl,
  }) => {
    const { id } = await makeEndpoint(api);
    const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
    const stream = await openStream(baseUrl, asked, { revision });
    expect(stream.type).toBe("text/event-stream; charset=utf-8");
    await expect.poll(() => stream.frames).toHaveLength(1);
    const _meta = { "io.modelcontextprotocol/subscriptionId": 7 };
    expect(stream.frames[0]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/events/active",
      params: { cursor: "wev_0", truncated: false, _meta },
    });
    const captured = performance.now();
    const eventId = await capture(api, id, { raw: "one" });
    await expect.poll(() => stream.events(), { intervals: [20] }).toHaveLength(1);
    await expectWithin(api, 1000, performance.now() - captured);
    expect(stream.events()[0]?.params).toMatchObject({
      eventId,
      name: "webhook.received",
      data: { body: "one" },
      cursor: eventId,
      _meta,
    });
    stream.close();
    await stream.ended;
    const later = await capture(api, id, { raw: "two" });
    const resumed = await openStream(baseUrl, { ...asked, cursor: eventId }, { revision });
    await expect.poll(() => resumed.events()).toHaveLength(1);
    expect(resumed.events()[0]?.params.eventId).toBe(later);
    resumed.close();
  });
}

test("Changes and ready work are streamed as they come", async ({ api, baseUrl, key }) => {
  const inbox = await makeInbox(api, {}, key);
  // That it was created may come late, and so be streamed.
  const changes = await openStream(baseUrl, { name: "change" }, { key });
  const ready = await openStream(
    baseUrl,
    { name: "inbox.ready", arguments: { inbox_id: inbox.id } },
    { key },
  );
  const confirmed = () => [changes, ready].every(({ frames }) => frames.length > 0);
  await expect.poll(confirmed).toBe(true);
  await api("POST", "/api/tasks", { key, body: { name: "New" } });
  await inbox.ingest();
  await expect
    .poll(() => changes.events().map(({ params }) => params.data))
    .toContainEqual(expect.objectContaining({ kind: "tasks", action: "created" }));
  await expect.poll(() => ready.events()).toHaveLength(1);
  changes.close();
  ready.close();
});

test("A stream of a key that is revoked is terminated, and its request gets its response", async ({
  baseUrl,
  db,
  organization,
}) => {
  const key = await makeKey(db, organization.id);
  const stream = await openStream(baseUrl, { name: "change" }, { key });
  await expect.poll(() => stream.frames).toHaveLength(1);
  await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(key)]);
  await stream.ended;
  expect(stream.frames.slice(1)).toMatchObject([
    { method: "notifications/events/terminated", params: { error: { code: -32024 } } },
    { id: 7, result: { _meta: { "io.modelcontextprotocol/subscriptionId": 7 } } },
  ]);
});

test("A stream says once that events were removed before it could send them, and not that others were later", async ({
  api,
  baseUrl,
  db,
}) => {
  const { id } = await makeEndpoint(api);
  const first = await capture(api, id);
  const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
  const stream = await openStream(baseUrl, asked);
  await expect.poll(() => stream.frames).toHaveLength(1);
  // As if many had come at once, and most had been evicted.
  const gone = `${first.slice(0, -1)}~`;
  await db.query("UPDATE endpoint_state SET gone_up_to = $2 WHERE endpoint_id = $1", [id, gone]);
  const ids = [await capture(api, id), await capture(api, id)];
  await expect.poll(() => stream.events()).toHaveLength(2);
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events`), 204);
  ids.push(await capture(api, id));
  await expect.poll(() => stream.events()).toHaveLength(3);
  expect(stream.frames).toMatchObject([
    { method: "notifications/events/active", params: { cursor: first, truncated: false } },
    { method: "notifications/events/active", params: { cursor: gone, truncated: true } },
    ...ids.map((cursor) => ({ method: "notifications/events/event", params: { cursor } })),
  ]);
  stream.close();
});

for (const revision of REVISIONS) {
  test(`A line break of Unicode neither cuts a response nor ends a line of a stream (${revision})`, async ({
    api,
    baseUrl,
  }) => {
    const { refusal } = await openStream(baseUrl, { name: "x\u2028data: y" }, { revision });
    expect(refusal).toMatchObject({ id: 7, error: { code: -32023 } });
    const { id } = await makeEndpoint(api);
    const asked = { name: "webhook.received", arguments: { endpoint_id: id } };
    const stream = await openStream(baseUrl, asked, { revision });
    await expect.poll(() => stream.frames).toHaveLength(1);
    const body = "x\u0085data: a\u2028data: b\u2029data: c";
    await capture(api, id, { raw: body });
    await expect.poll(() => stream.events()).toMatchObject([{ params: { data: { body } } }]);
    expect(stream.blocks.join()).not.toMatch(/[\u0085\u2028\u2029]/);
    stream.close();
  });
}

test("What cannot be streamed is an error at once", async ({ api, baseUrl, key }) => {
  const { id } = await makeEndpoint(api);
  const webhook = { name: "webhook.received", arguments: { endpoint_id: id } };
  const failures: [params: object, code: number][] = [
    [{ name: "email.received" }, -32023],
    [{ name: "change" }, -32024],
    [{ ...webhook, cursor: "wev_-" }, -32602],
    [{ ...webhook, maxEvents: 1 }, -32602],
  ];
  for (const [params, code] of failures) {
    const { refusal } = await openStream(baseUrl, params);
    expect(refusal).toMatchObject({ id: 7, error: { code } });
  }
  const old = await openStream(baseUrl, { name: "change", cursor: "chg_0" }, { key });
  await expect.poll(() => old.frames.length).toBeGreaterThan(0);
  old.close();
});
