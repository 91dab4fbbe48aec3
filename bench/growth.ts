// `npm run bench:growth -- 10000 1000000 5000000`: what requests cost as the tables grow, and how a
// sweep of a million expired rows slows captures. Prints the tables of docs/benchmarks.md.
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { adoptEmbeddedDatabase } from "@/lib/config/config";
import { closePools } from "@/lib/db/connections";
import { loadOverview } from "@/lib/overview/service";
import { Connection, encode, type Request } from "./load";
import { Stage } from "./stage";

const ROUNDS = 300;
const EXPIRED = 1_000_000;
const CAPTURES_PER_SECOND = 100;
const SWEEP_SECONDS_MAX = 600;

const [task = "", ...given] = process.argv.slice(2);
if (task === "size") console.log(JSON.stringify(await measure(Number(given[0]))));
else if (task === "sweep") await sweep();
else compareSizes([task, ...given].filter(Boolean).map(Number));

/** Each in a process of its own, because the overview is loaded by this process. */
function compareSizes(sizes: number[]) {
  const run = (...argv: string[]) =>
    execFileSync(process.execPath, ["--import", "tsx", "bench/growth.ts", ...argv], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
  const all = (sizes.length > 0 ? sizes : [10_000, EXPIRED]).map((size) => ({
    size,
    times: JSON.parse(run("size", String(size))) as Record<string, number>,
  }));
  const row = (cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
  row(["Median, ms, with so many events", ...all.map(({ size }) => size.toLocaleString("en"))]);
  row(["---", ...all.map(() => "---")]);
  for (const what of Object.keys(all[0]?.times ?? {})) {
    row([what, ...all.map(({ times }) => (times[what] ?? Number.NaN).toFixed(1))]);
  }
  console.log(run("sweep"));
}

/** The medians of requests beside `size` captured events and a fifth as many tasks, messages and inbox events. */
async function measure(size: number): Promise<Record<string, number>> {
  const stage = await Stage.open();
  try {
    const key = await stage.makeKey("large");
    await fill(stage, size);
    const { port } = await stage.service();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const connection = await Connection.open(port);
    const send = (method: string, path: string, body?: string) =>
      connection.send(encode({ method, path, headers, ...(body && { body }) } satisfies Request));
    const inbox = "/api/inboxes/inbox_large/events";
    adoptEmbeddedDatabase(stage.url);
    const caller = {
      kind: "key",
      keyId: "key_large",
      organizationId: "org_large",
      scopes: [],
    } as const;
    const subjects: Record<string, () => Promise<unknown>> = {
      capture: () => send("POST", "/api/catch/wh_1", '{"a":1}'),
      "page of events": () => send("GET", "/api/webhooks/wh_1/events"),
      "receive and acknowledge": async () => {
        const { data } = JSON.parse(await send("POST", `${inbox}/receive`, "{}"));
        const body = JSON.stringify({ lease_id: data[0].lease_id });
        await send("POST", `${inbox}/${data[0].id}/ack`, body);
      },
      "lease-next": () => send("POST", "/api/tasks/lease-next", '{"holder":"bench"}'),
      "tasks, label without match": () => send("GET", "/api/tasks?label=absent"),
      "messages, status=failed": () => send("GET", "/api/messages?status=failed"),
      overview: () => loadOverview(caller),
    };
    const medians: Record<string, number> = {};
    for (const [what, work] of Object.entries(subjects)) {
      const times = await timesOf(work, ROUNDS);
      medians[what] = times[times.length >> 1] ?? Number.NaN;
      console.error(`${size} events: ${what} ${medians[what]?.toFixed(1)} ms`);
    }
    connection.close();
    await closePools();
    return medians;
  } finally {
    await stage.close();
  }
}

async function fill(stage: Stage, size: number) {
  const few = Math.ceil(size / 5);
  const run = (text: string, ...values: unknown[]) => stage.db.query(text, values);
  await run(
    `INSERT INTO webhook_endpoints (id, organization_id, name, max_events, event_count, last_event_micros, hourly)
     SELECT 'wh_' || n, 'org_large', 'Endpoint ' || n, 10000, ($1::bigint / 100)::int, unix_now() * 1000000,
            ARRAY[(unix_now() / 3600 << 32) + $1::bigint / 100]
     FROM generate_series(1, 100) AS n`,
    size,
  );
  await run(
    `INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
     SELECT 'wh_' || 1 + n % 100, 'wev_' || id_time(unix_now() * 1000000 - $1::bigint + n) || lpad(n::text, 16, '0'),
            'POST', '/', '', '{"content-type":"application/json"}', '{"order":4711}', 14
     FROM generate_series(1, $1::bigint) AS n`,
    size,
  );
  await run(
    `INSERT INTO inboxes (id, organization_id, name, default_ttl_seconds, max_events, occupied, ingested)
     VALUES ('inbox_large', 'org_large', 'Large', 86400, 10000000, $1::int, $1::int)`,
    few,
  );
  await run(
    `INSERT INTO inbox_events (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT 'inbox_large', 'iev_' || lpad(n::text, 25, '0'), '{}', '{}', 2, '', 'inbox_large', now(),
            now() + interval '1 day', unix_now() + 86400
     FROM generate_series(1, $1::int) AS n`,
    few,
  );
  await run(
    `INSERT INTO tasks (id, organization_id, name, priority, labels)
     SELECT 'tsk_' || lpad(n::text, 25, '0'), 'org_large', 'Task ' || n,
            (ARRAY['low', 'medium', 'high'])[1 + n % 3], ARRAY['label ' || n % 50]
     FROM generate_series(1, $1::int) AS n`,
    few,
  );
  await run(
    `INSERT INTO scheduled_messages (id, organization_id, url, host, method, headers, scheduled_at, status, delivered_at)
     SELECT 'msg_' || lpad(n::text, 25, '0'), 'org_large', 'http://x/', 'x', 'POST', '{}', 0, 'delivered', unix_now()
     FROM generate_series(1, $1::int) AS n`,
    few,
  );
  await run("VACUUM ANALYZE");
}

/** A million expired rows of several kinds are swept, while captures go on at a steady rate. */
async function sweep() {
  const stage = await Stage.open();
  try {
    const count = EXPIRED / 5;
    const old = (prefix: string) =>
      `'${prefix}_' || id_time((unix_now() - 500 * 86400::bigint) * 1000000 + n) || lpad(n::text, 16, '0')`;
    await stage.makeKey("own");
    for (const statement of [
      `INSERT INTO idempotency_records (id, body_digest, answer, created_at)
       SELECT 'record' || n, '', '{}', 0 FROM generate_series(1, ${count}) AS n`,
      `WITH made AS (
         INSERT INTO webhook_endpoints (id, name, created_at, updated_at, event_count)
         SELECT ${old("wh")}, 'old', 0, 0, 1000 FROM generate_series(1, ${count / 1000}) AS n RETURNING id
       ) INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
         SELECT id, 'wev_' || n, 'POST', '/', '', '{}', '{"order":4711}', 14 FROM made, generate_series(1, 1000) AS n`,
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
    const alone = percentile99(await timesOf(once, 2000, pauseMs));
    await stage.db.query("UPDATE dispatch_state SET last_sweep_at = NULL");
    const started = performance.now();
    let isOver = false;
    const beside: number[] = [];
    const captures = (async () => {
      while (!isOver) beside.push(...(await timesOf(once, 100, pauseMs)));
    })();
    while (performance.now() - started < SWEEP_SECONDS_MAX * 1000) {
      const { rows } = await stage.db.query(`SELECT
        EXISTS (SELECT FROM idempotency_records) OR EXISTS (SELECT FROM audit_events WHERE action = 'test')
        OR EXISTS (SELECT FROM tasks) OR EXISTS (SELECT FROM scheduled_messages)
        OR EXISTS (SELECT FROM webhook_endpoints WHERE name = 'old') AS is_left`);
      if (!rows[0].is_left) break;
      await sleep(1000);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    isOver = true;
    await captures;
    connection.close();
    const ratio = percentile99(beside.sort((one, other) => one - other)) / alone;
    console.log(
      `${EXPIRED.toLocaleString("en")} expired rows swept in ${seconds} s; the 99th percentile of captures ` +
        `was ${alone.toFixed(1)} ms before, and ${ratio.toFixed(2)} times that beside the sweep`,
    );
  } finally {
    await stage.close();
  }
}

/** Sorted durations in milliseconds, with pauses between. */
async function timesOf(work: () => Promise<unknown>, rounds: number, pauseMs = 0) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (pauseMs > 0) await sleep(pauseMs);
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other);
}

function percentile99(sorted: number[]): number {
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
