import { openEventStream } from "../support/event-stream";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { allEvents, capture, fillEndpoint, listEvents, makeEndpoint } from "../support/webhooks";

/** Reading events by page, by filter and live. */

test("Events are listed newest first, and paging neither misses nor repeats any", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) ids.unshift(await capture(api, id));
  const first = await listEvents(api, id, { limit: 3, include: "total_count" });
  expect(first).toMatchObject({ has_more: true, next_cursor: ids[2], total_count: 7 });
  expect(first.data.map((event) => event.id)).toEqual(ids.slice(0, 3));
  expectStatus(await api("DELETE", `/api/webhooks/${id}/events/${ids[2]}`), 204);
  const rest = await listEvents(api, id, { after: ids[2] ?? "" });
  expect(rest.data.map((event) => event.id)).toEqual(ids.slice(3));
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
});

test("A page of large bodies ends early, and the pages together have every event", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  for (let i = 0; i < 9; i++) await capture(api, id, { raw: Buffer.alloc(1_000_000, 0x61 + i) });
  const first = await api("GET", `/api/webhooks/${id}/events`, { query: { limit: 100 } });
  expect(first.bytes.length).toBeLessThan(4_500_000);
  expect(first.body.data.length).toBeGreaterThan(0);
  expect(first.body.has_more).toBe(true);
  expect((await allEvents(api, id)).map(({ body }) => body?.[0]).join("")).toBe("ihgfedcba");
  const oldestFirst = await allEvents(api, id, { since: "wev_0" });
  expect(oldestFirst.map(({ body }) => body?.[0]).join("")).toBe("abcdefghi");
});

test("Events can be filtered by method, and by exact text in body, path or query", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  await api("POST", `/api/catch/${id}`, { raw: "first: 100% _sure\\" });
  await api("PUT", `/api/catch/${id}/second`, {
    raw: Buffer.from([0xff, 0x00, 0x71, 0x2e, 0x71, 0xfe]),
  });
  await api("POST", `/api/catch/${id}?third=1`, { raw: "naïve ☃" });
  const found = async (query: Record<string, string>) =>
    (await allEvents(api, id, query)).map(({ method, size_bytes }) => `${method} ${size_bytes}`);
  const [first, second, third] = ["POST 18", "PUT 6", "POST 10"];
  expect(await found({ method: "put" })).toEqual([second]);
  expect(await found({ method: "POST" })).toEqual([third, first]);
  expect(await found({ q: "100% _sure\\" })).toEqual([first]);
  expect(await found({ q: "%" })).toEqual([first]);
  expect(await found({ q: "q.q" })).toEqual([second]);
  expect(await found({ q: "/second" })).toEqual([second]);
  expect(await found({ q: "third=" })).toEqual([third]);
  expect(await found({ q: "☃" })).toEqual([third]);
  expect(await found({ q: "FIRST" })).toEqual([]);
  expect(await found({ q: "q", method: "PUT", since: "wev_0" })).toEqual([second]);
});

test("Events can be filtered by a header's name and value, ignoring case", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const first = await capture(api, id, { headers: { "X-Event": "Order.Paid", "x-id": "7" } });
  const second = await capture(api, id, { headers: { "x-other": '"x-id":"7" .* \\ é -_/' } });
  const found = async (header: string, more = {}) =>
    (await allEvents(api, id, { header, ...more })).map((event) => event.id);
  const cases: [header: string, ids: string[]][] = [
    ["x-event", [first]],
    ["order.PAID", [first]],
    ["X-EVENT: paid", [first]],
    ["x-event:ORDER", [first]],
    ["x-event:", [first]],
    ["x-id: 7", [first]],
    ["x-id: 8", []],
    ["event: paid", []],
    ["x-event: 7", []],
    ["x-event: order_paid", []],
    ["x-other: .*", [second]],
    ['x-other: "x-id":"7', [second]],
    ["x-other: \\", [second]],
    ["x-other: (", []],
    ["x-other: -_/", [second]],
    ["x-other: नमस्ते", []],
    ["x-", [second, first]],
    ["no such header", []],
  ];
  for (const [header, ids] of cases) {
    expect({ header, ids: await found(header) }).toEqual({ header, ids });
  }
  expect(await found("x-", { since: "wev_0", q: "catch" })).toEqual([first, second]);
  const counted = await listEvents(api, id, { header: "x-", include: "total_count" });
  expect(counted.total_count).toBeUndefined();
});

