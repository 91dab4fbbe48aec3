import { setTimeout as pause } from "node:timers/promises";
import { Connection, encode } from "./load";
import { makeKey, Stage } from "./stage";
import { quantile, timesOf } from "./times";

const EXPIRED = 1_000_000;
const CAPTURES_PER_SECOND = 100;
const SWEEP_SECONDS_MAX = 600;

/** A million expired rows of several kinds are swept, while captures go on at a steady rate. */
export async function sweep() {
  const stage = await Stage.open();
  try {
    const count = EXPIRED / 5;
    const old = (prefix: string) =>
      `'${prefix}_' || id_time((unix_now() - 500 * 86400::bigint) * 1000000 + n) || lpad(n::text, 16, '0')`;
    await makeKey(stage.db, "own");
    for (const statement of [
      `INSERT INTO idempotency_records (id, body_digest, answer, created_at)
       SELECT 'record' || n, '', '{}', 0 FROM generate_series(1, ${count}) AS n`,
      `WITH made AS (
         INSERT INTO webhook_endpoints (id, name, created_at, updated_at)
         SELECT ${old("wh")}, 'old', 0, 0 FROM generate_series(1, ${count / 1000}) AS n RETURNING id
       ) INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
         SELECT id, 'wev_' || n, 'POST', '/', '', '{}', '{"order":4711}', 14 FROM made, generate_series(1, 1000) AS n`,
      "UPDATE endpoint_state SET event_count = 1000",
      `INSERT INTO tasks (id, name, created_at, updated_at)
       SELECT ${old("tsk")}, 'old', 0, 0 FROM generate_series(1, ${count}) AS n`,
      `INSERT INTO scheduled_messages (id, organization_id, url, host, method, headers, scheduled_at, status, updated_at)
       SELECT ${old("msg")}, 'org_own', 'http://x/', 'x', 'POST', '{}', 0, 'delivered', 0 FROM generate_series(1, ${count}) AS n`,
      `INSERT INTO audit_events (id, created_at, organization_id, actor, action)
       SELECT ${old("evt")}, 0, 'org_own', 'operator', 'test' FROM generate_series(1, ${count}) AS n`,
      "INSERT INTO webhook_endpoints (id, organization_id, name, max_events) VALUES ('wh_own', 'org_own', 'Own', 1000)",
      "UPDATE dispatch_state SET last_sweep_at = unix_now()",
      "VACUUM ANALYZE",
    ]) {
      await stage.db.query(statement);
    }
    const { port } = await stage.service({ DISPATCH_INTERVAL_SECONDS: "1" });
    const connection = await Connection.open(port);
    const capture = encode({ method: "POST", path: "/api/catch/wh_own", body: "{}" });
    const pauseMs = 1000 / CAPTURES_PER_SECOND;
    const once = () => connection.send(capture);
    await timesOf(once, 500); // warms up
    const alone = quantile(await timesOf(once, 2000, pauseMs), 0.99);
    await stage.db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
    const started = performance.now();
    let isOver = false;
    const beside: number[] = [];
    const captures = (async () => {
      while (!isOver) beside.push(...(await timesOf(once, 100, pauseMs)));
    })();
    while (performance.now() - started < SWEEP_SECONDS_MAX * 1000) {
      const { rows } = await stage.db.query<{ is_left: boolean }>(`SELECT
        EXISTS (SELECT FROM idempotency_records) OR EXISTS (SELECT FROM audit_events WHERE action = 'test')
        OR EXISTS (SELECT FROM tasks) OR EXISTS (SELECT FROM scheduled_messages)
        OR EXISTS (SELECT FROM webhook_endpoints WHERE name = 'old') AS is_left`);
      if (!rows[0]?.is_left) break;
      await pause(1000);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    isOver = true;
    await captures;
    connection.close();
    const ratio = quantile(beside, 0.99) / alone;
    console.log(
      `${EXPIRED.toLocaleString("en")} expired rows swept in ${seconds} s; the 99th percentile of captures ` +
        `was ${alone.toFixed(1)} ms before, and ${ratio.toFixed(2)} times that beside the sweep`,
    );
  } finally {
    await stage.close();
  }
}
