import { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";

const EVENTS = 5000;
const ROUNDS = 20;

test("In a large inbox among small ones, sending and consuming an event reads only a few", async ({
  makeDatabase,
  start,
}) => {
  const url = await makeDatabase();
  const server = await start({ DATABASE_URL: url, DISPATCH_INTERVAL_SECONDS: "0" });
  const db = new Pool({ connectionString: url });
  const large = await makeInbox(server.api, { max_events: 10_000 });
  await db.query(
    "INSERT INTO inboxes (id, name, default_ttl_seconds, max_events) SELECT 'inbox_' || n, '', 60, 10 FROM generate_series(1, 3000) AS n",
  );
  const insert = `INSERT INTO inbox_events
      (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
    SELECT inbox, 'iev_' || n, '{}', '', 0, '', inbox, now(), now() + interval '1 day', unix_now() + 86400
    FROM generate_series(1, $1::integer) AS n, LATERAL (SELECT coalesce($2, 'inbox_' || n) AS inbox) AS i`;
  await db.query(insert, [3000, null]);
  await db.query("ANALYZE");
  await db.query(insert, [EVENTS, large.id]);
  for (let round = 0; round < ROUNDS; round += 1) {
    await large.ingest({ query: { dedup_id: `${round}` } });
    const [acknowledged, nacked] = await large.receive({ limit: 2 });
    if (!acknowledged || !nacked) throw new Error("Two events were ready.");
    expectStatus(await large.ack(acknowledged), 204);
    expectStatus(await large.nack(nacked, { delay_seconds: 3600 }), 200);
    expectStatus(await large.extend(nacked, 60), 409);
  }
  await server.stop(); // its connections report their statistics when they close
  await expect.poll(() => entriesRead(db, "inbox_events")).toBeGreaterThan(ROUNDS);
  expect(await entriesRead(db, "inbox_events")).toBeLessThan(ROUNDS * EVENTS * 0.1);
  await db.end();
});

test("A filtered list reads no rows of other organizations", async ({ makeDatabase, start }) => {
  const url = await makeDatabase();
  const server = await start({ DATABASE_URL: url, DISPATCH_INTERVAL_SECONDS: "0" });
  const db = new Pool({ connectionString: url });
  const small = await makeOrganization(db);
  const large = await makeOrganization(db);
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, labels)
     SELECT 'tsk_' || n, $1, '', '{common}' FROM generate_series(1, $2::integer) AS n`,
    [large.id, EVENTS],
  );
  await db.query(
    `INSERT INTO scheduled_messages (id, organization_id, url, host, method, headers, scheduled_at, status)
     SELECT 'msg_' || n, $1, 'http://x', 'x', 'POST', '{}', 0, CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'delivered' END
     FROM generate_series(1, $2::integer) AS n`,
    [large.id, EVENTS],
  );
  await server.api("POST", "/api/tasks", { key: small.key, body: { name: "x", labels: ["own"] } });
  await db.query("ANALYZE");
  for (const path of [
    "/api/tasks?label=absent",
    "/api/tasks?label=common",
    "/api/tasks?label=own&include=total_count",
    "/api/tasks?priority=critical",
    "/api/messages?status=failed",
    "/api/messages",
  ]) {
    const answer = await server.api("GET", path, { key: small.key });
    expectStatus(answer, 200);
    expect(answer.body.data, path).toHaveLength(path.includes("own") ? 1 : 0);
  }
  await server.stop();
  await expect.poll(() => entriesRead(db, "tasks")).toBeGreaterThan(0);
  for (const table of ["tasks", "scheduled_messages"]) {
    expect(await entriesRead(db, table), table).toBeLessThan(20);
  }
  await db.end();
});

/** Index entries and rows that statements of other connections have read. */
async function entriesRead(db: Pool, table: string): Promise<number> {
  const { rows } = await db.query(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = $1)::integer
            + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = $1)::integer AS entries`,
    [table],
  );
  return rows[0].entries;
}
