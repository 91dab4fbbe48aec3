import { spawn } from "node:child_process";
import fs from "node:fs";
import pg from "pg";
import { expect } from "playwright/test";
import { runCommand } from "./backups";
import { randomText } from "./keys";

/** The coordinator of a Citus cluster for tests, as a superuser. Some tests need its nodes on this machine. */
export const CITUS_URL = process.env.TEST_CITUS_URL;

/** A new database on all nodes of the cluster, with nothing in it but Citus. */
export async function makeCitusDatabase(cluster: string): Promise<string> {
  const name = `test_${randomText(10).toLowerCase()}`;
  const nodes = await addressesOf(cluster);
  for (const node of nodes) {
    await queryAt(urlOf(cluster, node), `CREATE DATABASE ${name}`);
    await queryAt(urlOf(cluster, node, name), "CREATE EXTENSION citus");
  }
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Error("The cluster has no nodes.");
  const url = urlOf(cluster, coordinator, name);
  const { host, port } = coordinator;
  await queryAt(url, "SELECT citus_set_coordinator_host($1, $2)", [host, port]);
  for (const worker of workers) {
    await queryAt(url, "SELECT citus_add_node($1, $2)", [worker.host, worker.port]);
  }
  return url;
}

/** Drops a database from all nodes of the cluster. */
export async function dropCitusDatabase(cluster: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const node of await addressesOf(cluster)) {
    await queryAt(urlOf(cluster, node), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

interface Address {
  host: string;
  port: number;
}

/** The coordinator first. */
async function addressesOf(cluster: string): Promise<Address[]> {
  const { rows } = await queryAt<Address>(
    cluster,
    `SELECT nodename AS host, nodeport AS port FROM pg_dist_node
     WHERE noderole = 'primary' ORDER BY groupid`,
  );
  return rows;
}

function urlOf(cluster: string, { host, port }: Address, database?: string): string {
  const url = new URL(cluster);
  Object.assign(url, { hostname: host, port: String(port) });
  if (database) url.pathname = `/${database}`;
  return url.href;
}

/** A new database whose tables are distributed. */
export async function makeDistributedDatabase(cluster: string): Promise<string> {
  const url = await makeCitusDatabase(cluster);
  const { status, stderr } = await runCommand("distribute", ["--yes"], { DATABASE_URL: url });
  expect([status, stderr]).toEqual([0, ""]);
  return url;
}

/** Runs one statement over a connection of its own. */
export async function queryAt<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("SET statement_timeout = 0");
    return await client.query<Row>(text, values);
  } finally {
    await client.end().catch(() => {});
  }
}

export type Node = Awaited<ReturnType<typeof nodesOf>>[number];

/** The servers of a cluster, the coordinator first. They must run on this machine. */
export async function nodesOf(url: string) {
  const { rows } = await queryAt<{ port: number; result: string }>(
    url,
    `SELECT nodeport AS port, result
     FROM run_command_on_all_nodes($$SELECT pg_read_file('postmaster.pid')$$) JOIN pg_dist_node USING (nodeid)
     ORDER BY groupid`,
  );
  return rows.map(({ port, result }) => nodeOn(port, Number.parseInt(result, 10)));
}

function nodeOn(port: number, first: number) {
  let pid = first;
  const words = (file: string) => fs.readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  const [program = "", ...argv] = words("cmdline").slice(0, -1);
  const env = Object.fromEntries(words("environ").map((line) => line.split(/=(.*)/s)));
  const { uid, gid } = fs.statSync(`/proc/${pid}`);
  const cwd = fs.readlinkSync(`/proc/${pid}/cwd`);
  const processes = () => [pid, ...childrenOf(pid)];
  const signal = (name: NodeJS.Signals) => {
    for (const one of processes()) {
      try {
        process.kill(one, name);
      } catch {
        // It has just ended.
      }
    }
  };
  return {
    port,
    /** Ends it as a loss of power does. */
    kill: () => signal("SIGKILL"),
    /** Starts it again as it was started. */
    async start() {
      await expect.poll(() => fs.existsSync(`/proc/${pid}`)).toBe(false);
      const options = { cwd, env, uid, gid, detached: true, stdio: "ignore" } as const;
      const child = spawn(program, argv, options);
      child.unref();
      pid = child.pid ?? 0;
    },
    /** All of its processes stand still until `go` is called. */
    stop: () => signal("SIGSTOP"),
    go: () => signal("SIGCONT"),
  };
}

function childrenOf(pid: number): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return undefined; // It has ended.
  }
}
