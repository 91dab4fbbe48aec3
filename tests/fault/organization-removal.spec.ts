import type { Pool } from "pg";
import {
  insertTasks,
  makeAccessToken,
  makeKey,
  makeOrganization,
  type Organization,
} from "../support/accounts";
import { bodyOf } from "../support/agents";
import { replayEnded, startReplay } from "../support/bulk-replays";
import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { formOf } from "../support/forms";
import type { Api } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { whileUncommitted } from "../support/locks";
import { countByStatus, insertMessages } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { cookieOf, makePerson } from "../support/people";
import { ask } from "../support/questions";
import * as resources from "../support/resources";
import { rowsOf } from "../support/rows";
import { makeSchedule, rewind } from "../support/schedules";
import { pause } from "../support/servers";
import { sweep } from "../support/sweep";
import { capture, makeEndpoint } from "../support/webhooks";

const KINDS = [
  resources.blockedTask,
  resources.forwardingWebhook,
  resources.message,
  resources.repliedInbox,
  resources.schedule,
  resources.sharedArtifact,
  resources.subscription,
  resources.webhookEvent,
];
/** More than a sweep removes of any kind of row at once. */
const EVENTS = 1200;

const it = withOneServer(QUIET);

test("Nothing of a deleted organization is left, even if others write to it, and other organizations lose nothing", async ({
  start,
  startDns,
  db,
  organization: doomed,
}) => {
  // Says at once that a name does not exist: a dispatch waits for its deliveries.
  const dns = await startDns({});
  const { api, baseUrl, output } = await start({ ...QUIET, DNS_SERVERS: dns.address });
  const kept = await makeOrganization(db);
  await fill(api, db, doomed);
  await fill(api, db, kept);
  const owner = await makePerson(db, doomed.id);
  const cookie = await cookieOf(db, owner.id);
  const endpoint = await rowsOf(db).webhookEndpoint.findFirstOrThrow({
    where: { organization_id: doomed.id },
  });
  const before = await rowsWith(db, kept.id);
  const press = await formOf(baseUrl, "/settings/delete-organization", cookie, "typed");

  let isOver = false;
  const statuses = new Set<number>();
  const writers = [
    () => api("POST", "/api/tasks", { key: doomed.key, body: { name: "Late" } }),
    () => api("POST", "/api/me/key/rotate", { key: doomed.readKey }),
    () => api("POST", `/api/catch/${endpoint.id}`, { raw: "late" }),
  ].map(async (write) => {
    for (; !isOver; await pause(20)) statuses.add((await write()).status);
  });
  expect((await press({ typed: `Test ${doomed.id}` })).status).toBe(303);
  expectStatus(await api("GET", "/api/tasks", { key: doomed.key }), 401);
  // What a request that began before the deletion adds at the end.
  await insertTasks(db, doomed.id, 1);
  await sweepUntilEmpty(api, db);
  isOver = true;
  await Promise.all(writers);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(statuses).toContain(401);

  await db.query("UPDATE deleted_organizations SET deleted_at = 0, due_at = 0");
  await sweepUntilEmpty(api, db);
  // The operator's log alone still names it.
  expect(await rowsWith(db, doomed.id)).toEqual({ audit_events: 1 });
  // The dispatches also pushed its changes.
  const pushed = {
    delivery_hours: expect.anything(),
    delivery_flows: expect.anything(),
    organization_hours: expect.anything(),
    scheduled_messages: expect.anything(),
  };
  expect(await rowsWith(db, kept.id)).toEqual({ ...before, ...pushed });
  const { rows: events } = await db.query<{ inbox: number; webhook: number }>(
    "SELECT (SELECT count(*)::int FROM inbox_events) AS inbox, (SELECT count(*)::int FROM webhook_events) AS webhook",
  );
  expect(events[0]?.inbox).toBeGreaterThanOrEqual(EVENTS);
  expect(events[0]?.inbox).toBeLessThan(EVENTS + 10);
  expect(events[0]?.webhook).toBeLessThan(EVENTS + 10);
  expect(output()).not.toContain("Sweeping");
});

