// `npm run bench:tasks`: POST and GET /api/tasks through server/, through plain `next start`, and by a
// bare node:http + pg server with the same statements, against one database in one run.
import { Agent } from "node:http";
import pg from "pg";
import { digestOf, newApiKey } from "@/lib/accounts/key-format";
import { fire, load, type Shot } from "./load";
import { benchDatabase, type Running, serverFarm } from "./servers";

const ROUNDS = 3;
const COUNT = Number(process.argv[2] ?? 4000);
const CONNECTIONS = 16;

const database = await benchDatabase();
const farm = serverFarm(database.url);
const key = newApiKey();
try {
  await insertKey();
  const bare = await farm.start("bare", (port) => [
    "bench/bare-server.mjs",
    database.url,
    `${port}`,
  ]);
  const server = await farm.start("server/", () => ["scripts/start.mjs"]);
  const nextOnly = await farm.start("next start", (port) => [
    "node_modules/next/dist/bin/next",
    "start",
    "-H",
    "127.0.0.1",
    "-p",
    `${port}`,
  ]);

  const post: Shot = {
    method: "POST",
    path: "/api/tasks",
    body: '{"name":"bench","labels":["a"]}',
  };
  const made: { id: string } = JSON.parse(await fire(new Agent(), server.port, post));
  const get: Shot = { method: "GET", path: `/api/tasks/${made.id}` };
  const headers = { Authorization: `Bearer ${key}` };

  await compare("GET, no key", get, [bare, server, nextOnly]);
  await compare("GET, with a key (the bare server checks none)", { ...get, headers }, [
    bare,
    server,
  ]);
  await compare("POST, no key", post, [bare, server, nextOnly]);
  await compare("POST, with a key (the bare server checks none)", { ...post, headers }, [
    bare,
    server,
  ]);
} finally {
  farm.stop();
  await database.remove();
}

/** Alternates between the servers, so that a change in the machine's load affects all of them. */
async function compare(title: string, shot: Shot, servers: Running[]) {
  const totals = new Map(servers.map(({ name }) => [name, { perSecond: 0, cpuMicros: 0 }]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const server of servers) {
      const count = server.name === "next start" ? COUNT / 4 : COUNT;
      const result = await load(server, shot, { count, connections: CONNECTIONS });
      const total = totals.get(server.name);
      if (round === 0 || !total) continue; // the first round warms up
      total.perSecond += result.perSecond / ROUNDS;
      total.cpuMicros += result.cpuMicros / ROUNDS;
    }
  }
  console.log(`\n${title}: ${CONNECTIONS} connections, ${ROUNDS} rounds`);
  const yardstick = totals.get("bare") ?? { perSecond: 1, cpuMicros: 1 };
  for (const [name, { perSecond, cpuMicros }] of totals) {
    console.log(
      `  ${name.padEnd(11)} ${perSecond.toFixed(0).padStart(6)} per second (${ratio(perSecond, yardstick.perSecond)})`,
      `${cpuMicros.toFixed(0).padStart(6)} µs CPU (${ratio(cpuMicros, yardstick.cpuMicros)})`,
    );
  }
}

function ratio(value: number, yardstick: number) {
  return `${(value / yardstick).toFixed(2)}×`;
}

async function insertKey() {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("INSERT INTO organizations (id, name) VALUES ('org_bench', 'bench')");
  await client.query(
    `INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
     VALUES ('key_bench', 'org_bench', 'bench', $1, 'svc_live_', '0000', '{api.read,api.write}')`,
    [digestOf(key)],
  );
  await client.end();
}
