// `npm run bench:capture -- [COUNT]`: captures at 1, 16 and 64 connections through server/, to endpoints
// that are full at 100 and at 10 000 events, beside a bare node:http + pg server that inserts the same
// row; then lists of a small and of a large endpoint. One database, one run.
import pg from "pg";
import { load, type Shot } from "./load";
import { benchDatabase, serverFarm } from "./servers";

const ROUNDS = 4;
const COUNT = Number(process.argv[2] ?? 3000);
const BODY = JSON.stringify({
  event: "push",
  items: Array.from({ length: 20 }, (_, n) => ({ n })),
});

const database = await benchDatabase();
const farm = serverFarm(database.url);
try {
  await fill("wh_bare", 100);
  await fill("wh_small", 100);
  await fill("wh_large", 10_000);
  await fill("wh_few", 10_000, 30);
  await fill("wh_watched", 100);
  await sql("UPDATE webhook_endpoints SET watched_until = 9e15 WHERE id = $1", ["wh_watched"]);
  const bare = await farm.start("bare", (port) => [
    "bench/bare-capture.mjs",
    database.url,
    `${port}`,
  ]);
  const server = await farm.start("server/", () => ["scripts/start.mjs"]);
  const contenders = [
    { name: "bare, one insert each", target: bare, id: "wh_bare" },
    { name: "server/, max_events 100", target: server, id: "wh_small" },
    { name: "server/, max_events 10000", target: server, id: "wh_large" },
    { name: "server/, a reader waits", target: server, id: "wh_watched" },
    { name: "server/, unknown endpoint", target: server, id: "wh_unknown" },
  ];
  for (const connections of [1, 16, 64]) {
    const count = connections === 1 ? COUNT / 4 : COUNT;
    console.log(`\n${connections} connections, ${ROUNDS} rounds of ${count}`);
    const totals = contenders.map((contender) => ({ ...contender, perSecond: 0, cpuMicros: 0 }));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const total of totals) {
        const result = await load(total.target, capture(total.id), { count, connections });
        if (round === 0) continue; // the first round warms up
        total.perSecond += result.perSecond / ROUNDS;
        total.cpuMicros += result.cpuMicros / ROUNDS;
      }
    }
    report(totals);
  }

  console.log("\nLists of 20 events");
  const deep = await eventAt("wh_large", 9000);
  const lists = [
    { name: "endpoint with 30 events", path: "/api/webhooks/wh_few/events" },
    { name: "with 10 000: first page", path: "/api/webhooks/wh_large/events" },
    { name: "with 10 000: deep page", path: `/api/webhooks/wh_large/events?after=${deep}` },
  ].map((list) => ({ ...list, perSecond: 0, cpuMicros: 0 }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const list of lists) {
      const shot = { method: "GET", path: list.path };
      const result = await load(server, shot, { count: 300, connections: 1 });
      if (round === 0) continue;
      list.perSecond += result.perSecond / ROUNDS;
      list.cpuMicros += result.cpuMicros / ROUNDS;
    }
  }
  report(lists);
} finally {
  farm.stop();
  await database.remove();
}

function capture(id: string): Shot {
  const headers = { "Content-Type": "application/json", "X-GitHub-Event": "push" };
  return { method: "POST", path: `/api/catch/${id}`, headers, body: BODY };
}

function report(totals: { name: string; perSecond: number; cpuMicros: number }[]) {
  const yardstick = totals[0] ?? { perSecond: 1, cpuMicros: 1 };
  for (const { name, perSecond, cpuMicros } of totals) {
    console.log(
      `  ${name.padEnd(26)} ${perSecond.toFixed(0).padStart(6)} per second (${ratio(perSecond, yardstick.perSecond)})`,
      `${cpuMicros.toFixed(0).padStart(6)} µs CPU (${ratio(cpuMicros, yardstick.cpuMicros)})`,
    );
  }
}

function ratio(value: number, yardstick: number) {
  return `${(value / yardstick).toFixed(2)}×`;
}

/** An endpoint that holds as many events as it may, or `events` of them. */
async function fill(id: string, maxEvents: number, events = maxEvents) {
  await sql("INSERT INTO webhook_endpoints (id, name, max_events) VALUES ($1, 'bench', $2)", [
    id,
    maxEvents,
  ]);
  const made = `SELECT (capture_webhook_events(array_agg($1::text), array_agg(lpad(n::text, 16, '0')),
      array_agg('POST'::text), array_agg('/api/catch/' || $1), array_agg(''::text), array_agg('{}'::text),
      $2::bytea, array_agg(0), array_agg(length($2::bytea)), array_agg(length($2::bytea)::bigint),
      array_agg('127.0.0.1'::text))).event_ids FROM generate_series(1, $3::integer) AS n`;
  await sql(made, [id, Buffer.from(BODY), events]);
}

async function eventAt(id: string, offset: number): Promise<string> {
  const text = `SELECT v.id FROM webhook_events v JOIN webhook_endpoints e ON e.id = v.endpoint_id
    WHERE e.id = $1 AND v.id > e.gone_up_to ORDER BY v.id DESC OFFSET $2 LIMIT 1`;
  const [row] = await sql(text, [id, offset]);
  return String(row?.id);
}

async function sql(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
}
