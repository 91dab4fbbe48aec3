import type { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { cookieOf, makePerson } from "../support/people";
import { sweep } from "../support/sweep";

const EVENTS = 5000;
const OWN = 2000;
const ROUNDS = 20;
const USES = 7;

test("In a large inbox among small ones, sending and consuming an event reads only a few rows", async ({
  db,
  start,
}) => {
  const server = await start(QUIET);
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
});

test("A redrive or a purge does not compare each event with each other one while Postgres believes the table small", async ({
  db,
  start,
}) => {
  const server = await start(QUIET);
  const inbox = await makeInbox(server.api, { max_events: 10_000 });
  await inbox.ingest();
  await db.query("ANALYZE inbox_events");
  // So many that comparing them takes longer than a statement may.
  await db.query(
    `INSERT INTO inbox_events
       (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT inbox_id, id || lpad(n::text, 5, '0'), '{}', '', 0, '', queue_id, 'infinity', lapses_at, expires_at
     FROM inbox_events, generate_series(1, 50000) AS n WHERE inbox_id = $1`,
    [inbox.id],
  );
  const { body } = await inbox.redriveAll({ limit: 1000 });
  expect(body).toEqual({ object: "inbox_redrive_result", redriven: 1000, remaining: 49_000 });
  expectStatus(await inbox.purge(), 204);
  expect(await inbox.eventCount()).toBe(0);
});

test("The depths of full inboxes are read from a few rows", async ({ db, start }) => {
  const INBOXES = 5;
  const FULL = 10_000;
  const server = await start(QUIET);
  const own = await makeOrganization(db);
  const person = await makePerson(db, own.id);
  const headers = { cookie: await cookieOf(db, person.id) };
  for (let n = 0; n < INBOXES; n += 1) {
    await makeInbox(server.api, { max_events: FULL }, own.key);
  }
  await db.query(
    `INSERT INTO inbox_events
       (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT inbox_id, 'iev_' || n, '{}', '', 0, '', inbox_id, now(), now() + interval '1 day', unix_now() + 86400
     FROM inbox_state, generate_series(1, $1::integer) AS n`,
    [FULL],
  );
  await db.query("UPDATE inbox_state SET occupied = max_events, ingested = max_events");
  // The planner takes them for some among many.
  await db.query("ALTER TABLE inbox_events ALTER inbox_id SET (n_distinct = 500)");
  await db.query("VACUUM ANALYZE inbox_events");
  await db.query("SELECT pg_stat_reset()");
  for (let use = 0; use < USES; use += 1) {
    for (const path of ["/dashboard", "/inboxes"]) {
      const response = await fetch(server.baseUrl + path, { headers });
      expect(await response.text(), path).toContain("10,000");
    }
  }
  await server.stop();
  await expect.poll(() => entriesRead(db, "inbox_events")).toBeGreaterThan(USES * INBOXES);
  expect(await entriesRead(db, "inbox_events")).toBeLessThan(USES * INBOXES * 50);
});

test("A filtered list reads no rows of other organizations", async ({ db, start }) => {
  const server = await start(QUIET);
  const own = await makeOrganization(db);
  const other = await makeOrganization(db);
  const fill = async ({ id }: { id: string }, count: number, ...labels: string[]) => {
    await db.query(
      `INSERT INTO tasks (id, organization_id, name, labels, external_id)
       SELECT 'tsk_' || $1 || lpad(n::text, 5, '0'), $1, '',
              $3::text[] || CASE n WHEN 1 THEN '{first}' ELSE '{}' END::text[], $3::text[]
       FROM generate_series(1, $2::integer) AS n`,
      [id, count, labels],
    );
    await db.query(
      `INSERT INTO scheduled_messages
         (id, organization_id, url, host, method, headers, scheduled_at, status, external_id)
       SELECT 'msg_' || $1 || n, $1, 'http://x', 'x', 'POST', '{}', 0,
              (CASE $1 WHEN '${own.id}' THEN 'delivered' ELSE 'failed' END)::message_status, $3::text[]
       FROM generate_series(1, $2::integer) AS n`,
      [id, count, labels],
    );
  };
  await fill(own, OWN, "own", "all");
  await fill(other, EVENTS, "foreign", "all");
  await db.query("ANALYZE");
  const lists: [path: string, found: number][] = [
    ["/api/tasks?priority=critical", 0],
    ["/api/tasks?label=foreign", 0],
    ["/api/tasks?label=first", 1],
    ["/api/tasks?label=all", 20],
    ["/api/tasks?label=all&label=foreign", 0],
    [`/api/tasks?label=all&limit=5&after=tsk_${own.id}00100`, 5],
    ["/api/tasks?external_id={foreign,all}", 0],
    ["/api/tasks?external_id={own,all}", 20],
    ["/api/messages?status=failed", 0],
    ["/api/messages?status=scheduled", 0],
    ["/api/messages?external_id={foreign,all}", 0],
    ["/api/messages?status=delivered", 20],
    ["/api/messages", 20],
  ];
  for (const [path, found] of lists) {
    // Postgres makes a plan for any values after five uses on a connection.
    for (let use = 0; use < USES; use += 1) {
      const response = await server.api("GET", path, { key: own.key });
      expectStatus(response, 200);
      expect(response.body.data, path).toHaveLength(found);
    }
  }
  await server.stop();
  const FOUND = 46;
  await expect.poll(() => entriesRead(db, "tasks")).toBeGreaterThanOrEqual(USES * FOUND);
  expect(await entriesRead(db, "tasks")).toBeLessThan(USES * 200);
  expect(await entriesRead(db, "task_labels")).toBeLessThan(USES * 200);
  expect(await entriesRead(db, "scheduled_messages")).toBeLessThan(USES * 200);
});

test("Pages of lists, searches and the overview read the rows that they show, by an index", async ({
  db,
  start,
}) => {
  const server = await start(QUIET);
  const own = await makeOrganization(db);
  const other = await makeOrganization(db);
  const person = await makePerson(db, own.id);
  const headers = { cookie: await cookieOf(db, person.id) };
  const inbox = await makeInbox(server.api, {}, own.key);
  // The other organization's rows come first in every order.
  for (const [organization, first, count] of [
    [own.id, "1", OWN],
    [other.id, "z", EVENTS],
  ] as const) {
    const values = [organization, first, count];
    await db.query(
      `INSERT INTO audit_events (id, organization_id, actor, action)
       SELECT 'evt_' || $2 || n, $1, 'operator', 'key.created' FROM generate_series(1, $3::integer) AS n`,
      values,
    );
    await db.query(
      `INSERT INTO api_keys (id, organization_id, name, prefix, last_four, scopes, revoked_at)
       SELECT 'key_' || $2 || n, $1, 'hay', 'svc_live_', n, '{}', 1 FROM generate_series(1, $3::integer) AS n`,
      values,
    );
    await db.query(
      `INSERT INTO tasks (id, organization_id, name, priority, due_at, created_at, updated_at)
       SELECT 'tsk_' || $2 || n, $1, 'hay', 'high', n + CASE $2 WHEN '1' THEN 9999 ELSE 0 END, 1,
              CASE $2 WHEN '1' THEN 1 + n % 2 ELSE 9999 END
       FROM generate_series(1, $3::integer) AS n`,
      values,
    );
    await db.query(
      `INSERT INTO scheduled_messages (id, organization_id, url, host, method, headers, scheduled_at, due_at)
       SELECT 'msg_' || $2 || n, $1, 'http://x', 'x', 'POST', '{}', 0, n + CASE $2 WHEN '1' THEN 9999 ELSE 0 END
       FROM generate_series(1, $3::integer) AS n`,
      values,
    );
  }
  await db.query(
    "INSERT INTO inboxes (id, name, default_ttl_seconds, max_events) SELECT 'inbox_z' || n, '', 60, 10 FROM generate_series(1, $1::integer) AS n",
    [EVENTS],
  );
  await db.query(
    `INSERT INTO inbox_events
       (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT inbox, 'iev_' || n, '{}', 'hay', 3, '', inbox, now(), now() + interval '1 day', unix_now() + 86400
     FROM generate_series(1, $1::integer) AS n, LATERAL (SELECT CASE WHEN n <= $2 THEN $3 ELSE 'inbox_z' || n END AS inbox) AS i`,
    [EVENTS, OWN, inbox.id],
  );
  await db.query("ANALYZE");
  await db.query("SELECT pg_stat_reset()");
  const paths = [
    "/keys?tab=log&about=keys&q=needle",
    "/keys?q=needle",
    `/inboxes/${inbox.id}?q=needle`,
    "/tasks?sort=due",
    "/tasks?sort=priority",
    "/tasks?sort=updated",
    "/dashboard",
  ];
  for (const path of paths) {
    for (let use = 0; use < USES; use += 1) {
      const response = await fetch(server.baseUrl + path, { headers });
      expect(response.status, path).toBe(200);
      expect(await response.text(), path).toContain("</html>");
    }
  }
  await server.stop();
  await expect.poll(() => entriesRead(db, "tasks")).toBeGreaterThan(USES * 3 * OWN);
  // A search finds where its page ends and then looks at the rows; beside it another list is counted.
  // Tasks are counted for the page and for its tag, in three orders, and for the overview.
  for (const [table, perVisit] of [
    ["audit_events", 3 * OWN + 500],
    ["api_keys", 3 * OWN + 500],
    ["inbox_events", 3 * OWN + 500],
    ["tasks", 7 * OWN + 5000],
    ["scheduled_messages", 500],
  ] as const) {
    const read = await entriesRead(db, table);
    expect(read, table).toBeLessThan(USES * perVisit);
  }
});

test("The delivery of a push reads nothing that is due to others", async ({
  db,
  start,
  target,
}) => {
  const server = await start(QUIET);
  const { key } = await makeOrganization(db);
  const subscription = { url: target.url, kinds: ["tasks"] };
  expectStatus(await server.api("POST", "/api/subscriptions", { key, body: subscription }), 200);
  // The planner takes every subscription for one with thousands of messages, of which many are due.
  for (const [id, status, due] of [
    ["sub_other", "delivered", null],
    [null, "scheduled", 1],
  ]) {
    await db.query(
      `INSERT INTO scheduled_messages
         (id, url, host, method, headers, scheduled_at, subscription_id, status, due_at)
       SELECT 'msg_' || $3::text || n, 'http://x', 'http://x', 'POST', '{}', 1, $2,
              $3::text::message_status, $4::bigint
       FROM generate_series(1, $1::integer) AS n`,
      [EVENTS, id, status, due],
    );
  }
  await db.query("ANALYZE scheduled_messages");
  for (let round = 1; round <= ROUNDS; round += 1) {
    expectStatus(await server.api("POST", "/api/tasks", { key, body: { name: "x" } }), 201);
    await expect.poll(() => target.received.length).toBe(round);
  }
  await server.stop();
  await expect.poll(() => entriesRead(db, "scheduled_messages")).toBeGreaterThan(ROUNDS);
  expect(await entriesRead(db, "scheduled_messages")).toBeLessThan(ROUNDS * EVENTS * 0.5);
});

test("A sweep reads old rows that have to stay once, however many others it deletes", async ({
  db,
  start,
  organization: { id },
}) => {
  const STAY = 20_000;
  const GO = 6000;
  const server = await start(QUIET);
  // Those that stay are older.
  const old = (prefix: string) =>
    `'${prefix}_' || id_time((unix_now() - 500 * 86400::bigint) * 1000000) || lpad(n::text, 16, '0')`;
  const rows = `FROM generate_series(1, ${STAY + GO}) AS n, LATERAL (SELECT n <= ${STAY} AS stays) AS row`;
  await db.query(`
    INSERT INTO tasks (id, name, created_at, updated_at)
    SELECT ${old("tsk")}, '', 0, CASE WHEN stays THEN unix_now() ELSE 0 END ${rows};
    INSERT INTO scheduled_messages
      (id, organization_id, url, host, method, headers, scheduled_at, updated_at, status, due_at)
    SELECT ${old("msg")}, '${id}', 'http://x', 'x', 'POST', '{}', 0, 0,
           (CASE WHEN stays THEN 'scheduled' ELSE 'delivered' END)::message_status,
           CASE WHEN stays THEN 9000000000 END ${rows};
    INSERT INTO usage_counters (id, uses, window_started_at)
    SELECT 'sweep:' || n, 1, CASE WHEN stays THEN unix_now() ELSE 0 END ${rows}`);
  await db.query("ANALYZE");
  await db.query("SELECT pg_stat_reset()");
  const tables = ["tasks", "scheduled_messages", "usage_counters"];
  const counts = tables.map((table) => `SELECT count(*)::int FROM ${table}`).join(" UNION ALL ");
  // A sweep whose time is up goes on with the next one.
  const left = async () => {
    await sweep(server.api, db);
    return (await db.query(counts)).rows;
  };
  await expect.poll(left).toEqual(tables.map(() => ({ count: STAY })));
  await server.stop();
  await expect.poll(() => entriesRead(db, "tasks")).toBeGreaterThan(GO);
  // A page of those that stay is read twice: to find them, and to see that they stay.
  for (const table of tables) {
    expect(await entriesRead(db, table), table).toBeLessThan(3 * STAY + 10 * GO);
  }
});

/** Index entries and rows that statements of other connections have read. */
async function entriesRead(db: Pool, table: string): Promise<number> {
  const { rows } = await db.query<{ entries: number }>(
    `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = $1)::integer
            + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = $1)::integer AS entries`,
    [table],
  );
  return rows[0]?.entries ?? 0;
}