it("An organization that nobody can reach again ends with its agent, and one that somebody can does not", async ({
  server: { api },
  db,
}) => {
  const register = async () => {
    const { registration_id } = bodyOf(
      await api("POST", "/api/agent/auth", { body: { type: "anonymous" } }),
    );
    const where = { id: registration_id };
    const select = { organization_id: true };
    const { organization_id } = await rowsOf(db).agentRegistration.findFirstOrThrow({
      where,
      select,
    });
    return organization_id ?? "";
  };
  const gone = await register();
  const owned = await register();
  const invited = await register();
  const operated = await register();
  const shared = await register();
  await db.query("UPDATE agent_registrations SET revoked_at = 0");
  const live = await register();
  await insertTasks(db, gone, 1);
  await makePerson(db, owned);
  await db.query(
    `INSERT INTO invitations (id, organization_id, email, expires_at)
     VALUES ('inv_reach', $1, 'x@example.com', 9000000000)`,
    [invited],
  );
  await makeKey(db, operated, { revoked: true });
  await db.query(
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id)
     VALUES ('reg_reach', 'anonymous', 'api_key', $1)`,
    [shared],
  );
  await sweep(api, db);
  const id = { in: [gone, owned, invited, operated, shared, live] };
  const deleted = await rowsOf(db).deletedOrganization.findMany({ where: { id } });
  expect(deleted.map((one) => one.id)).toEqual([gone]);
  await db.query("UPDATE deleted_organizations SET deleted_at = 0, due_at = 0 WHERE id = $1", [
    gone,
  ]);
  await sweepUntilEmpty(api, db);
  expect(await rowsWith(db, gone)).toEqual({ audit_events: 1 });
  expect(await rowsOf(db).organization.count({ where: { id } })).toBe(5);
});

it("Nothing of a deleted organization runs, is sent or is shown while its rows are still there", async ({
  server: { api },
  db,
  target,
  organization: { id, key },
}) => {
  const kept = await makeOrganization(db);
  const { params } = await resources.sharedArtifact({ api, db, key });
  const shared = `/a/${params.token}/raw`;
  expectStatus(await api("GET", shared), 200);
  const question = await ask(api, key);
  const schedules = [await makeSchedule(api, key), await makeSchedule(api, kept.key)];
  for (const schedule of schedules) await rewind(db, schedule.id, 90);
  // More than a lease looks at, and due before the other's.
  const ids = [
    ...(await insertMessages(db, { url: target.url, count: 150, organizationId: id, dueIn: -600 })),
    ...(await insertMessages(db, { url: target.url, count: 1, organizationId: kept.id })),
  ];
  await db.query("INSERT INTO deleted_organizations (id, due_at) VALUES ($1, 9000000000)", [id]);

  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  expect(await countByStatus(db, ids)).toEqual({ scheduled: 150, delivered: 1 });
  expect(target.received).toHaveLength(1);
  const runs = await rowsOf(db).scheduleRun.findMany({ select: { schedule_id: true } });
  expect(runs).toEqual([{ schedule_id: schedules[1]?.id }]);
  expectError(await api("GET", shared), 404, "resource_not_found");
  expectError(await question.answer("approve"), 404, "resource_not_found");
  const replay = async (owner: string) => {
    const endpoint = await makeEndpoint(api, { key: owner });
    await capture(api, endpoint.id, { raw: "x" });
    return startReplay(api, endpoint.id, { url: target.url }, owner);
  };
  const [stopped, other] = [await replay(key), await replay(kept.key)];
  await replayEnded(api, other.endpoint_id, other.id, kept.key);
  const path = `/api/webhooks/${stopped.endpoint_id}/replays/${stopped.id}`;
  expect((await api("GET", path, { key })).body).toMatchObject({ status: "running", searched: 0 });
});

test("Rows of a deleted organization that are too much for one statement go one by one", async ({
  start,
  db,
  organization: { id },
}) => {
  const { api } = await start(QUIET);
  await insertTasks(db, id, 50);
  await db.query(`CREATE FUNCTION one_by_one() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM gone) > 1 THEN
        RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER one_by_one AFTER DELETE ON tasks
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION one_by_one()`);
  await db.query("INSERT INTO deleted_organizations (id, due_at) VALUES ($1, 1)", [id]);
  await sweep(api, db);
  expect(await rowsOf(db).task.count({ where: { organization_id: id } })).toBe(0);
});

it("A member or key added by a transaction that ends after the deletion has no access", async ({
  server: { baseUrl },
  db,
  organization: { id },
}) => {
  const owner = await makePerson(db, id);
  const cookie = await cookieOf(db, owner.id);
  const press = await formOf(baseUrl, "/settings/delete-organization", cookie, "typed");
  const late = await db.connect();
  try {
    await late.query("BEGIN");
    await late.query(
      "INSERT INTO users (id, email, email_verified_at) VALUES ('usr_late', 'late@example.com', 1)",
    );
    await late.query(
      "INSERT INTO members (organization_id, user_id, role) VALUES ($1, 'usr_late', 'owner')",
      [id],
    );
    await late.query(
      `INSERT INTO api_keys (id, organization_id, name, prefix, last_four, scopes)
       VALUES ('key_' || $1, $1, 'Late', '', '', '{api.read}')`,
      [id],
    );
    await press({ typed: `Test ${id}` });
    const deleted = await db.query("SELECT FROM deleted_organizations WHERE id = $1", [id]);
    expect(deleted.rowCount).toBe(1);
    await late.query("COMMIT");
  } finally {
    late.release();
  }
  const members = await db.query("SELECT * FROM members WHERE user_id = 'usr_late'");
  expect(members.rows).toEqual([]);
  expect(await liveKeys(db, id)).toEqual([]);
});

for (const [name, table, columns, values] of [
  [
    "a code",
    "oauth_codes",
    "client_name, redirect_uri, challenge",
    "'Client', 'http://127.0.0.1/callback', ''",
  ],
  ["the code of a device", "oauth_device_codes", "user_code", "'WDJBMJHT'"],
] as const) {
  it(`A client that exchanges ${name} while the organization is deleted has no access`, async ({
    server: { baseUrl },
    db,
    organization: { id },
  }) => {
    const owner = await makePerson(db, id);
    const cookie = await cookieOf(db, owner.id);
    await db.query(
      `INSERT INTO ${table} (digest, client_id, user_id, organization_id, audience, scopes, expires_at, ${columns})
       VALUES ('x', 'client', $1, $2, 'api', '{api.read}', unix_now() + 60, ${values})`,
      [owner.id, id],
    );
    // The removal of its rows, which follows at once, would end the key too.
    await insertTasks(db, id, 1);
    await failDeletes(db, id, "tasks");
    const press = await formOf(baseUrl, "/settings/delete-organization", cookie, "typed");
    const exchange = [
      `SELECT FROM ${table} WHERE digest = 'x' FOR UPDATE`,
      `INSERT INTO api_keys (id, organization_id, name, kind, prefix, last_four, scopes)
       VALUES ('key_${id}', '${id}', 'Client', 'oauth_grant', '', '', '{api.read}')`,
    ];
    await whileUncommitted(db, exchange, "DELETE FROM", () => press({ typed: `Test ${id}` }));
    expect(await liveKeys(db, id)).toEqual([]);
  });
}

it("An organization that cannot be removed does not delay others, accepts no events and loses its schedules first", async ({
  server: { api },
  db,
  organization: failing,
}) => {
  const other = await makeOrganization(db);
  await insertTasks(db, failing.id, 1);
  await insertTasks(db, other.id, 1);
  await resources.schedule({ api, db, key: failing.key });
  const inbox = await makeInbox(api, {}, failing.key);
  const { params } = await resources.webhook({ api, db, key: failing.key });
  await failDeletes(db, failing.id, "tasks");
  await db.query("INSERT INTO deleted_organizations (id, due_at) VALUES ($1, 1), ($2, 2)", [
    failing.id,
    other.id,
  ]);
  const tasksOf = async (organization: Organization) =>
    rowsOf(db).task.count({ where: { organization_id: organization.id } });
  await expect
    .poll(async () => {
      await sweep(api, db);
      return await tasksOf(other);
    })
    .toBe(0);
  expect(await tasksOf(failing)).toBe(1);
  const where = { organization_id: failing.id };
  expect(await rowsOf(db).schedule.count({ where })).toBe(0);
  expectError(await inbox.tryIngest(), 404, "resource_not_found");
  const captured = await api("POST", `/api/catch/${params.id}`, { raw: "late" });
  expectStatus(captured, 200);
  expect(captured.body).toEqual({ received: true, event_id: expect.stringMatching(/^wev_/) });
  expect(await rowsOf(db).webhookEvent.count({ where: { endpoint_id: params.id ?? "" } })).toBe(0);
  expect(await rowsOf(db).inbox.count({ where })).toBe(1);
});

it("An organization whose removal fails at first accepts no events as soon as that is possible", async ({
  server: { api },
  db,
  organization: { id, key },
}) => {
  await insertTasks(db, id, 1);
  const { params } = await resources.webhook({ api, db, key });
  // Without the one on tasks, the endpoint would be removed with all its rows.
  await failDeletes(db, id, "tasks", "endpoint_state");
  await db.query(
    "INSERT INTO deleted_organizations (id, deleted_at, due_at) VALUES ($1, unix_now() - 10, 1)",
    [id],
  );
  const isPaused = async () => {
    await sweep(api, db);
    const paused = "SELECT FROM deleted_organizations WHERE id = $1 AND due_at > unix_now()";
    return (await db.query(paused, [id])).rowCount === 1;
  };
  await expect.poll(isPaused).toBe(true);
  const where = { endpoint_id: params.id ?? "" };
  expect(await rowsOf(db).endpointState.count({ where })).toBe(1);
  await db.query(`DROP TRIGGER "time_out ${id}" ON endpoint_state`);
  await db.query("UPDATE deleted_organizations SET due_at = unix_now() WHERE id = $1", [id]);
  await expect.poll(isPaused).toBe(true);
  expectStatus(await api("POST", `/api/catch/${params.id}`, { raw: "late" }), 200);
  expect(await rowsOf(db).webhookEvent.count({ where })).toBe(0);
  expect(await rowsOf(db).task.count({ where: { organization_id: id } })).toBe(1);
});

async function liveKeys(db: Pool, organizationId: string) {
  const live = "SELECT id FROM api_keys WHERE organization_id = $1 AND revoked_at IS NULL";
  return (await db.query(live, [organizationId])).rows;
}

/** Lets every deletion of the organization's rows in these tables fail as if it took too long. */
async function failDeletes(db: Pool, organizationId: string, ...tables: string[]) {
  await db.query(`CREATE OR REPLACE FUNCTION time_out() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'Too slow' USING ERRCODE = '57014'; END $$`);
  for (const table of tables) {
    await db.query(`CREATE TRIGGER "time_out ${organizationId}" BEFORE DELETE ON ${table} FOR EACH ROW
      WHEN (OLD.organization_id = '${organizationId}') EXECUTE FUNCTION time_out()`);
  }
}

/** One of everything, and many events, notes, changes and attempts. */
async function fill(api: Api, db: Pool, { id, key }: Organization) {
  // Before the subscription, which would send each of them.
  await db.query(
    `INSERT INTO changes (organization_id, kind, action, resource_id)
     SELECT $1, 'tasks', 'created', 'tsk_' || n FROM generate_series(1, ${EVENTS}) AS n`,
    [id],
  );
  for (const make of KINDS) await make({ api, db, key });
  const person = await makePerson(db, id, "member");
  await makeAccessToken(db, id, "api", person.id);
  const statements = [
    `INSERT INTO inbox_events (inbox_id, queue_id, id, headers, body, size_bytes, query_string, visible_at, lapses_at, expires_at)
     SELECT inbox.id, inbox.id, 'iev_' || n, '{}', '', 0, '', now(), 'infinity', 9000000000
     FROM (SELECT id FROM inboxes WHERE organization_id = $1 LIMIT 1) AS inbox, generate_series(1, ${EVENTS}) AS n`,
    `INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
     SELECT endpoint.id, 'wev_' || n, 'POST', '/', '', '{}', '', 0
     FROM (SELECT id FROM webhook_endpoints WHERE organization_id = $1 LIMIT 1) AS endpoint, generate_series(1, ${EVENTS}) AS n`,
    `INSERT INTO tasks (id, organization_id, name, labels)
     SELECT 'tsk_' || right($1, 8) || n, $1, 'Task', '{a,b}' FROM generate_series(1, 300) AS n`,
    `INSERT INTO task_notes (task_id, id, body) SELECT id, 'note_1', '' FROM tasks WHERE organization_id = $1`,
    `INSERT INTO message_attempts (id, message_id, attempt, started_at)
     SELECT 'att_' || id || n, id, n, 0 FROM scheduled_messages, generate_series(1, 9) AS n WHERE organization_id = $1`,
    `INSERT INTO audit_events (id, organization_id, actor, action)
     SELECT 'evt_' || right($1, 8) || n, $1, 'operator', 'test' FROM generate_series(1, ${EVENTS}) AS n`,
    `INSERT INTO delivery_hours (organization_id, hour, delivered, failed) VALUES ($1, 1000000, 1, 1)`,
    `INSERT INTO delivery_flows (organization_id, hour, source, host, delivered, failed)
     VALUES ($1, 1000000, '', 'https://a.example', 1, 1)`,
    `INSERT INTO organization_hours (organization_id, hour, captured, waiting) VALUES ($1, 1000000, 1, 1)`,
    `INSERT INTO signature_failures (organization_id, hour, endpoint_id, count, reason)
     SELECT $1, unix_now() / 3600, id, 1, 'signature_missing' FROM webhook_endpoints WHERE organization_id = $1 LIMIT 1`,
    `INSERT INTO invitations (id, organization_id, email, invited_by_user_id, expires_at)
     SELECT 'inv_' || $1, $1, 'x@example.com', user_id, 9000000000 FROM members WHERE organization_id = $1 LIMIT 1`,
    `INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id) VALUES ('reg_' || $1, 'anonymous', 'api_key', $1)`,
    `INSERT INTO artifact_shares (id, organization_id) VALUES ('shr_' || $1, $1)`,
    `INSERT INTO notice_settings (id, organization_id, user_id, kinds)
     SELECT 'ntc_' || $1, $1, user_id, '{messages}' FROM members WHERE organization_id = $1 LIMIT 1`,
    `INSERT INTO delegations (iss, sub, user_id, organization_id)
     SELECT 'https://provider.example', $1, user_id, $1 FROM members WHERE organization_id = $1 LIMIT 1`,
  ];
  for (const statement of statements) await db.query(statement, [id]);
}

/** Sweeps until no resource, key or change of a deleted organization is left. */
async function sweepUntilEmpty(api: Api, db: Pool) {
  await expect
    .poll(
      async () => {
        await db.query("UPDATE deleted_organizations SET due_at = least(due_at, unix_now())");
        await sweep(api, db);
        const { rows } = await db.query(
          `SELECT 1 FROM deleted_organizations JOIN organizations USING (id) WHERE deleted_at = 0
           UNION ALL SELECT 1 FROM deleted_organizations AS gone JOIN tasks ON organization_id = gone.id
           UNION ALL SELECT 1 FROM deleted_organizations AS gone JOIN changes ON organization_id = gone.id
           UNION ALL SELECT 1 FROM deleted_organizations AS gone JOIN audit_events ON organization_id = gone.id`,
        );
        return rows.length;
      },
      { timeout: 60_000, intervals: [20] },
    )
    .toBe(0);
}

/** The number of rows in which this text occurs, by table. */
async function rowsWith(db: Pool, text: string): Promise<Record<string, number>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} AS one WHERE one::text LIKE '%' || $1 || '%'`,
      [text],
    );
    if (rows[0]?.count) found[name] = rows[0]?.count;
  }
  return found;
}
