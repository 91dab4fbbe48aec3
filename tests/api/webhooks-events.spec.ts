import { expectStatus, missing } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { makeInbox } from "../support/inboxes";
import {
  allEvents,
  capture,
  fillEndpoint,
  listEvents,
  makeEndpoint,
  setClockBack,
} from "../support/webhooks";

/** Reading events by page and by filter. */

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
  const rest = await listEvents(api, id, { after: ids[2] ?? missing() });
  expect(rest.data.map((event) => event.id)).toEqual(ids.slice(3));
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
});

test("An event is the newest although the clock was set back", async ({ api, db }) => {
  const { id } = await makeEndpoint(api);
  await capture(api, id);
  const latest = await setClockBack(db, id);
  expect((await capture(api, id)) > latest).toBe(true);
  const inbox = await makeInbox(api);
  const forward = { body: { inbox_id: inbox.id } };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, forward), 200);
  await capture(api, id);
  const latestForwarded = await setClockBack(db, id);
  expect((await capture(api, id)) > latestForwarded).toBe(true);
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

test("A page of long paths or queries ends early, and the pages together have every event", async ({
  api,
  db,
}) => {
  // A query costs more than its bytes.
  for (const long of ["path = repeat('x', 1500000)", "query_string = repeat('a=1&', 60000)"]) {
    const { id } = await makeEndpoint(api);
    await fillEndpoint(db, { id, count: 3 });
    await db.query(`UPDATE webhook_events SET ${long} WHERE endpoint_id = $1`, [id]);
    const first = await listEvents(api, id, { limit: 100 });
    expect(first.data, long).toHaveLength(2);
    expect(first.has_more).toBe(true);
    expect(await allEvents(api, id)).toHaveLength(3);
  }
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

test("A search through many megabytes of paths or queries, or of bodies, continues over pages", async ({
  api,
  db,
}) => {
  const long = "repeat('x', 6000000)";
  const columns = { path: long, query_string: long, body: `convert_to(${long}, 'UTF8')` };
  for (const [column, value] of Object.entries(columns)) {
    const { id } = await makeEndpoint(api);
    await fillEndpoint(db, { id, count: 4 });
    await db.query(
      `UPDATE webhook_events SET ${column} = ${value}
       WHERE endpoint_id = $1 AND path NOT LIKE '%/number/1'`,
      [id],
    );
    const oldest = { q: "/number/1" };
    expect(await listEvents(api, id, oldest), column).toMatchObject({ data: [], has_more: true });
    expect(await allEvents(api, id, oldest)).toHaveLength(1);
    expect(await allEvents(api, id, { ...oldest, since: "wev_0" })).toHaveLength(1);
  }
});
