// `npm run bench:lists`: GET /api/artifacts of an organization with 100 000 artifacts, its first and
// a deep page, beside those of an organization with 25, through server/, against one database in one run.
import { Agent } from "node:http";
import pg from "pg";
import { digestOf, newApiKey } from "@/lib/accounts/key-format";
import { fire, load, type Shot } from "./load";
import { benchDatabase, serverFarm } from "./servers";

const ROUNDS = 5;
const COUNT = Number(process.argv[2] ?? 1500);
const CONNECTIONS = 8;
const MANY = 100_000;

const database = await benchDatabase();
const farm = serverFarm(database.url);
try {
  const small = await organization("small", 25);
  const large = await organization("large", MANY);
  const server = await farm.start("server/", () => ["scripts/start.mjs"]);
  const middle = `art_large${String(MANY / 2).padStart(10, "0")}`;
  const shots: Array<[string, Shot]> = [
    ["25 artifacts", list(small, "")],
    [`${MANY} artifacts, first page`, list(large, "")],
    [`${MANY} artifacts, page in the middle`, list(large, `?after=${middle}`)],
  ];
  for (const [, shot] of shots) {
    const page: { data: unknown[] } = JSON.parse(await fire(new Agent(), server.port, shot));
    if (page.data.length !== 20) throw new Error(`A page of ${page.data.length}.`);
  }
  const millis = new Map(shots.map(([title]) => [title, 0]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [title, shot] of shots) {
      const result = await load(server, shot, { count: COUNT, connections: CONNECTIONS });
      if (round === 0) continue; // the first round warms up
      const each = (CONNECTIONS * 1000) / result.perSecond / ROUNDS;
      millis.set(title, (millis.get(title) ?? 0) + each);
    }
  }
  const yardstick = millis.get("25 artifacts") ?? 1;
  console.log(`A page of 20: ${CONNECTIONS} connections, ${ROUNDS} rounds of ${COUNT}`);
  for (const [title, each] of millis) {
    console.log(`  ${title.padEnd(36)} ${each.toFixed(2)} ms (${(each / yardstick).toFixed(2)}×)`);
  }
} finally {
  farm.stop();
  await database.remove();
}

function list(key: string, query: string): Shot {
  const headers = { Authorization: `Bearer ${key}` };
  return { method: "GET", path: `/api/artifacts${query}`, headers };
}

/** Creates artifacts of every size up to 100 kB. Returns a key. */
async function organization(name: string, artifacts: number): Promise<string> {
  const key = newApiKey();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("INSERT INTO organizations (id, name) VALUES ($1, $1)", [`org_${name}`]);
  await client.query(
    `INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
     VALUES ($1, $2, 'bench', $3, 'svc_live_', '0000', '{api.read,api.write}')`,
    [`key_${name}`, `org_${name}`, digestOf(key)],
  );
  await client.query(
    `INSERT INTO artifacts (id, organization_id, name, content, size)
     SELECT 'art_' || $1::text || lpad(n::text, 10, '0'), 'org_' || $1, 'Artifact ' || n, content,
            length(content)
     FROM generate_series(1, $2::int) AS n,
          LATERAL repeat(md5(n::text), CASE WHEN n % 100 = 0 THEN 3000 ELSE 1 + n % 40 END) AS content`,
    [name, artifacts],
  );
  await client.query("VACUUM ANALYZE artifacts");
  await client.end();
  return key;
}
