// `npm run bench:lease`: POST /api/tasks/lease-next of an organization with 100 000 open tasks, and of
// one with 100 000 that are done and a few that are open, beside one with those few; through server/,
// against one database in one run.
import { Agent } from "node:http";
import pg from "pg";
import { digestOf, newApiKey } from "@/lib/accounts/key-format";
import { fire, load, type Shot } from "./load";
import { benchDatabase, serverFarm } from "./servers";

const ROUNDS = 5;
const COUNT = Number(process.argv[2] ?? 1000);
const CONNECTIONS = 8;
const MANY = 100_000;

const database = await benchDatabase();
const farm = serverFarm(database.url);
const client = new pg.Client({ connectionString: database.url });
await client.connect();
try {
  const shots: Array<[string, Shot]> = [
    [`${COUNT} open tasks`, next(await organization("few", COUNT, 0))],
    [`${MANY} open`, next(await organization("open", MANY, 0))],
    [`${COUNT} open among ${MANY} done`, next(await organization("done", COUNT, MANY))],
  ];
  await client.query("VACUUM ANALYZE tasks");
  const server = await farm.start("server/", () => ["scripts/start.mjs"]);
  for (const [, shot] of shots) {
    const answer: { task: unknown } = JSON.parse(await fire(new Agent(), server.port, shot));
    if (answer.task === null) throw new Error("There was nothing to lease.");
  }
  const millis = new Map(shots.map(([title]) => [title, 0]));
  for (let round = 0; round <= ROUNDS; round++) {
    await client.query(
      "UPDATE tasks SET lease_id = NULL, lease_holder = NULL, lease_expires_at = NULL",
    );
    await client.query("VACUUM tasks");
    for (const [title, shot] of shots) {
      const result = await load(server, shot, { count: COUNT, connections: CONNECTIONS });
      if (round === 0) continue; // the first round warms up
      const each = (CONNECTIONS * 1000) / result.perSecond / ROUNDS;
      millis.set(title, (millis.get(title) ?? 0) + each);
    }
  }
  const yardstick = millis.get(`${COUNT} open tasks`) ?? 1;
  console.log(`The next task: ${CONNECTIONS} connections, ${ROUNDS} rounds of ${COUNT}`);
  for (const [title, each] of millis) {
    console.log(`  ${title.padEnd(36)} ${each.toFixed(2)} ms (${(each / yardstick).toFixed(2)}×)`);
  }
} finally {
  await client.end();
  farm.stop();
  await database.remove();
}

function next(key: string): Shot {
  const body = '{"holder":"bench","labels":["x"],"not_labels":["done"]}';
  const headers = { Authorization: `Bearer ${key}` };
  return { method: "POST", path: "/api/tasks/lease-next", headers, body };
}

/** Creates tasks of every priority, the done ones more urgent. Returns a key. */
async function organization(name: string, open: number, done: number): Promise<string> {
  const key = newApiKey();
  await client.query("INSERT INTO organizations (id, name) VALUES ($1, $1)", [`org_${name}`]);
  await client.query(
    `INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
     VALUES ($1, $2, 'bench', $3, 'svc_live_', '0000', '{api.read,api.write}')`,
    [`key_${name}`, `org_${name}`, digestOf(key)],
  );
  await client.query(
    `INSERT INTO tasks (id, organization_id, name, priority, due_at, labels)
     SELECT 'tsk_' || $1::text || n, 'org_' || $1, 'Task ' || n,
            CASE WHEN n > $2 THEN 'critical' ELSE (ARRAY['low', 'medium', 'high'])[1 + n % 3] END,
            CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n > $2 THEN '{x,done}' ELSE '{x}'::text[] END
     FROM generate_series(1, $2::int + $3::int) AS n`,
    [name, open, done],
  );
  return key;
}
