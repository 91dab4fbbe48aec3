// `npm run bench:dispatch`: messages to a local target that answers at once, sent by the service, by pg-boss
// and by graphile-worker, 50 at once, from one Postgres in one run; then the delay from a message's
// due time to its arrival, while others wait for a later time.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cpuMicrosOf } from "./load";
import { benchDatabase, type Running, serverFarm } from "./servers";

const ROUNDS = 3;
const COUNT = Number(process.argv[2] ?? 5000);
const TIMED = 200;
const WAITING = [0, 10_000, 200_000];

const database = await benchDatabase();
const farm = serverFarm(database.url);
const client = new pg.Client({ connectionString: database.url });
try {
  await client.connect();
  const target = await farm.start("target", (port) => ["bench/target.mjs", `${port}`]);
  const sink = `http://127.0.0.1:${target.port}/`;
  const service = await farm.start("the service", () => ["scripts/start.mjs"], {
    DISPATCH_INTERVAL_SECONDS: "0",
    DISPATCH_BUDGET_MS: "600000",
    DELIVERIES_PER_HOST_MAX: "50",
    DELIVERIES_PER_ORGANIZATION_MAX: "50",
  });
  const pgBoss = await farm.start("pg-boss", (port) => worker("dispatch-pg-boss", port));
  const graphile = await farm.start("graphile-worker", (port) => worker("dispatch-graphile", port));

  await compare(target, [
    {
      running: service,
      fill: () => insert(sink, COUNT, 0),
      go: () => ask(service, "/api/messages/dispatch"),
    },
    ...[pgBoss, graphile].map((running) => ({
      running,
      fill: () => ask(running, `/fill?count=${COUNT}&url=${encodeURIComponent(sink)}`),
      go: () => ask(running, "/go"),
      stop: () => ask(running, "/stop"),
    })),
  ]);
  for (const waiting of WAITING) await delays(service, target, sink, waiting);
} finally {
  farm.stop();
  await client.end();
  await database.remove();
}

function worker(name: string, port: number) {
  return [`bench/${name}.mjs`, database.url, `${port}`];
}

interface Contender {
  running: Running;
  fill(): Promise<unknown>;
  go(): Promise<unknown>;
  stop?(): Promise<unknown>;
}

async function compare(target: Running, contenders: Contender[]) {
  const totals = contenders.map(({ running }) => ({
    name: running.name,
    perSecond: 0,
    cpuMicros: 0,
  }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, { running, fill, go, stop }] of contenders.entries()) {
      const total = totals[index];
      await fill();
      await arrivals(target);
      const cpu = cpuMicrosOf(running.pid);
      void go();
      const seconds = await untilArrived(target, COUNT);
      await sleep(1000); // what is still being written counts too
      const used = cpuMicrosOf(running.pid) - cpu;
      await stop?.();
      if (round === 0 || !total) continue; // the first round warms up
      total.perSecond += COUNT / seconds / ROUNDS;
      total.cpuMicros += used / COUNT / ROUNDS;
    }
  }
  const yardstick = totals[1] ?? { perSecond: 1, cpuMicros: 1 };
  console.log(`${COUNT} messages, 50 at once, ${ROUNDS} rounds; ratios to pg-boss`);
  for (const { name, perSecond, cpuMicros } of totals) {
    console.log(
      `  ${name.padEnd(16)} ${perSecond.toFixed(0).padStart(6)} per second (${ratio(perSecond, yardstick.perSecond)})`,
      `${cpuMicros.toFixed(0).padStart(6)} µs CPU (${ratio(cpuMicros, yardstick.cpuMicros)})`,
    );
  }
}

/** Seconds from the first arrival to the last. */
async function untilArrived(target: Running, count: number) {
  const times: number[] = [];
  while (times.length < count) {
    await sleep(50);
    for (const [, time] of await arrivals(target)) times.push(time);
  }
  return (Math.max(...times) - Math.min(...times)) / 1000;
}

/** Messages that become due one second after the other, with a dispatch every 100 ms. */
async function delays(service: Running, target: Running, sink: string, waiting: number) {
  await client.query("DELETE FROM scheduled_messages");
  await insert(sink, waiting, 86_400);
  const seconds = 10;
  const due = new Map<string, number>();
  for (let second = 1; second <= seconds; second++) {
    for (const { id, due_at } of await insert(sink, TIMED / seconds, second + 1)) {
      due.set(id, Number(due_at) * 1000);
    }
  }
  await arrivals(target);
  const measured: number[] = [];
  while (measured.length < due.size) {
    const round = ask(service, "/api/messages/dispatch");
    await sleep(100);
    await round;
    for (const [id, time] of await arrivals(target))
      measured.push(time - (due.get(id) ?? Number.NaN));
  }
  measured.sort((left, right) => left - right);
  const at = (share: number) => measured[Math.floor((measured.length - 1) * share)] ?? Number.NaN;
  console.log(
    `delay from due to arrival, ${waiting} waiting, a dispatch every 100 ms: median ${at(0.5)} ms, 99 % ${at(0.99)} ms`,
  );
}

async function insert(url: string, count: number, dueIn: number) {
  const series = Math.random().toString(36).slice(2, 12);
  const { rows } = await client.query<{ id: string; due_at: string }>(
    `INSERT INTO scheduled_messages (id, url, host, method, headers, body, scheduled_at, due_at)
     SELECT 'msg_' || $1 || lpad(n::text, 8, '0'), $2, $3, 'POST', '{}', '{"bench":true}',
            unix_now() + $4::bigint, unix_now() + $4::bigint
     FROM generate_series(1, $5) AS n RETURNING id, due_at`,
    [series, url, new URL(url).host, dueIn, count],
  );
  return rows;
}

async function ask(running: Running, path: string) {
  const response = await fetch(`http://127.0.0.1:${running.port}${path}`);
  if (!response.ok) throw new Error(`${running.name}${path}: ${response.status}`);
  return response.text();
}

async function arrivals(target: Running): Promise<Array<[id: string, time: number]>> {
  return JSON.parse(await ask(target, "/arrivals"));
}

function ratio(value: number, yardstick: number) {
  return `${(value / yardstick).toFixed(2)}×`;
}
