import type { Pool, PoolClient } from "pg";
import { expectStatus } from "../support/expectations";
import { disconnectAll, expect, QUIET, test } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { inboxClient, makeInbox, whileLocked } from "../support/inboxes";
import { insertMessages } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { statementCounter } from "../support/sent-statements";
import { pause } from "../support/servers";
import { startTcpProxy } from "../support/tcp-proxy";
import { capture, makeEndpoint } from "../support/webhooks";

/** What the events that endpoints hold back for full inboxes cost everybody else. */

const ENDPOINTS = 12;
const EVENTS = 20_000;

let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
const moves = statementCounter("forward_held_events(");

const it = withOneServer(async (databaseUrl) => {
  proxy = await startTcpProxy(databaseUrl, moves.read);
  return { ...QUIET, DATABASE_URL: proxy.url };
});

test.afterAll(() => proxy.close());

it("A round of the scheduler looks at each endpoint that waits for a full inbox once", async ({
  server: { api },
}) => {
  const inbox = await makeInbox(api, { max_events: 1 });
  await inbox.ingest({ raw: "fills it" });
  for (let n = 0; n < ENDPOINTS; n += 1) await holdBack(api, inbox.id);
  // Captures catch up in the background.
  await expect.poll(() => moves.count).toBeGreaterThanOrEqual(ENDPOINTS);
  await expect.poll(moves.more).toBe(0);
  moves.count = 0;
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  expect(moves.count).toBe(ENDPOINTS);
});

it("A full public inbox is not recounted each time that events wait for it, but once room is made", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest();
  const event = await inbox.receiveOne();
  const bytes = 60_000_000;
  await db.query("UPDATE inbox_events SET size_bytes = $2 WHERE inbox_id = $1", [inbox.id, bytes]);
  const change = "UPDATE inbox_state SET bytes_used = $2 WHERE inbox_id = $1";
  await db.query(change, [inbox.id, bytes]);
  await holdBack(api, inbox.id);
  let recounts = 0;
  for (let n = 0; n < 20; n += 1) {
    // A recount would find less.
    const values = [inbox.id, 2 * bytes + n];
    await db.query(change, values);
    expectStatus(await api("POST", "/api/messages/dispatch"), 200);
    const unchanged = "SELECT FROM inbox_state WHERE inbox_id = $1 AND bytes_used = $2";
    recounts += (await db.query(unchanged, values)).rowCount === 1 ? 0 : 1;
  }
  expect(recounts).toBeLessThan(10);
  await inbox.ack(event);
  await expect.poll(async () => (await inbox.receive()).length).toBe(1);
});

it("Who claims an inbox does not pay for endpoints that others forward into it", async ({
  server: { api },
  db,
  key,
}) => {
  const made = (await api("POST", "/api/inboxes", { body: { name: "x", max_events: 1 } })).body;
  const endpoints = [await holdBack(api, made.id), await holdBack(api, made.id)];
  const { claim_token } = made;
  expectStatus(await api("POST", `/api/claim/${made.id}`, { key, body: { claim_token } }), 200);
  for (const id of endpoints) await capture(api, id, { raw: "x" });
  await whileLocked(db, made.id, async () => {
    for (const id of endpoints) await capture(api, id, { raw: "x" });
  });
  moves.count = 0;
  const inbox = inboxClient(api, made.id, key);
  await inbox.ack(await inbox.receiveOne());
  expectStatus(await api("PATCH", inbox.path, { key, body: { max_events: 10 } }), 200);
  // Both make room in the background.
  await pause(1000);
  expect(moves.count).toBe(0);
  expect(await inbox.eventCount()).toBe(0);
});

it("What a full inbox holds back of the changes is tried again when the scheduler asks, and not before", async ({
  server: { api },
  db,
  key,
}) => {
  const inbox = await makeInbox(api, { max_events: 1 }, key);
  const body = { inbox_id: inbox.id, kinds: ["tasks"] };
  const { id } = (await api("POST", "/api/subscriptions", { key, body })).body;
  for (let n = 0; n < 2; n += 1) {
    expectStatus(await api("POST", "/api/tasks", { key, body: { name: "x" } }), 201);
  }
  // Each try locks the row, and a change makes another version of it.
  const text = `SELECT obstacle, xmin::text AS version, xmax::text AS locked
    FROM subscriptions WHERE id = $1`;
  const read = async (end = "") => (await db.query<Row>(text + end, [id])).rows[0];
  await expect.poll(async () => (await read())?.obstacle).toBe("inbox_full");
  let last = await read();
  const isStill = async () => {
    const before = last;
    await pause(2000);
    last = await read();
    return last?.locked === before?.locked;
  };
  await expect.poll(isStill).toBe(true);
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  await expect.poll(async () => (await read())?.locked).not.toBe(last?.locked);
  // Waits for the end of that try.
  expect((await read(" FOR UPDATE"))?.version).toBe(last?.version);
});

// Last, because it ends the connections of the server.
it("A round of the scheduler reads few of the events that wait for a full inbox", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api, { max_events: 1 });
  await inbox.ingest({ raw: "fills it" });
  const endpoint = await holdBack(api, inbox.id);
  await db.query(
    `INSERT INTO webhook_events
       (endpoint_id, id, method, path, query_string, headers, body, size_bytes, forward_status)
     SELECT $2, 'wev_' || n, 'POST', '/', '', '{}', '', 0, 'held'
     FROM generate_series(1, $1::int) AS n`,
    [EVENTS, endpoint],
  );
  for (let round = 0; round < 5; round += 1) {
    expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  }
  await disconnectAll(db); // connections report their statistics when they close
  await expect.poll(() => entriesRead(db)).toBeGreaterThan(0);
  expect(await entriesRead(db)).toBeLessThan(EVENTS);
});

test("Messages are sent while inboxes for which events are held back are locked", async ({
  start,
  db,
  target,
}) => {
  const { api } = await start({ DISPATCH_INTERVAL_SECONDS: "1" });
  const inboxes = await Promise.all(
    Array.from({ length: 5 }, () => makeInbox(api, { max_events: 1 })),
  );
  for (const inbox of inboxes) {
    await inbox.ingest({ raw: "fills it" });
    await holdBack(api, inbox.id);
  }
  const client = await db.connect();
  try {
    await lockInboxes(client);
    // Rounds that began before are over, and later ones look at the inboxes.
    await pause(2000);
    await insertMessages(db, { url: target.url, count: 1 });
    await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(1);
  } finally {
    client.release(true);
  }
});

interface Row {
  obstacle: string | null;
  version: string;
  locked: string;
}

/** Makes an endpoint that holds an event back, since the inbox is full. */
async function holdBack(api: Api, inboxId: string) {
  const { id } = await makeEndpoint(api);
  const body = { inbox_id: inboxId };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { body }), 200);
  await capture(api, id, { raw: "x" });
  return id;
}

/** Index entries of captured events that the server has read. */
async function entriesRead(db: Pool): Promise<number> {
  const { rows } = await db.query<{ entries: number }>(
    `SELECT sum(idx_tup_read)::int AS entries FROM pg_stat_user_indexes
     WHERE relname = 'webhook_events'`,
  );
  return rows[0]?.entries ?? 0;
}

async function lockInboxes(client: PoolClient) {
  await client.query("BEGIN");
  await client.query("SELECT FROM inbox_state FOR UPDATE");
}
