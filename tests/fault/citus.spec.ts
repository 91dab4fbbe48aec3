import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import pg from "pg";
import { distributeTables } from "@/lib/platform/db/distribution";
import { migrate } from "@/lib/platform/db/migrate";
import { readMigrations } from "@/lib/platform/db/migration-files";
import { runCommand } from "../support/backups";
import {
  CITUS_URL,
  dropCitusDatabase,
  makeCitusDatabase,
  type Node,
  nodesOf,
  queryAt,
} from "../support/citus";
import { expectStatus } from "../support/expectations";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { pause, plainEnvironment, ROOT } from "../support/servers";
import { allEvents, makeEndpoint } from "../support/webhooks";

/** A real Citus cluster, whose nodes run on this machine as the URL's superuser. */

if (!CITUS_URL) console.log("Skipped: the tests of Citus need CITUS_URL and npm run test:citus.");
test.skip(!CITUS_URL, "There is no Citus cluster.");

const cluster = CITUS_URL ?? "";
const FAMILIES = 4;
const FAULT_MS = 5000;
const QUIET_MS = 3000;

test("A distribution that was killed is refused by a server, and goes on when it is repeated", async () => {
  const url = await makeCitusDatabase(cluster);
  await runCommand("migrate", [], { DATABASE_URL: url });
  await queryAt(
    url,
    `INSERT INTO webhook_endpoints (id, name, max_events) SELECT 'wh_' || n, '', 100 FROM generate_series(1, 3000) AS n`,
  );
  await queryAt(
    url,
    `INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes)
     SELECT 'wh_' || n, 'wev_' || n, 'POST', '/', '', '{}', '', 0 FROM generate_series(1, 3000) AS n`,
  );
  const child = spawn(process.execPath, ["scripts/run.mjs", "distribute", "--yes"], {
    cwd: ROOT,
    env: { ...plainEnvironment(), DATABASE_URL: url },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const done = async () => {
    const { rows } = await queryAt<{ count: number }>(
      url,
      "SELECT count(*)::int AS count FROM pg_dist_partition WHERE partmethod = 'h'",
    );
    return rows[0]?.count ?? 0;
  };
  await withDatabase(url, async (db) => {
    const found = "SELECT FROM pg_dist_partition WHERE partmethod = 'h'";
    while ((await db.query(found)).rowCount === 0 && child.exitCode === null) await pause(5);
  });
  child.kill("SIGKILL");
  await ended;
  // Its session ends with the statement that it was in.
  await expect.poll(() => sessions(url)).toBe(0);
  expect(await done()).toBeGreaterThan(0);
  expect(await done()).toBeLessThan(5);
  const refused = await runCommand("migrate", [], { DATABASE_URL: url });
  expect([refused.status, refused.stderr]).toEqual([
    1,
    "npm run distribute was interrupted. Run npm run distribute -- --yes again.\n",
  ]);
  const again = await runCommand("distribute", ["--yes"], { DATABASE_URL: url });
  expect([again.status, again.stderr]).toEqual([0, ""]);
  expect(await done()).toBe(5);
  for (const table of ["endpoint_state", "webhook_events"]) {
    const { rows } = await queryAt(url, `SELECT count(*)::int AS count FROM ${table}`);
    expect(rows).toEqual([{ count: 3000 }]);
  }
});

test("A distributed database of the first version gets every later migration, on each node", async () => {
  const url = await makeCitusDatabase(cluster);
  const all = await readMigrations(path.join(ROOT, "prisma/migrations"));
  await migrate({ url, migrations: all.slice(0, 2) });
  const client = new pg.Client(url);
  await client.connect();
  await distributeTables(client);
  await client.end();
  await migrate({ url, migrations: all.slice(0, 2) });
  const before = await functionsOf(url);
  expect(new Set(before).size).toBe(1);

  const { status, stdout, stderr } = await runCommand("migrate", [], { DATABASE_URL: url });
  expect([status, stderr]).toEqual([0, ""]);
  for (const { name } of all.slice(2)) expect(stdout).toContain(name);
  const after = await functionsOf(url);
  expect(after).not.toEqual(before);
  expect(new Set(after).size).toBe(1);
  await dropCitusDatabase(cluster, url);
});

/** A digest of the functions of each node. */
async function functionsOf(url: string): Promise<string[]> {
  const { rows } = await queryAt<{ result: string }>(
    url,
    `SELECT result FROM run_command_on_all_nodes($$
       SELECT md5(string_agg(pg_get_functiondef(oid), '' ORDER BY oid::regprocedure::text)) FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')$$)`,
  );
  expect(rows.length).toBeGreaterThan(1);
  return rows.map(({ result }) => result);
}

/** How many connections migrate or distribute. */
async function sessions(url: string) {
  const { rows } = await queryAt<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'agent-infrastructure migration'`,
  );
  return rows[0]?.count;
}

for (const [what, fault] of [
  ["a worker is killed and started again", ([, worker]) => restart(worker)],
  ["the coordinator is killed and started again", ([coordinator]) => restart(coordinator)],
  ["a worker stands still", ([, worker]) => standStill(worker)],
  ["a worker is slow", ([, worker]) => slowDown(worker)],
  ["shards move to another worker", ([, from, to], url) => moveShards(url, from, to)],
] as [what: string, fault: (nodes: Node[], url: string) => Promise<void>][]) {
  test(`When ${what} no acknowledged capture is lost, none is twice in its inbox, and their order is kept`, async ({
    databaseUrl: url,
    start,
  }) => {
    const { api } = await start();
    const families = await Promise.all(Array.from({ length: FAMILIES }, () => makeFamily(api)));
    const traffic = startTraffic(api, families);
    await expect.poll(() => traffic.acknowledged()).toBeGreaterThan(FAMILIES * 10);
    await fault(await nodesOf(url), url);
    const before = new Map(families.map((family) => [family, family.acknowledged.length]));
    const areBack = () =>
      families.every((family) => family.acknowledged.length > (before.get(family) ?? 0) + 10);
    await expect.poll(areBack).toBe(true);
    await expect.poll(traffic.quietMs, { timeout: 120_000 }).toBeGreaterThan(QUIET_MS);
    const report = await traffic.end();
    console.log(`When ${what}: ${JSON.stringify(report)}`);
    for (const family of families) {
      const stored = (await allEvents(api, family.id)).map(({ body }) => Number(body)).reverse();
      expect(stored, "in order, each once").toEqual([...new Set(stored)].sort((a, b) => a - b));
      expect(stored).toEqual(expect.arrayContaining(family.acknowledged));
      await expect.poll(() => drain(family)).toBe(0);
      // Two deliveries of one event have one ID, two events of one capture would have two.
      expect(new Set(family.received.values()).size).toBe(family.received.size);
      expect([...family.received.values()].sort((a, b) => a - b)).toEqual(stored);
      const inOrder = [...family.received].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, n]) => n);
      expect(inOrder).toEqual(stored);
    }
  });
}

type Family = Awaited<ReturnType<typeof makeFamily>>;

/** An endpoint that forwards to an inbox of its own. */
async function makeFamily(api: Api) {
  const { id } = await makeEndpoint(api, { max_events: 10_000 });
  const inbox = await makeInbox(api, { max_events: 10_000 });
  const forward = { body: { inbox_id: inbox.id } };
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, forward), 200);
  // What was received, by the ID of the inbox's event.
  return { id, inbox, acknowledged: [] as number[], received: new Map<string, number>() };
}

/** Receives and acknowledges what is ready. Returns how many events are left. */
async function drain({ inbox, received }: Family): Promise<number> {
  const response = await inbox.tryReceive({ limit: 100, lease_seconds: 2 });
  if (response.status === 200) {
    const events = JSON.parse(response.text).data as {
      id: string;
      body: string;
      lease_id: string;
    }[];
    for (const { id, body } of events) received.set(id, Number(body));
    await inbox.settle({
      acks: events.map(({ id, lease_id }) => ({ event_id: id, lease_id })),
    });
  }
  const { text } = await inbox.get();
  return Number(JSON.parse(text).event_count ?? 1);
}

/** For each family, one sender whose captures are numbered, and one receiver. */
function startTraffic(api: Api, families: Family[]) {
  let isOver = false;
  let refused = 0;
  let firstRefusal = 0;
  let failedAt = 0;
  let longest = 0;
  const began = performance.now();
  const fail = () => {
    failedAt = performance.now();
    firstRefusal ||= failedAt;
  };
  const sender = async (family: Family) => {
    for (let n = 0; !isOver; n += 1) {
      const at = performance.now();
      const sent = await api("POST", `/api/catch/${family.id}`, { raw: `${n}` });
      longest = Math.max(longest, performance.now() - at);
      if (sent.status === 200) family.acknowledged.push(n);
      else {
        expectStatus(sent, 503);
        expect(Number(sent.headers.get("retry-after"))).toBeGreaterThan(0);
        refused += 1;
        fail();
        await pause(100);
      }
      await pause(10);
    }
  };
  const receiver = async (family: Family) => {
    while (!isOver) {
      await drain(family).catch(fail);
      await pause(50);
    }
  };
  const all = families.flatMap((family) => [sender(family), receiver(family)]);
  const acknowledged = () => families.reduce((sum, family) => sum + family.acknowledged.length, 0);
  return {
    acknowledged,
    /** Since the last refusal. */
    quietMs: () => performance.now() - Math.max(failedAt, began),
    async end() {
      isOver = true;
      await Promise.all(all);
      const refusedMs = Math.round(failedAt - firstRefusal);
      return { acknowledged: acknowledged(), refused, refusedMs, longestMs: Math.round(longest) };
    },
  };
}

async function restart(node: Node | undefined) {
  node?.kill();
  await pause(FAULT_MS);
  await node?.start();
}

async function standStill(node: Node | undefined) {
  node?.stop();
  await pause(FAULT_MS);
  node?.go();
}

/** It runs for a tenth of the time. */
async function slowDown(node: Node | undefined) {
  const end = performance.now() + FAULT_MS;
  while (performance.now() < end) {
    node?.stop();
    await pause(180);
    node?.go();
    await pause(20);
  }
}

async function moveShards(url: string, from: Node | undefined, to: Node | undefined) {
  const { rows } = await queryAt<{ id: string }>(
    url,
    `SELECT min(shardid)::text AS id FROM citus_shards
     WHERE nodeport = $1 AND table_name::text IN ('endpoint_state', 'inbox_state')
     GROUP BY table_name, shard_name ORDER BY 1 LIMIT 4`,
    [from?.port],
  );
  expect(rows).toHaveLength(4);
  for (const { id } of rows) {
    await queryAt(
      url,
      "SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')",
      [id, from?.port, to?.port],
    );
  }
}
