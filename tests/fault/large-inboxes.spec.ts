import type { Pool } from "pg";
import { expectError, expectStatus, missing } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { jsonOf } from "../support/http";
import { makeInbox, type Outcomes, whileLocked } from "../support/inboxes";
import { lockWaits, whileHeld, whileUncommitted } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { onResult } from "../support/sent-statements";
import { startTcpProxy } from "../support/tcp-proxy";
import { makeEndpoint } from "../support/webhooks";

/** Events in each state: more than one statement may delete in this test, since each may have a megabyte. */
const EVENTS = 120;

let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
/** The bytes of the rows of each result that the server has read. */
const results: number[] = [];

const it = withOneServer(async (databaseUrl) => {
  proxy = await startTcpProxy(
    databaseUrl,
    onResult((bytes) => results.push(bytes)),
  );
  return { ...QUIET, DATABASE_POOL_SIZE: "4", DATABASE_URL: proxy.url };
});

test.afterAll(() => proxy.close());

it("Purges of many large inboxes leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  const inboxes = await Promise.all(Array.from({ length: 6 }, () => makeInbox(api)));
  const other = await makeInbox(api);
  for (const { id } of inboxes) await fill(db, id);
  const lock = await db.connect();
  try {
    await lock.query("BEGIN");
    for (const { id } of inboxes) {
      await lock.query("SELECT FROM inbox_state WHERE inbox_id = $1 FOR UPDATE", [id]);
    }
    const purges = inboxes.map((inbox) => inbox.purge());
    for (let count = 0; count < 10; count++) expectStatus(await other.get(), 200);
    await lock.query("COMMIT");
    for (const purged of await Promise.all(purges)) expectStatus(purged, 204);
  } finally {
    // Also ends the transaction after a failure.
    lock.release(true);
  }
  expect(await Promise.all(inboxes.map((inbox) => inbox.eventCount()))).toEqual(Array(6).fill(0));
});

it("Deletions of many large endpoints leave connections for other requests", async ({
  server: { api },
  db,
}) => {
  const endpoints = await Promise.all(Array.from({ length: 6 }, () => makeEndpoint(api)));
  const other = await makeInbox(api);
  for (const { id } of endpoints) await fillEndpoint(db, id);
  await whileHeld(db, "LOCK TABLE webhook_events IN SHARE MODE", async (end) => {
    const deletions = endpoints.map(({ id }) => api("DELETE", `/api/webhooks/${id}`));
    for (let count = 0; count < 10; count++) expectStatus(await other.get(), 200);
    await end();
    for (const deleted of await Promise.all(deletions)) expectStatus(deleted, 204);
  });
  expect((await db.query("SELECT FROM webhook_events")).rowCount).toBe(0);
});

