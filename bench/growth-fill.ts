import type { Pool, PoolClient } from "pg";

/** What the measured organization owns of tasks, messages and artifacts. */
const OWN_MAX = 200_000;
const SCHEDULES = 500;
const OTHERS = 50;
const PER_ENDPOINT = 10_000;
const PER_INBOX = 10_000;
const WITHOUT_TRIGGERS = "SET session_replication_role = replica";
/** For endpoints and inboxes, whose triggers make their state. */
const WITH_TRIGGERS = "SET session_replication_role = origin";
/** With few checkpoints. */
const SETTINGS = [
  "ALTER SYSTEM SET max_wal_size = '4GB'",
  "SELECT pg_reload_conf()",
  "SET synchronous_commit = off",
  "SET maintenance_work_mem = '1GB'",
  "SET enable_seqscan = on",
];

/**
 * Fills the tables of events, tasks, messages, changes and the audit log with `size` rows each. `org_large` owns
 * all webhook events, changes and entries of the log, a fifth of the inbox events, up to 200,000 tasks, messages and
 * artifacts, and 500 schedules; others the rest, which has what the filters of the benchmark look for.
 */
export async function fill(pool: Pool, size: number) {
  const db = await pool.connect();
  try {
    for (const setting of SETTINGS) await db.query(setting);
    const every = Math.max(1, Math.round(size / OWN_MAX));
    const owner = `CASE WHEN n % ${every} = 0 THEN 'org_large' ELSE 'org_' || n % ${OTHERS} END`;
    const isOwn = `n % ${every} = 0`;
    await db.query(
      `INSERT INTO organizations (id, name) SELECT 'org_' || n, n FROM generate_series(0, ${OTHERS - 1}) AS n`,
    );
    await fillWebhooks(db, size);
    await fillInboxes(db, size);
    await insert(
      db,
      "tasks",
      `INSERT INTO tasks (id, organization_id, name, priority, labels, external_id)
       SELECT 'tsk_' || lpad(n::text, 25, '0'), ${owner}, 'Task ' || n,
              ('{low,medium,high}'::task_priority[])[1 + n % 3],
              ARRAY['label ' || n % 50, CASE WHEN ${isOwn} THEN 'own' ELSE 'foreign' END],
              CASE WHEN ${isOwn} THEN NULL ELSE 'foreign' END
       FROM generate_series(1, ${size}) AS n`,
    );
    await db.query(
      `INSERT INTO task_labels SELECT organization_id, label, id FROM tasks, unnest(labels) AS label ORDER BY 1, 2, 3`,
    );
    await insert(
      db,
      "scheduled_messages",
      `INSERT INTO scheduled_messages
         (id, organization_id, url, host, method, headers, scheduled_at, status, delivered_at)
       SELECT 'msg_' || lpad(n::text, 25, '0'), ${owner}, 'http://x/', 'x', 'POST', '{}', 0,
              (CASE WHEN ${isOwn} THEN 'delivered' ELSE 'failed' END)::message_status, unix_now()
       FROM generate_series(1, ${size}) AS n`,
    );
    await insert(
      db,
      "artifacts",
      `INSERT INTO artifacts (id, organization_id, name, content, size)
       SELECT 'art_' || lpad(n::text, 25, '0'), 'org_large', 'Report ' || n, '# Report', 8
       FROM generate_series(1, ${Math.min(size, OWN_MAX)}) AS n`,
    );
    await db.query(
      `INSERT INTO schedules (id, organization_id, name, every_seconds, catch_up, target, due_at)
       SELECT 'sch_' || lpad(n::text, 25, '0'), 'org_large', 'Schedule ' || n, 3600, 'skip',
              '{"task":{"name":"Look"}}', unix_now() + 3600
       FROM generate_series(1, ${SCHEDULES}) AS n`,
    );
    await insert(
      db,
      "changes",
      `INSERT INTO changes (organization_id, xid, kind, action, resource_id)
       SELECT 'org_large', n, 'tasks', 'created', 'tsk_' || lpad(n::text, 25, '0')
       FROM generate_series(1, ${size}) AS n`,
    );
    await insert(
      db,
      "audit_events",
      `INSERT INTO audit_events (id, organization_id, actor, action)
       SELECT 'evt_' || lpad(n::text, 25, '0'), 'org_large', 'operator', 'key.created'
       FROM generate_series(1, ${size}) AS n`,
    );
    await db.query(
      `INSERT INTO delivery_hours (organization_id, hour, delivered, failed)
       SELECT 'org_large', unix_now() / 3600 - n, 1000, 10 FROM generate_series(0, 23) AS n`,
    );
    await db.query("VACUUM ANALYZE");
    await db.query("CHECKPOINT");
  } finally {
    db.release(true);
  }
}

