import type { Pool } from "pg";
import { makeOrganization } from "../support/accounts";
import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { makeInbox, whileLocked } from "../support/inboxes";
import { whileUncommitted } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { cookieOf, makePerson } from "../support/people";
import { APPROVE, ask } from "../support/questions";
import { rowsOf } from "../support/rows";
import { pause } from "../support/servers";
import { sweep } from "../support/sweep";
import { capture, makeEndpoint } from "../support/webhooks";
import { moveClock, startHour } from "../support/windows";

const OLD_DAYS = 500;

const it = withOneServer(QUIET);

// The first, since it looks at all rows.
it("One sweep removes all that has expired, and goes on when some kinds of rows fail", async ({
  server,
  db,
  organization: { id, key },
}) => {
  const { api } = server;
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "kept" } });
  const question = await ask(api, key);
  await fill(db, id);
  const schedule = { every_seconds: 60, target: { task: { name: "Late" } } };
  expectStatus(await api("POST", "/api/schedules", { key, body: schedule }), 201);
  await db.query("UPDATE schedules SET due_at = 0");
  await db.query("ALTER TABLE artifact_shares RENAME TO missing");
  await db.query(`CREATE FUNCTION time_out() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER time_out BEFORE DELETE ON delivery_hours EXECUTE FUNCTION time_out();
    CREATE TRIGGER time_out BEFORE UPDATE ON schedules EXECUTE FUNCTION time_out()`);
  await Promise.all([
    // The last one was before the clock was set back.
    sweep(api, db, "unix_now() + 3600"),
    capture(api, endpoint.id, { raw: "beside a sweep" }),
  ]);
  expect((await api("GET", question.path, { key })).body.state).toBe("open");

  const { rows: left } = await db.query<{ row: string }>(`
    SELECT 'endpoint ' || name AS row FROM webhook_endpoints
    UNION ALL SELECT 'inbox ' || name FROM inboxes
    UNION ALL SELECT 'record ' || count(*) FROM idempotency_records
    UNION ALL SELECT 'webhook events ' || count(*) FROM webhook_events
    UNION ALL SELECT 'inbox events ' || count(*) FROM inbox_events
    UNION ALL SELECT 'message ' || external_id FROM scheduled_messages
    UNION ALL SELECT 'attempts ' || count(*) FROM message_attempts
    UNION ALL SELECT 'audit ' || action FROM audit_events WHERE action LIKE 'test.%'
    UNION ALL SELECT 'registration ' || id FROM agent_registrations
    UNION ALL SELECT 'invitation ' || email FROM invitations
    UNION ALL SELECT 'revoked ' || sub FROM revoked_subjects
    UNION ALL SELECT 'session ' || digest FROM sessions
    UNION ALL SELECT 'code ' || subject FROM one_time_codes`);
  expect(left.map(({ row }) => row).sort()).toEqual(
    [
      "endpoint kept",
      "record 0",
      "webhook events 1",
      "inbox events 0",
      "message scheduled",
      "message new",
      "message held",
      "message counted",
      "message pending",
      "attempts 1",
      "audit test.new",
      "registration reg_active",
      "registration reg_new",
      "registration reg_live",
      "registration reg_open",
      "registration reg_recent",
      "invitation late@example.com",
      "revoked new",
      "session live",
      "code counted",
    ].sort(),
  );
  await expect.poll(() => server.output()).toContain("Sweeping artifact_shares failed:");
  await expect.poll(() => server.output()).toContain("Sweeping delivery_hours failed:");
  await expect.poll(() => server.output()).toContain("in UPDATE schedules SET");
  await db.query(`ALTER TABLE missing RENAME TO artifact_shares;
    DROP TRIGGER time_out ON delivery_hours;
    DROP TRIGGER time_out ON schedules`);
});

