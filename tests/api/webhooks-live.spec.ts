import { openEventStream } from "../support/event-stream";
import { expectError, expectStatus, expectWithin, missing } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { capture, listEvents, makeEndpoint } from "../support/webhooks";

/** Reading events live: positions, long polls and streams. */

test("since returns newer events, oldest first, even when its event is gone", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await capture(api, id));
  await api("DELETE", `/api/webhooks/${id}/events/${ids[1]}`);
  const page = await listEvents(api, id, { since: ids[1] ?? missing(), limit: 2 });
  expect(page.data.map((event) => event.id)).toEqual(ids.slice(2, 4));
  const next = await listEvents(api, id, {
    since: ids[1] ?? missing(),
    after: page.next_cursor ?? missing(),
  });
  expect(next.data.map((event) => event.id)).toEqual(ids.slice(4));
  expect((await listEvents(api, id, { since: ids[4] ?? missing() })).data).toEqual([]);
});

const NO_EVENT_IDS = [
  "nonsense",
  "wev_",
  "wev_zzz",
  "wev_1",
  `wev_${"z".repeat(24)}`,
  `wev_${"z".repeat(26)}`,
  `wev_${"z".repeat(24)}-`,
  `iev_${"z".repeat(25)}`,
  `wh_${"z".repeat(25)}`,
  `WEV_${"z".repeat(25)}`,
];

test("An invalid position or wait is refused by name", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  for (const [query, param] of [
    [{ since: "tsk_x" }, "since"],
    [{ after: "wh_x" }, "after"],
    [{ wait: "1" }, "wait"],
    [{ since: "wev_0", wait: "x" }, "wait"],
    [{ since: "wev_0", wait: "1.5" }, "wait"],
    [{ q: "a\0" }, "q"],
  ] as const) {
    const response = await api("GET", `/api/webhooks/${id}/events`, { query });
    expectError(response, 400, "invalid_param", param);
  }
  const stream = `/api/webhooks/${id}/events/stream`;
  for (const cursor of NO_EVENT_IDS) {
    const since = await api("GET", `/api/webhooks/${id}/events`, { query: { since: cursor } });
    expectError(since, 400, "invalid_param", "since");
    expectError(
      await api("GET", stream, { query: { since: cursor } }),
      400,
      "invalid_param",
      "since",
    );
    const headers = { "last-event-id": cursor };
    const again = await api("GET", stream, { headers });
    expectError(again, 400, "invalid_param", "Last-Event-ID");
  }
});

test("wait is clamped to its bounds", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const started = performance.now();
  expect((await listEvents(api, id, { since: "wev_0", wait: -60 })).data).toEqual([]);
  await expectWithin(api, 1000, performance.now() - started);
  const eventId = await capture(api, id);
  const [event] = (await listEvents(api, id, { since: "wev_0", wait: 60 })).data;
  expect(event?.id).toBe(eventId);
});

test("A long poll responds within a second of the event", async ({ api, db }) => {
  const { id } = await makeEndpoint(api);
  for (let round = 0; round < 3; round++) {
    const since = (await listEvents(api, id, { limit: 1 })).data[0]?.id ?? "wev_0";
    await db.query("UPDATE endpoint_state SET watched_until = 0 WHERE endpoint_id = $1", [id]);
    const waiting = listEvents(api, id, { since, wait: 20 });
    await untilWatched(db, id);
    const started = performance.now();
    const eventId = await capture(api, id, { raw: "news" });
    const list = await waiting;
    await expectWithin(api, 1000, performance.now() - started);
    expect(list.data.map((event) => event.id)).toEqual([eventId]);
  }
});

test("A long poll without events returns an empty list at the end of the wait", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const since = await capture(api, id);
  const started = performance.now();
  expect(await listEvents(api, id, { since, wait: 2 })).toEqual({
    object: "list",
    data: [],
    has_more: false,
    next_cursor: null,
  });
  const seconds = (performance.now() - started) / 1000;
  expect(seconds).toBeGreaterThan(1.9);
  expect(seconds).toBeLessThan(10);
});

test("A long poll with filters waits for a matching event", async ({ api, db }) => {
  const { id } = await makeEndpoint(api);
  const waiting = listEvents(api, id, { since: "wev_0", wait: 20, method: "PUT", q: "yes" });
  await untilWatched(db, id);
  await capture(api, id, { raw: "yes" });
  await api("PUT", `/api/catch/${id}`, { raw: "no" });
  await api("PUT", `/api/catch/${id}`, { raw: "yes!" });
  expect((await waiting).data.map(({ body }) => body)).toEqual(["yes!"]);
});

