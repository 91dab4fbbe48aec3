import fs from "node:fs";
import path from "node:path";
import type { Pool } from "pg";
import { test as base } from "playwright/test";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { makeOrganization, type Organization } from "./accounts";
import { CITUS_URL, dropCitusDatabase, makeDistributedDatabase } from "./citus";
import { copyDataDir } from "./data-dirs";
import { startDns } from "./dns";
import { endingWithTest } from "./ending";
import { environment } from "./fixtures";
import { randomText } from "./keys";
import { startMailbox } from "./mailbox";
import { startNginx } from "./nginx";
import { startPgbouncer } from "./pgbouncer";
import { waitUntilPrepared } from "./prepared";
import {
  endPostgres,
  freePort,
  launchServer,
  makeTemporaryFolder,
  type RunningServer,
  removeLater,
  SERVE,
  startServer,
  waitUntilHealthy,
} from "./servers";
import { startHoldingTarget, startTarget, type Target } from "./target";
import { startTcpProxy } from "./tcp-proxy";
import { testPool } from "./test-pool";

export { expect } from "playwright/test";

type Launch = (
  environment?: Record<string, string>,
  port?: number,
  /** Of Node.js, before the script. */
  argv?: string[],
) => Promise<RunningServer>;

interface Fixtures {
  folder: string;
  /** The data directory for a server of this test; not created yet. */
  dataDir: string;
  /** The same with a migrated database, as a server that was stopped leaves it. */
  readyDataDir: string;
  /**
   * Starts a server as `npm start` does, without waiting for it: by default on a free port, and on this
   * test's database with a secret of this test.
   */
  launch: Launch;
  /** The same, and waits until it is healthy. */
  start: Launch;
  /** The same, twice. */
  startTwo: (environment?: Record<string, string>) => Promise<[RunningServer, RunningServer]>;
  /** A migrated database of this test, in a Postgres that no server owns. */
  databaseUrl: string;
  db: Pool;
  /** In that database. */
  organization: Organization;
  /** Its key, with all scopes. */
  key: string;
  /** Leads to that database, until it is cut or frozen. */
  databaseProxy: Awaited<ReturnType<typeof startTcpProxy>>;
  /** Creates another one and returns its URL. */
  makeDatabase: () => Promise<string>;
  /** The same without migrations, for tests of those. */
  makeEmptyDatabase: () => Promise<string>;
  startTarget: typeof startTarget;
  /** One that answers 200. */
  target: Target;
  startHoldingTarget: typeof startHoldingTarget;
  startTcpProxy: typeof startTcpProxy;
  startDns: typeof startDns;
  startPgbouncer: typeof startPgbouncer;
  startNginx: typeof startNginx;
  startMailbox: typeof startMailbox;
}

interface WorkerFixtures {
  prepared: undefined;
  /** The URL of a migrated database, which others are copies of. */
  sharedPostgres: string;
  sharedDatabase: string;
  /** Two servers on that database, for all tests of a worker that leave them as they are. */
  sharedServers: [RunningServer, RunningServer];
}

/** Settings of public mode; requests still come over loopback, as from a proxy. */
export const PUBLIC = {
  BASE_URL: "http://svc.example",
  HOST: "127.0.0.1",
  SERVER_SECRET: randomText(40),
  AGENT_AUTH_SECRET: randomText(40),
};

/** Without a dispatch of the server's own: a test asks for each. */
export const QUIET = { DISPATCH_INTERVAL_SECONDS: "0" };