it("A public resource that cannot be deleted does not keep others of its kind from being deleted", async ({
  server: { api, output },
  db,
}) => {
  const insert = `INSERT INTO tasks (id, name, created_at, updated_at)
    SELECT 'tsk_' || id_time((unix_now() - ${OLD_DAYS} * 86400::bigint) * 1000000) || lpad(n::text, 16, '0'),
           CASE WHEN n < 3 THEN 'stuck' ELSE 'old' END, 0, 0 FROM generate_series(1, 4) AS n`;
  await db.query(insert);
  await db.query(`CREATE OR REPLACE FUNCTION time_out() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER time_out BEFORE DELETE ON tasks FOR EACH ROW WHEN (OLD.name = 'stuck')
      EXECUTE FUNCTION time_out()`);
  await sweep(api, db);
  const where = { name: { in: ["stuck", "old"] } };
  const left = await rowsOf(db).task.findMany({ where, select: { name: true } });
  expect(left.map(({ name }) => name)).toEqual(["stuck", "stuck"]);
  await expect.poll(() => output()).toContain("An unclaimed resource could not be removed:");
  await db.query("DROP TRIGGER time_out ON tasks");
});

it("A public resource that is used after a sweep has found it is kept", async ({
  server: { api },
  db,
}) => {
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO artifacts (id, name, content, size, created_at, updated_at)
     SELECT 'art_' || id_time((unix_now() - ${OLD_DAYS} * 86400::bigint) * 1000000) || lpad('', 16, '0'),
            'old', '', 0, 0, 0 RETURNING id`,
  );
  const id = rows[0]?.id;
  const use = [
    // Reads go on.
    "LOCK TABLE artifacts IN EXCLUSIVE MODE",
    `INSERT INTO artifact_shares (id, artifact_id) VALUES ('shr_used', '${id}')`,
  ];
  await whileUncommitted(db, use, "FOR UPDATE SKIP LOCKED", () => sweep(api, db));
  expectStatus(await api("GET", `/api/artifacts/${id}`), 200);
});

test("A sweep keeps what was captured in the hours that have ended, also while no server ran, and what waits in inboxes, if it is not nothing", async ({
  start,
  db,
  organization: { id, key },
}) => {
  const { api, baseUrl } = await start(QUIET);
  await startHour(db);
  // What was captured in the hour before has been written.
  await moveClock(db, 120);
  const emptied = await makeOrganization(db);
  const empty = await makeOrganization(db);
  for (const name of ["a", "b"]) await makeEndpoint(api, { key, name });
  for (const one of [key, emptied.key, empty.key]) await makeInbox(api, {}, one);
  await db.query(`
    UPDATE inbox_state SET occupied = 7 WHERE organization_id = '${id}';
    UPDATE endpoint_state SET last_event_micros = unix_now() * 1000000, hourly = ARRAY(
      SELECT ((now_hour - (now_hour - n % 24 + 24) % 24) << 32) + n + 1
      FROM generate_series(0, 23) AS n, LATERAL (SELECT unix_now() / 3600 AS now_hour) AS clock);
    DELETE FROM organization_hours;
    INSERT INTO organization_hours (organization_id, hour, captured, waiting)
    SELECT id, unix_now() / 3600 - 5, 0, waiting
    FROM (VALUES ('${emptied.id}', 7), ('${empty.id}', 0)) AS before (id, waiting)`);
  await sweep(api, db);
  const { rows } = await db.query(
    `SELECT organization_id AS id, captured = 2 * (hour % 24 + 1) AS is_right, waiting::int
     FROM organization_hours, LATERAL (SELECT (unix_now() - 60) / 3600 - 1 AS last) AS ended
     WHERE hour = last OR organization_id = '${id}' AND hour BETWEEN last - 3 AND last
     ORDER BY hour, waiting`,
  );
  const whileDown = { id, is_right: true, waiting: null };
  expect(rows).toEqual([
    ...[whileDown, whileDown, whileDown],
    { id: emptied.id, is_right: false, waiting: 0 },
    { id, is_right: true, waiting: 7 },
  ]);

  await db.query("UPDATE organization_hours SET hour = unix_now() / 3600 - 3 WHERE waiting = 0");
  const { id: person } = await makePerson(db, emptied.id);
  const headers = { cookie: await cookieOf(db, person) };
  const page = await (await fetch(`${baseUrl}/dashboard`, { headers })).text();
  const table = page.slice(page.indexOf("<caption>Waiting in inboxes"));
  const cells = Array.from(table.matchAll(/<td>([^<]*)/g), ([, cell]) => cell).slice(0, 24);
  // What waited while the server was down is not known.
  expect(cells).toEqual([...Array(18).fill("0"), "7", "not known", "0", "0", "0", "0"]);
});

it("A sweep removes expired replies, and leaves those of an inbox in use to the next one", async ({
  server: { api },
  db,
}) => {
  const [used, idle] = [await makeInbox(api), await makeInbox(api)];
  const insert = `INSERT INTO inbox_replies (inbox_id, event_id, lease_id, body, size_bytes, expires_at)
    SELECT $1, 'iev_' || n, 'lse_' || n, '', 0, unix_now() + n FROM generate_series(-2, 1000, 1001) AS n`;
  for (const { id } of [used, idle]) await db.query(insert, [id]);
  const sweep = async () => {
    await db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
    expectStatus(await api("POST", "/api/messages/dispatch"), 200);
    const { rows } = await db.query<{ inbox_id: string; count: number }>(
      "SELECT inbox_id, count(*)::int AS count FROM inbox_replies GROUP BY inbox_id",
    );
    return Object.fromEntries(rows.map(({ inbox_id, count }) => [inbox_id, count]));
  };
  await whileLocked(db, used.id, async () => {
    expect(await sweep()).toEqual({ [used.id]: 2, [idle.id]: 1 });
  });
  expect(await sweep()).toEqual({ [used.id]: 1, [idle.id]: 1 });
});

it("A sweep removes long responses a few at a time", async ({ server: { api }, db }) => {
  await db.query(`
    INSERT INTO idempotency_records (id, body_digest, answer, created_at)
    SELECT 'long' || n, '', convert_to(repeat('x', 25000000), 'UTF8'), unix_now() - 90000
    FROM generate_series(1, 8) AS n;
    CREATE FUNCTION time_out_if_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT sum(octet_length(answer)) FROM removed) > 150000000 THEN
        RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER time_out AFTER DELETE ON idempotency_records REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION time_out_if_long()`);
  await sweep(api, db);
  const left = await db.query("SELECT FROM idempotency_records WHERE id LIKE 'long%'");
  expect(left.rowCount).toBe(0);
  await db.query("DROP TRIGGER time_out ON idempotency_records");
});

it("Evicted events that cannot be deleted are left to the sweep", async ({
  server: { api },
  db,
}) => {
  const { id } = await makeEndpoint(api, { max_events: 1 });
  // A rollback does not reset a sequence.
  await db.query(`CREATE SEQUENCE failures;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('failures'); RAISE EXCEPTION 'Broken'; END $$;
    CREATE TRIGGER fail BEFORE DELETE ON webhook_events
      FOR EACH ROW WHEN (OLD.endpoint_id = '${id}') EXECUTE FUNCTION fail()`);
  const read = async (text: string) =>
    (await db.query<{ count: number }>(text)).rows[0]?.count ?? 0;
  const failures = () => read("SELECT last_value::int AS count FROM failures WHERE is_called");
  for (let n = 0; n < 3; n += 1) await capture(api, id, { raw: "x" });
  await expect.poll(failures).toBeGreaterThan(0);
  const more = async () => {
    const before = await failures();
    await pause(2000);
    return (await failures()) - before;
  };
  await expect.poll(more).toBe(0);
  await db.query("DROP TRIGGER fail ON webhook_events");
  await sweep(api, db);
  expect(
    await read(`SELECT count(*)::int AS count FROM webhook_events WHERE endpoint_id = '${id}'`),
  ).toBe(1);
});

it("A backlog of replies to one full inbox does not hold back the reply to another", async ({
  server: { api },
  db,
}) => {
  const [full, other] = [await makeInbox(api, { max_events: 1 }), await makeInbox(api)];
  await full.ingest({ raw: "fills it" });
  const stuck = await ask(api, undefined, { ...APPROVE, reply_to: { inbox_id: full.id } });
  await ask(api, undefined, { ...APPROVE, reply_to: { inbox_id: other.id } });
  await db.query(
    `INSERT INTO questions SELECT copy.*
     FROM questions AS one, generate_series(1, 20000) AS n, LATERAL jsonb_populate_record(
       one, jsonb_build_object('id', one.id || lpad(n::text, 5, '0'))) AS copy
     WHERE one.id = $1`,
    [stuck.id],
  );
  await db.query("UPDATE questions SET expires_at = 0, state = 'expired'");
  await sweep(api, db);
  expect(await other.eventCount()).toBe(1);
});

/** Expired rows of each kind, more than a batch of some, beside rows that must stay. */
async function fill(db: Pool, organizationId: string) {
  const id = (prefix: string, days: string) =>
    `'${prefix}_' || id_time((unix_now() - ${days} * 86400::bigint) * 1000000) || lpad(n::text, 16, '0')`;
  const statements = [
    `INSERT INTO invitations (id, organization_id, email, expires_at)
     VALUES ('inv_old', '${organizationId}', 'old@example.com', unix_now() - 2 * 86400),
            ('inv_late', '${organizationId}', 'late@example.com', unix_now() - 3600)`,
    `INSERT INTO idempotency_records (id, body_digest, answer, created_at)
     SELECT 'record' || n, '', '', unix_now() - 90000 FROM generate_series(1, 5000) AS n`,
    `WITH endpoint AS (
       INSERT INTO webhook_endpoints (id, name, created_at, updated_at)
       SELECT ${id("wh", "500")}, 'old', 0, 0 FROM generate_series(1, 2) AS n RETURNING id
     ) INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
       SELECT endpoint.id, 'wev_' || n, 'POST', '/', '', '{}', '', 0
       FROM endpoint, generate_series(1, 6000) AS n`,
    `WITH inbox AS (
       INSERT INTO inboxes (id, name, default_ttl_seconds, max_events, created_at, updated_at)
       SELECT ${id("inbox", "500")}, 'old', 60, 10000, 0, 0 FROM generate_series(1, 1) AS n RETURNING id
     ) INSERT INTO inbox_events (inbox_id, queue_id, id, headers, body, size_bytes, query_string, visible_at, lapses_at, expires_at)
       SELECT inbox.id, inbox.id, 'iev_' || n, '{}', '', 0, '', now(), 'infinity', 9000000000
       FROM inbox, generate_series(1, 3000) AS n`,
    `UPDATE endpoint_state SET event_count = 12000 FROM webhook_endpoints WHERE id = endpoint_id AND name = 'old'`,
    `UPDATE inbox_state SET active_at = 0 FROM inboxes WHERE id = inbox_id AND name = 'old'`,
    `WITH message AS (
       INSERT INTO scheduled_messages (id, organization_id, external_id, url, host, method, headers, scheduled_at, status, due_at, created_at, updated_at)
       SELECT ${id("msg", "given.days")}, '${organizationId}', given.name, 'http://x', 'x', 'POST', '{}', 0, given.status::message_status, given.due_at, 0, unix_now() - given.days * 86400
       FROM (VALUES (1, 'delivered', ${OLD_DAYS}::bigint, 'delivered', NULL),
                    (2, 'failed', ${OLD_DAYS}, 'failed', NULL),
                    (3, 'scheduled', ${OLD_DAYS}, 'scheduled', 9000000000),
                    (4, 'new', 0, 'delivered', NULL),
                    (5, 'held', ${OLD_DAYS}, 'scheduled', NULL)) AS given (n, name, days, status, due_at)
       RETURNING id, external_id
     ) INSERT INTO message_attempts (id, message_id, attempt, started_at)
       SELECT 'att_' || external_id, id, 1, 0 FROM message WHERE external_id NOT IN ('scheduled', 'held')`,
    `WITH replay AS (
       INSERT INTO webhook_replays (id, organization_id, endpoint_id, url, up_to, position, total, ended_at)
       SELECT 'wrp_' || given.name, '${organizationId}', id, 'http://x', '', '', 2, given.ended_at
       FROM webhook_endpoints, (VALUES ('runs', NULL), ('over', unix_now())) AS given (name, ended_at)
       WHERE webhook_endpoints.name = 'kept'
     ) INSERT INTO scheduled_messages (id, organization_id, external_id, url, host, method, headers, scheduled_at, status, due_at, updated_at, webhook_replay_id)
       SELECT ${id("msg", "0")}, '${organizationId}', given.name, 'http://x', 'x', 'POST', '{}', 0, given.status::message_status, given.due_at, 0, given.replay
       FROM (VALUES (6, 'counted', 'delivered', NULL, 'wrp_runs'), (7, 'pending', 'scheduled', 9000000000, 'wrp_runs'),
                    (8, 'over', 'delivered', NULL, 'wrp_over')) AS given (n, name, status, due_at, replay)`,
    `INSERT INTO audit_events (id, created_at, organization_id, actor, action)
     SELECT ${id("evt", `(CASE n WHEN 1 THEN 0 ELSE ${OLD_DAYS} END)`)}, CASE n WHEN 1 THEN unix_now() ELSE 0 END, '${organizationId}', 'operator',
            CASE n WHEN 1 THEN 'test.new' ELSE 'test.old' END FROM generate_series(1, 3000) AS n`,
    `INSERT INTO agent_registrations (id, type, requested_credential_type, revoked_at)
     VALUES ('reg_old', 'anonymous', 'api_key', 0), ('reg_new', 'anonymous', 'api_key', unix_now()),
            ('reg_active', 'anonymous', 'api_key', NULL)`,
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, created_at, claim_token_expires_at)
     VALUES ('reg_ended', 'agent-provider', 'access_token', '${organizationId}', 0, NULL),
            ('reg_recent', 'agent-provider', 'access_token', '${organizationId}', 0, NULL),
            ('reg_live', 'agent-provider', 'api_key', '${organizationId}', 0, NULL),
            ('reg_open', 'anonymous', 'api_key', '${organizationId}', 0, unix_now()),
            ('reg_unconfirmed', 'service_auth', 'api_key', NULL, 0, 604800)`,
    `INSERT INTO api_keys (id, organization_id, registration_id, name, prefix, last_four, scopes, replaced_by_id, expires_at, revoked_at)
     SELECT id, '${organizationId}', agent, '', '', '', '{}', next, expires_at, revoked_at
     FROM (VALUES ('key_1', 'reg_ended', 'key_2', 0, NULL), ('key_2', 'reg_ended', NULL, NULL, 0),
                  ('key_3', 'reg_recent', NULL, unix_now() - 60, NULL), ('key_4', 'reg_live', NULL, 0, NULL),
                  ('key_5', 'reg_live', NULL, NULL, NULL), ('key_6', 'reg_open', NULL, 0, NULL)
          ) AS made (id, agent, next, expires_at, revoked_at)`,
    `INSERT INTO sessions (id, digest, key_id, created_at, last_seen_at)
     VALUES ('ses_1', 'live', 'key_5', unix_now() - 29 * 86400, unix_now() - 6 * 86400),
            ('ses_2', 'idle', 'key_5', unix_now() - 9 * 86400, unix_now() - 8 * 86400),
            ('ses_3', 'long', 'key_5', unix_now() - 31 * 86400, unix_now())`,
    `INSERT INTO one_time_codes (id, purpose, subject, email, mac, created_at, expires_at)
     VALUES ('sgn_1', 'sign-in', 'counted', 'a@example.com', '', unix_now() - 29 * 86400, 0),
            ('sgn_2', 'sign-in', 'old', 'a@example.com', '', unix_now() - 31 * 86400, 0)`,
    `INSERT INTO revoked_subjects (iss, sub, revoked_at)
     VALUES ('x', 'old', unix_now() - 7200), ('x', 'new', unix_now() - 3700)`,
  ];
  for (const statement of statements) await db.query(statement);
}