test("A long poll during a claim ends with 403 and shows nothing", async ({
  api,
  db,
  baseUrl,
  key,
}) => {
  const endpoint = await makeEndpoint(api);
  const { id } = endpoint;
  const stream = await openEventStream(baseUrl, `/api/webhooks/${id}/events/stream`);
  const waiting = api("GET", `/api/webhooks/${id}/events`, { query: { since: "wev_0", wait: 20 } });
  await untilWatched(db, id);
  const { claim_token } = endpoint;
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  await capture(api, id, { raw: "secret" });
  expectError(await waiting, 403, "forbidden");
  await stream.ended;
  expect(stream.messages).toEqual([]);
});

test("A stream starts with new events, each as a single read shows it", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  await capture(api, id, { raw: "before" });
  const stream = await openEventStream(baseUrl, `/api/webhooks/${id}/events/stream`);
  expect(stream).toMatchObject({ status: 200, contentType: "text/event-stream; charset=utf-8" });
  const eventId = await capture(api, id, { raw: "line 1\nline 2\r\n\r\ndata: x" });
  await expect.poll(() => stream.messages.length).toBe(1);
  const { text } = await api("GET", `/api/webhooks/${id}/events/${eventId}`);
  expect(stream.messages).toEqual([{ id: eventId, data: text }]);
  stream.close();
});

test("Multi-line JSON of any length is one message of the stream", async ({ api, baseUrl }) => {
  const { id } = await makeEndpoint(api);
  const path = `/api/webhooks/${id}/events`;
  const stream = await openEventStream(baseUrl, `${path}/stream`);
  const value = { text: "line 1\nline 2", numbers: Array.from({ length: 50_000 }, (_, i) => i) };
  const raw = JSON.stringify(value, undefined, 1).replaceAll("\n", "\r\n");
  const eventId = await capture(api, id, { raw });
  await expect.poll(() => stream.messages.length).toBe(1);
  stream.close();
  const { text, headers } = await api("GET", `${path}/${eventId}`);
  const body = JSON.parse(text);
  expect(body.parsed_body).toEqual(value);
  expect(JSON.parse(stream.messages[0]?.data ?? missing())).toEqual(JSON.parse(text));
  expect((await listEvents(api, id)).data).toEqual([body]);
  const tag = { "if-match": headers.need("etag") };
  expectStatus(await api("DELETE", `${path}/${eventId}`, { headers: tag }), 204);
});

test("A stream supports filters and starts after since", async ({ api, baseUrl }) => {
  const { id } = await makeEndpoint(api);
  const since = await capture(api, id, { raw: "yes 1" });
  for (const raw of ["yes 2", "no", "yes 3"]) await capture(api, id, { raw });
  const path = `/api/webhooks/${id}/events/stream?since=${since}&q=yes&method=POST`;
  const stream = await openEventStream(baseUrl, path);
  await capture(api, id, { raw: "yes 4" });
  await expect.poll(() => stream.messages.length).toBe(3);
  const bodies = stream.messages.map(({ data }): unknown => JSON.parse(data).body);
  expect(bodies).toEqual(["yes 2", "yes 3", "yes 4"]);
  stream.close();
});

test("A reader that keeps reconnecting gets each event once, in order", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const path = `/api/webhooks/${id}/events/stream`;
  const seen: string[] = [];
  const sent: string[] = [];
  const senders = Array.from({ length: 4 }, async () => {
    for (let i = 0; i < 20; i++) sent.push(await capture(api, id, { raw: `${i}` }));
  });
  let lastEventId = "wev_0";
  while (seen.length < 80) {
    const stream = await openEventStream(baseUrl, path, { "last-event-id": lastEventId });
    await expect.poll(() => stream.messages.length).toBeGreaterThan(0);
    stream.close();
    lastEventId = stream.lastEventId;
    seen.push(...stream.messages.map((message) => message.id));
  }
  await Promise.all(senders);
  expect(seen).toEqual(sent.sort());
});

test("A stream ends when its endpoint is deleted", async ({ api, baseUrl }) => {
  const { id } = await makeEndpoint(api);
  const stream = await openEventStream(baseUrl, `/api/webhooks/${id}/events/stream`);
  expectStatus(await api("DELETE", `/api/webhooks/${id}`), 204);
  await stream.ended;
  expectError(await api("GET", `/api/webhooks/${id}/events/stream`), 404, "resource_not_found");
});

test("HEAD of a stream responds at once", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const response = await api("HEAD", `/api/webhooks/${id}/events/stream`);
  expectStatus(response, 200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
});

async function untilWatched(
  db: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  id: string,
) {
  const watched =
    "SELECT FROM endpoint_state WHERE endpoint_id = $1 AND watched_until > unix_now()";
  await expect.poll(async () => (await db.query(watched, [id])).rows.length).toBe(1);
}