it("An ingest that was stored is answered 201 although another of its batch fails in a second try", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api, { max_events: 3 });
  const { id: old } = await inbox.ingest({ raw: "old" });
  const expire =
    "UPDATE inbox_events SET expires_at = 1, lapses_at = to_timestamp(1) WHERE id = $1";
  await db.query(expire, [old]);
  // Nothing is stored once the expired event has given up its place.
  await db.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM inbox_events WHERE id = '${old}') THEN
          RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014';
        END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER fail BEFORE INSERT ON inbox_events FOR EACH ROW EXECUTE FUNCTION fail()`);
  try {
    const sent: ReturnType<typeof inbox.tryIngest>[] = [];
    await whileLocked(db, inbox.id, async () => {
      sent.push(inbox.tryIngest({ raw: "first" }));
      await expect.poll(() => lockWaits(db)).toBe(1);
      // They share the next statement, which has room for one.
      for (const raw of ["second", "third"]) sent.push(inbox.tryIngest({ raw }));
      for (let count = 0; count < 3; count++) expectStatus(await inbox.get(), 200);
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 429]);
  } finally {
    await db.query("DROP FUNCTION fail CASCADE");
  }
  expect(await inbox.eventCount()).toBe(2);
  expectStatus(await inbox.purge(), 204);
});

it("Receivers that share a statement get the events it leased, even if the next statement fails", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api);
  // As if each had a megabyte: a statement leases four.
  await db.query(
    `INSERT INTO inbox_events (inbox_id, queue_id, id, headers, body, size_bytes, query_string,
                               visible_at, lapses_at, expires_at)
     SELECT $1, $1, 'iev_' || lpad(n::text, 22, '0'), '{}', '', 1000000, '', now(), 'infinity', 9000000000
     FROM generate_series(1, 9) AS n`,
    [inbox.id],
  );
  await db.query("UPDATE inbox_state SET occupied = 9 WHERE inbox_id = $1", [inbox.id]);
  await db.query(`CREATE SEQUENCE fours;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(*) FROM leased) = 4 THEN
          IF nextval('fours') > 1 THEN
            RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014';
          END IF;
        END IF;
        RETURN NULL;
      END $$;
    CREATE TRIGGER fail AFTER UPDATE ON inbox_events REFERENCING NEW TABLE AS leased
    FOR EACH STATEMENT EXECUTE FUNCTION fail()`);
  await whileHeld(db, "LOCK TABLE inbox_events IN ACCESS EXCLUSIVE MODE", async (end) => {
    const received = [inbox.tryReceive({ limit: 1 })];
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBe(1);
    // They share the next statement.
    received.push(inbox.tryReceive({ limit: 4 }), inbox.tryReceive({ limit: 4 }));
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(1);
    await end();
    const served = (await Promise.all(received)).filter(({ status }) => status === 200);
    expect(served.map(({ body }) => body.data.length)).toEqual([1, 4]);
  }).finally(async () => {
    await db.query("DROP FUNCTION fail CASCADE; DROP SEQUENCE fours");
  });
  expectStatus(await inbox.purge(), 204);
});

it("A batch of nacks reads no bodies, whether or not it holds their leases", async ({
  server: { api },
}) => {
  const inbox = await makeInbox(api);
  for (let n = 0; n < 2; n += 1) await inbox.ingest({ raw: Buffer.alloc(100_000, "x") });
  const [held = missing(), other = missing()] = await inbox.receive({ limit: 2 });
  results.length = 0;
  const nacks = [
    { event_id: held.id, lease_id: held.lease_id },
    { event_id: other.id, lease_id: "lse_none" },
  ];
  const settled = jsonOf<Outcomes>(await inbox.settle({ nacks }));
  expect(settled.nacks.map(({ outcome }) => outcome)).toEqual(["released", "lease_lost"]);
  expect(results).not.toEqual([]);
  expect(Math.max(...results)).toBeLessThan(10_000);
  expectStatus(await inbox.purge(), 204);
});

it("An event whose Idempotency-Key another one has is not lost when that one leaves at this moment", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: "first", query: { dedup_id: "same" } });
  // With the commit of the transaction that finds it.
  await db.query(`CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM inbox_events WHERE inbox_id = NEW.inbox_id;
        RETURN NULL;
      END $$;
    CREATE CONSTRAINT TRIGGER leave AFTER UPDATE ON inbox_state DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION leave()`);
  try {
    const second = { raw: "second", headers: { "idempotency-key": "same" } };
    expectError(await inbox.tryIngest(second), 422, "idempotency_key_reused");
  } finally {
    await db.query("DROP FUNCTION leave CASCADE");
  }
  expect((await inbox.events()).map(({ body }) => body)).toEqual(["first"]);
  expectStatus(await inbox.purge(), 204);
});

// The last, since its triggers stay.
it("An inbox or endpoint with more rows than a statement can delete is purged and deleted", async ({
  server: { api },
  db,
  organization,
}) => {
  const inbox = await makeInbox(api);
  const left = async () => {
    const { rows } = await db.query(
      `SELECT (SELECT count(*)::int FROM inbox_events) AS events,
              (SELECT count(*)::int FROM inbox_replies) AS replies`,
    );
    return rows[0];
  };
  await limitDeletes(db);
  await fill(db, inbox.id);
  await db.query("UPDATE inboxes SET organization_id = $1", [organization.id]);
  expectError(await inbox.purge(), 403, "forbidden");
  expect(await left()).toEqual({ events: 3 * EVENTS, replies: EVENTS });
  await db.query("UPDATE inboxes SET organization_id = NULL");
  expectStatus(await inbox.purge({ state: "dead" }), 204);
  expect(await inbox.stats()).toMatchObject({
    ready: EVENTS,
    dead: 0,
    totals: { purged: EVENTS, expired: EVENTS },
  });
  expect(await left()).toEqual({ events: 2 * EVENTS, replies: EVENTS });
  expectStatus(await inbox.purge(), 204);
  expect(await left()).toEqual({ events: 0, replies: 0 });
  expect(await inbox.stats()).toMatchObject({
    ready: 0,
    totals: { purged: 2 * EVENTS, expired: EVENTS },
  });
  expect(await inbox.eventCount()).toBe(0);

  await fill(db, inbox.id);
  const stale = await api("DELETE", inbox.path, { headers: { "if-match": '"stale"' } });
  expectError(stale, 412, "precondition_failed");
  expect(await left()).toEqual({ events: 3 * EVENTS, replies: EVENTS });
  expectStatus(await api("DELETE", inbox.path), 204);
  expectStatus(await inbox.get(), 404);
  expect(await left()).toEqual({ events: 0, replies: 0 });

  const { id } = await makeEndpoint(api);
  const endpoint = `/api/webhooks/${id}`;
  await fillEndpoint(db, id);
  const captured = async () => (await db.query("SELECT FROM webhook_events")).rowCount;
  const unmatched = await api("DELETE", endpoint, { headers: { "if-match": '"stale"' } });
  expectError(unmatched, 412, "precondition_failed");
  expect(await captured()).toBe(EVENTS);
  expectStatus(await api("DELETE", endpoint), 204);
  expectStatus(await api("GET", endpoint), 404);
  expect(await captured()).toBe(0);
});

it("A large endpoint or inbox that has changed while its deletion waits is 412, and keeps its events", async ({
  server: { api },
  db,
}) => {
  const { id } = await makeEndpoint(api);
  const inbox = await makeInbox(api);
  await fillEndpoint(db, id);
  await fill(db, inbox.id);
  for (const { table, path } of [
    { table: "webhook_endpoints", path: `/api/webhooks/${id}` },
    { table: "inboxes", path: inbox.path },
  ]) {
    const etag = (await api("GET", path)).headers.get("etag") ?? "";
    const renamed = `UPDATE ${table} SET name = 'y', revision = revision + 1`;
    const deleted = await whileUncommitted(db, [renamed], `FROM ${table}`, () =>
      api("DELETE", path, { headers: { "if-match": etag } }),
    );
    expectError(deleted, 412, "precondition_failed");
  }
  expect((await db.query("SELECT FROM webhook_events")).rowCount).toBe(EVENTS);
  expect(await inbox.stats()).toMatchObject({ ready: EVENTS, dead: EVENTS });
});

/** As if the deletion of more rows exceeded the time limit of a statement. */
async function limitDeletes(db: Pool) {
  await db.query(`CREATE FUNCTION time_out() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM gone) >= ${EVENTS} THEN
        RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014';
      END IF;
      RETURN NULL;
    END $$`);
  for (const table of ["inbox_events", "inbox_replies", "webhook_events"]) {
    await db.query(`CREATE TRIGGER time_out AFTER DELETE ON ${table}
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION time_out()`);
  }
}

/** As many ready, dead and expired events, and replies. */
async function fill(db: Pool, inboxId: string) {
  await db.query(
    `INSERT INTO inbox_events (inbox_id, queue_id, id, headers, body, size_bytes, query_string,
                               visible_at, lapses_at, expires_at)
     SELECT $1, $1, 'iev_' || lpad(n::text, 22, '0'), '{}', '', 0, '',
            CASE n % 3 WHEN 0 THEN 'infinity' ELSE now() END,
            CASE n % 3 WHEN 1 THEN now() ELSE 'infinity' END,
            CASE n % 3 WHEN 1 THEN 0 ELSE 9000000000 END
     FROM generate_series(1, ${3 * EVENTS}) AS n`,
    [inboxId],
  );
  await db.query(
    `INSERT INTO inbox_replies (inbox_id, event_id, lease_id, body, size_bytes, expires_at)
     SELECT $1, 'iev_' || n, 'lse_' || n, '', 0, 9000000000 FROM generate_series(1, ${EVENTS}) AS n`,
    [inboxId],
  );
  await db.query("UPDATE inbox_state SET occupied = $2 WHERE inbox_id = $1", [inboxId, 2 * EVENTS]);
}

async function fillEndpoint(db: Pool, endpointId: string) {
  await db.query(
    `INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
     SELECT $1, 'wev_' || lpad(n::text, 22, '0'), 'POST', '', '', '{}', '', 0
     FROM generate_series(1, ${EVENTS}) AS n`,
    [endpointId],
  );
}
