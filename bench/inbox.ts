// `npm run bench:inbox`: ingest, receive and acknowledge through server/, beside pg-boss on the same
// Postgres behind a bare node:http server; beside pgmq too when PGMQ_SQL names its pgmq.sql. Then
// receives from inboxes that hold 10 events and 10 000 pending, leased, delayed or expired ones.
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import pg from "pg";
import { fire, type Shot } from "./load";
import { benchDatabase, type Running, serverFarm } from "./servers";

const ROUNDS = 3;
const COUNT = Number(process.argv[2] ?? 2000);
const PAYLOAD =
  '{"order": 4711, "items": [{"sku": "A-1", "count": 2}, {"sku": "B-2", "count": 1}]}';

interface Delivery {
  id: string;
  lease_id?: string;
}

interface Contender {
  name: string;
  running: Running;
  ingest: Shot;
  receive(limit: number): Shot;
  ack(deliveries: Delivery[]): Shot;
}

const database = await benchDatabase();
const farm = serverFarm(database.url);
const db = new pg.Pool({ connectionString: database.url, max: 2 });
try {
  const server = await farm.start("server/", () => ["scripts/start.mjs"]);
  const contenders = [inboxOn(server, await makeInbox("main")), await boss()];
  if (process.env.PGMQ_SQL) contenders.push(await pgmq(process.env.PGMQ_SQL));

  await compare(`Ingest, 16 connections`, contenders, 16, async (contender, next) => {
    while (next()) await contender.send(contender.ingest);
  });
  await compare(
    `Receive + ack one by one, 16 connections`,
    contenders,
    16,
    async (contender, next) => {
      while (next()) {
        const [delivery] = await contender.take(1);
        if (delivery) await contender.send(contender.ack([delivery]));
      }
    },
  );
  await compare(`Receive 100 + ack 100, 4 connections`, contenders, 4, async (contender, next) => {
    for (;;) {
      const deliveries = await contender.take(100);
      if (deliveries.length === 0) return;
      await contender.send(contender.ack(deliveries));
      for (const _ of deliveries) next();
    }
  });

  console.log("\nOne receive at a time, milliseconds (median): 10 events ready and beside them");
  let yardstick = 0;
  for (const beside of ["nothing", "ready", "leased", "delayed", "expired"]) {
    const milliseconds = await receiveTime(server, beside);
    yardstick ||= milliseconds;
    const what = beside === "nothing" ? beside : `10 000 ${beside}`;
    console.log(
      `  ${what.padEnd(16)} ${milliseconds.toFixed(2)} (${ratio(milliseconds, yardstick)})`,
    );
  }
} finally {
  await db.end();
  farm.stop();
  await database.remove();
}

type Work = (
  contender: Contender & {
    send(shot: Shot): Promise<string>;
    take(limit: number): Promise<Delivery[]>;
  },
  next: () => boolean,
) => Promise<void>;

/** Alternates between the contenders, so that a change in the machine's load affects all of them. */
async function compare(title: string, contenders: Contender[], connections: number, work: Work) {
  const seconds = new Map<string, number>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const agent = new Agent({ keepAlive: true, maxSockets: connections });
      const send = (shot: Shot) => fire(agent, contender.running.port, shot);
      const take = async (limit: number): Promise<Delivery[]> =>
        JSON.parse(await send(contender.receive(limit))).data ?? [];
      const isIngest = title.startsWith("Ingest");
      if (!isIngest) await inParallel(16, COUNT, () => send(contender.ingest));
      let left = COUNT;
      const next = () => left-- > 0;
      const started = performance.now();
      await Promise.all(
        Array.from({ length: connections }, () => work({ ...contender, send, take }, next)),
      );
      const took = (performance.now() - started) / 1000;
      if (isIngest) await drain(take, (deliveries) => send(contender.ack(deliveries)));
      if (round > 0) seconds.set(contender.name, (seconds.get(contender.name) ?? 0) + took);
      agent.destroy();
    }
  }
  console.log(`\n${title}, ${ROUNDS} rounds of ${COUNT}`);
  for (const { name } of contenders) {
    const rate = (COUNT * ROUNDS) / (seconds.get(name) ?? 1);
    const yardstick = (COUNT * ROUNDS) / (seconds.get("pg-boss") ?? 1);
    console.log(
      `  ${name.padEnd(8)} ${rate.toFixed(0).padStart(6)} per second (${ratio(rate, yardstick)})`,
    );
  }
}

async function inParallel(workers: number, count: number, work: () => Promise<unknown>) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function drain(
  take: (limit: number) => Promise<Delivery[]>,
  ack: (deliveries: Delivery[]) => Promise<unknown>,
) {
  for (;;) {
    const deliveries = await take(100);
    if (deliveries.length === 0) return;
    await ack(deliveries);
  }
}

