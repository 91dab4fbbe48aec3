import { Pool } from "pg";
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
  await expect.poll(entriesRead).toBeGreaterThan(ROUNDS);
  expect(await entriesRead()).toBeLessThan(ROUNDS * EVENTS * 0.1);
  await db.end();

  async function entriesRead(): Promise<number> {
    const { rows } = await db.query(
      "SELECT sum(idx_tup_read)::integer AS entries FROM pg_stat_user_indexes WHERE relname = 'inbox_events'",
    );
    return rows[0].entries;
  }
});