test("A search through many megabytes of headers continues over pages", async ({ api, db }) => {
  const { id } = await makeEndpoint(api, { max_events: 1000 });
  await fillEndpoint(db, { id, count: 450 });
  await db.query(
    `UPDATE webhook_events SET headers = '{"x-long":"' || repeat('\\\\', 20000) || '","' ||
       CASE WHEN id = (SELECT min(id) FROM webhook_events WHERE endpoint_id = $1) THEN 'x-first'
            ELSE 'x-next' END || '":"1"}'
     WHERE endpoint_id = $1`,
    [id],
  );
  const page = await listEvents(api, id, { header: "x-first: 1" });
  expect(page).toMatchObject({ data: [], has_more: true });
  expect(await allEvents(api, id, { header: "x-first: 1" })).toHaveLength(1);
  expect((await listEvents(api, id, { header: "x-long: x" })).data).toEqual([]);
});

test("A search through many megabytes continues over pages", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  await capture(api, id, { raw: "needle" });
  for (let i = 0; i < 20; i++) await capture(api, id, { raw: Buffer.alloc(1_000_000, 0x61) });
  const first = await listEvents(api, id, { q: "needle" });
  expect(first).toMatchObject({ data: [], has_more: true });
  expect((await allEvents(api, id, { q: "needle" })).map(({ body }) => body)).toEqual(["needle"]);
  const oldestFirst = { q: "needle", since: "wev_0" };
  expect((await allEvents(api, id, oldestFirst)).map(({ body }) => body)).toEqual(["needle"]);
});

test("since returns newer events, oldest first, even when its event is gone", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await capture(api, id));
  await api("DELETE", `/api/webhooks/${id}/events/${ids[1]}`);
  const page = await listEvents(api, id, { since: ids[1] ?? "", limit: 2 });
  expect(page.data.map((event) => event.id)).toEqual(ids.slice(2, 4));
  const next = await listEvents(api, id, { since: ids[1] ?? "", after: page.next_cursor ?? "" });
  expect(next.data.map((event) => event.id)).toEqual(ids.slice(4));
  expect((await listEvents(api, id, { since: ids[4] ?? "" })).data).toEqual([]);
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
  expect(performance.now() - started).toBeLessThan(5000);
  const eventId = await capture(api, id);
  const [event] = (await listEvents(api, id, { since: "wev_0", wait: 60 })).data;
  expect(event?.id).toBe(eventId);
});

test("A long poll responds within a second of the event", async ({ api, db }) => {
  const { id } = await makeEndpoint(api);
  for (let round = 0; round < 3; round++) {
    const since = (await listEvents(api, id, { limit: 1 })).data[0]?.id ?? "wev_0";
    await db.query("UPDATE webhook_endpoints SET watched_until = 0 WHERE id = $1", [id]);
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
  expect(stream).toMatchObject({ status: 200, contentType: "text/event-stream" });
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
  expect(JSON.parse(stream.messages[0]?.data ?? "")).toEqual(JSON.parse(text));
  expect((await listEvents(api, id)).data).toEqual([body]);
  const tag = { "if-match": headers.get("etag") ?? "" };
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
  expect(response.headers.get("content-type")).toBe("text/event-stream");
});

async function untilWatched(
  db: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
  id: string,
) {
  const watched = "SELECT FROM webhook_endpoints WHERE id = $1 AND watched_until > unix_now()";
  await expect.poll(async () => (await db.query(watched, [id])).rows.length).toBe(1);
}