/** For tests that start, kill and starve servers of their own. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  prepared: waitUntilPrepared,
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  folder: async ({}, use) => {
    const folder = makeTemporaryFolder();
    await use(folder);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  dataDir: async ({ folder }, use) => {
    const dataDir = path.join(folder, "data of this test");
    await use(dataDir);
    await endPostgres(dataDir);
  },
  readyDataDir: async ({ dataDir }, use) => {
    await copyDataDir(environment("TEST_DATA_DIR"), dataDir);
    await use(dataDir);
  },
  // Ended before the folders, proxies, poolers and mailboxes that they use.
  launch: async (
    { databaseUrl, folder: _f, startTcpProxy: _t, startPgbouncer: _p, startMailbox: _m },
    use,
  ) => {
    const ends: Array<() => Promise<void>> = [];
    const own = { DATABASE_URL: databaseUrl, SERVER_SECRET: randomText(40) };
    await use(async (environment = {}, port, argv = []) => {
      const given = [...argv, SERVE];
      const settings = "DATA_DIR" in environment ? environment : { ...own, ...environment };
      const server = launchServer(given, port ?? (await freePort()), settings);
      // One that has started nothing need not stop in order, which takes it half a second.
      const hasOthers = "DATA_DIR" in environment || "WEB_CONCURRENCY" in environment;
      ends.push(hasOthers ? server.stop : () => killServer(server));
      return server;
    });
    await Promise.all(ends.map((end) => end()));
  },
  start: async ({ launch }, use) => {
    await use(async (...given) => {
      const server = await launch(...given);
      await waitUntilHealthy(server, 300_000);
      return server;
    });
  },
  startTwo: async ({ start }, use) => {
    await use((environment) => Promise.all([start(environment), start(environment)]));
  },
  sharedPostgres: [
    async ({ prepared: _prepared }, use) => {
      const folder = makeTemporaryFolder();
      const dataDir = path.join(folder, "data");
      await copyDataDir(environment("TEST_DATA_DIR"), dataDir);
      const postgres = await startEmbeddedPostgres({ dataDir });
      await use(postgres.url);
      await postgres.stop();
      removeLater(folder);
    },
    { scope: "worker" },
  ],
  sharedDatabase: [
    async ({ sharedPostgres }, use) => use(await createMigrated(sharedPostgres)),
    { scope: "worker" },
  ],
  sharedServers: [
    async ({ sharedDatabase }, use) => {
      const environment = { DATABASE_URL: sharedDatabase, SERVER_SECRET: randomText(40) };
      const servers = await startTwoServers(environment);
      await use(servers);
      await Promise.all(servers.map((server) => server.stop()));
    },
    { scope: "worker", timeout: 300_000 },
  ],
  databaseUrl: async ({ makeDatabase }, use) => use(await makeDatabase()),
  db: ({ databaseUrl }, use) => withDatabase(databaseUrl, use),
  organization: async ({ db }, use) => use(await makeOrganization(db)),
  key: async ({ organization }, use) => use(organization.key),
  databaseProxy: async ({ databaseUrl, startTcpProxy }, use) => {
    await use(await startTcpProxy(databaseUrl));
  },
  makeDatabase: async ({ sharedPostgres }, use) => {
    const made: string[] = [];
    await use(async () => {
      const url = await createMigrated(sharedPostgres);
      made.push(url);
      return url;
    });
    // Each takes a worker process of every node.
    if (CITUS_URL) for (const url of made) await dropCitusDatabase(CITUS_URL, url);
  },
  makeEmptyDatabase: async ({ sharedPostgres }, use) => {
    await use(() => createDatabase(sharedPostgres, "template1"));
  },
  // Before the servers, which would wait for the response to a running attempt.
  startTarget: ({ launch: _launch }, use) =>
    endingWithTest(startTarget, (target) => target.stop())({}, use),
  startHoldingTarget: ({ launch: _launch }, use) =>
    endingWithTest(startHoldingTarget, (target) => target.stop())({}, use),
  target: async ({ startTarget }, use) => use(await startTarget()),
  startTcpProxy: endingWithTest(startTcpProxy, (proxy) => proxy.close()),
  startDns: endingWithTest(startDns, async (dns) => dns.stop()),
  startPgbouncer: endingWithTest(startPgbouncer, (pooler) => pooler.stop()),
  startNginx: endingWithTest(startNginx, (nginx) => nginx.stop()),
  startMailbox: endingWithTest(startMailbox, (mailbox) => mailbox.close()),
});

/** On the cluster of `npm run test:citus`, if it is given. */
export function createMigrated(postgres: string): Promise<string> {
  return CITUS_URL ? makeDistributedDatabase(CITUS_URL) : createDatabase(postgres);
}

/** By default a copy of the database at `postgres`, to which nobody may be connected. */
export async function createDatabase(postgres: string, template?: string): Promise<string> {
  const url = new URL(postgres);
  const source = template ?? url.pathname.slice(1);
  const name = `test_${randomText(10).toLowerCase()}`;
  url.pathname = "/postgres";
  await withDatabase(url.href, (db) => db.query(`CREATE DATABASE ${name} TEMPLATE ${source}`));
  url.pathname = `/${name}`;
  return url.href;
}

/** Ends all other connections to a database, as a failover does. */
export function disconnectAll(db: Pool) {
  return db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
}

/** For several tests; the fixture `startTwo` stops its servers after one. */
export function startTwoServers(environment: Record<string, string>) {
  const startOne = async () => startServer([SERVE], await freePort(), environment);
  return Promise.all([startOne(), startOne()]);
}

/** Kills a server at once. Processes that it started, such as Postgres, keep running. */
export async function killServer(server: RunningServer) {
  server.kill("SIGKILL");
  await server.exited;
}

export async function withDatabase<T>(url: string, work: (db: Pool) => Promise<T>): Promise<T> {
  const db = testPool(url, 4);
  // Postgres may close an idle connection without the test failing.
  db.on("error", () => undefined);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** The rows of one statement, over a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  return withDatabase(url, async (db) => (await db.query(sql)).rows);
}