async function boss(): Promise<Contender> {
  const args = (port: number) => ["bench/boss-server.mjs", database.url, `${port}`];
  return bareContender("pg-boss", await farm.start("pg-boss", args));
}

async function pgmq(file: string): Promise<Contender> {
  await db.query("CREATE SCHEMA pgmq");
  await db.query(readFileSync(file, "utf8"));
  // The file is written for CREATE EXTENSION; without an extension these tables need no registration.
  await db.query(`CREATE OR REPLACE FUNCTION pgmq._belongs_to_pgmq(table_name TEXT)
    RETURNS BOOLEAN LANGUAGE SQL AS 'SELECT true'`);
  await db.query("SELECT pgmq.create('bench')");
  const args = (port: number) => ["bench/pgmq-server.mjs", database.url, `${port}`];
  return bareContender("pgmq", await farm.start("pgmq", args));
}

function bareContender(name: string, running: Running): Contender {
  const post = (path: string, body: string): Shot => ({ method: "POST", path, body });
  return {
    name,
    running,
    ingest: post("/send", PAYLOAD),
    receive: (limit) => post("/receive", JSON.stringify({ limit })),
    ack: (deliveries) => post("/ack", JSON.stringify({ ids: deliveries.map(({ id }) => id) })),
  };
}

function inboxOn(running: Running, id: string): Contender {
  const path = `/api/inboxes/${id}/events`;
  const headers = { "Content-Type": "application/json" };
  return {
    name: "server/",
    running,
    ingest: { method: "POST", path, headers, body: PAYLOAD },
    receive: (limit) => ({
      method: "POST",
      path: `${path}/receive`,
      body: JSON.stringify({ limit }),
    }),
    ack(deliveries) {
      const [first] = deliveries;
      if (deliveries.length === 1 && first) {
        const body = JSON.stringify({ lease_id: first.lease_id });
        return { method: "POST", path: `${path}/${first.id}/ack`, body };
      }
      const acks = deliveries.map(({ id: event_id, lease_id }) => ({ event_id, lease_id }));
      return { method: "POST", path: `${path}/ack`, body: JSON.stringify({ acks }) };
    },
  };
}

async function makeInbox(name: string): Promise<string> {
  const id = `inbox_bench_${name}`;
  await db.query(
    `INSERT INTO inboxes (id, name, default_ttl_seconds, max_events) VALUES ($1, 'bench', 86400, 10000)`,
    [id],
  );
  return id;
}

/** The median time of one receive; each event is acknowledged and another one ingested for it. */
async function receiveTime(server: Running, beside: string): Promise<number> {
  const id = await makeInbox(beside);
  if (beside !== "nothing") await fill(id, beside, 9990);
  const inbox = inboxOn(server, id);
  const agent = new Agent({ keepAlive: true });
  const send = (shot: Shot) => fire(agent, server.port, shot);
  for (let n = 0; n < 10; n++) await send(inbox.ingest);
  const times: number[] = [];
  for (let n = 0; n < 500; n++) {
    const started = performance.now();
    const { data } = JSON.parse(await send(inbox.receive(1)));
    if (n >= 100) times.push(performance.now() - started); // the first ones warm up
    await send(inbox.ack(data));
    await send(inbox.ingest);
  }
  agent.destroy();
  return times.sort((a, b) => a - b)[times.length / 2] ?? 0;
}

async function fill(inboxId: string, state: string, count: number) {
  const visible = { ready: -60, leased: 3600, delayed: 3600, expired: -60 }[state] ?? 0;
  const expires = state === "expired" ? -10 : 86_400;
  await db.query(
    `INSERT INTO inbox_events (inbox_id, id, headers, body, size_bytes, query_string, lease_id,
                               delivery_count, queue_id, visible_at, lapses_at, expires_at)
     SELECT $1, 'iev_0' || lpad(n::text, 8, '0'), '{}', convert_to($2, 'UTF8'), length($2), '', $3,
            $4, $1, now() + $5 * interval '1 second', to_timestamp(unix_now() + $6), unix_now() + $6
     FROM generate_series(1, $7::integer) AS n`,
    [
      inboxId,
      PAYLOAD,
      state === "leased" ? "lse_bench" : null,
      state === "leased" ? 1 : 0,
      visible,
      expires,
      count,
    ],
  );
  await db.query("UPDATE inboxes SET occupied = $2 WHERE id = $1", [inboxId, count]);
}

function ratio(value: number, yardstick: number) {
  return `${(value / yardstick).toFixed(2)}×`;
}