/** Endpoints that are full of events of the last day. */
async function fillWebhooks(db: PoolClient, size: number) {
  await db.query(WITH_TRIGGERS);
  await db.query(
    `INSERT INTO webhook_endpoints
       (id, organization_id, name, max_events)
     SELECT 'wh_' || lpad(n::text, 8, '0'), 'org_large', 'Endpoint ' || n, ${PER_ENDPOINT}
     FROM generate_series(0, ${Math.ceil(size / PER_ENDPOINT) - 1}) AS n`,
  );
  await db.query(
    `UPDATE endpoint_state SET event_count = ${PER_ENDPOINT}, last_event_micros = unix_now() * 1000000,
       hourly = ARRAY(SELECT (hour << 32) + ${PER_ENDPOINT / 24}::bigint
                      FROM generate_series(unix_now() / 3600 - 23, unix_now() / 3600) AS hour
                      ORDER BY hour % 24)`,
  );
  await insert(
    db,
    "webhook_events",
    `INSERT INTO webhook_events
       (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
     SELECT 'wh_' || lpad((n / ${PER_ENDPOINT})::text, 8, '0'),
            'wev_' || id_time(unix_now() * 1000000 - ${size} + n) || lpad(n::text, 16, '0'),
            'POST', '/', '', '{"content-type":"application/json"}', '{"order":4711}', 14
     FROM generate_series(0, ${size - 1}) AS n`,
  );
}

/** A large inbox of the organization and small ones of others. */
async function fillInboxes(db: PoolClient, size: number) {
  const own = Math.ceil(size / 5);
  await db.query(WITH_TRIGGERS);
  await db.query(
    `INSERT INTO inboxes
       (id, organization_id, name, default_ttl_seconds, max_events)
     SELECT CASE WHEN n = -1 THEN 'inbox_large' ELSE 'inbox_' || n END,
            CASE WHEN n = -1 THEN 'org_large' ELSE 'org_' || n % ${OTHERS} END, 'Inbox', 86400, 10000000
     FROM generate_series(-1, ${Math.ceil(size / PER_INBOX)}) AS n`,
  );
  await db.query(
    `UPDATE inbox_state SET occupied = events, ingested = events
     FROM (SELECT inbox_id AS id, CASE WHEN inbox_id = 'inbox_large' THEN ${own} ELSE ${PER_INBOX} END AS events
           FROM inbox_state) AS filled
     WHERE inbox_id = filled.id`,
  );
  await db.query(
    `INSERT INTO inboxes (id, organization_id, name, default_ttl_seconds, max_events)
     VALUES ('inbox_flow', 'org_large', 'Flow', 86400, 10000)`,
  );
  await insert(
    db,
    "inbox_events",
    `INSERT INTO inbox_events
       (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT inbox, 'iev_' || lpad(n::text, 25, '0'), '{}', '{}', 2, '', inbox, now(),
            now() + interval '1 day', unix_now() + 86400
     FROM generate_series(1, ${size}) AS n,
          LATERAL (SELECT CASE WHEN n <= ${own} THEN 'inbox_large' ELSE 'inbox_' || n / ${PER_INBOX} END AS inbox) AS i`,
  );
}

/** Runs a statement that fills a table, without its triggers, and builds the table's other indexes afterwards. */
async function insert(db: PoolClient, table: string, statement: string) {
  await db.query(WITHOUT_TRIGGERS);
  const { rows } = await db.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = $1::regclass
       AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE conrelid = $1::regclass)`,
    [table],
  );
  for (const { name } of rows) await db.query(`DROP INDEX ${name}`);
  await db.query(statement);
  for (const { definition } of rows) await db.query(definition);
}
