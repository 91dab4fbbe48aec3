import fs from "node:fs";
import path from "node:path";
import type { Pool } from "pg";
import { test as base } from "playwright/test";
import { migrate } from "@/lib/db/migrate";
import { startEmbeddedPostgres } from "@/lib/embedded-postgres/start";
import { randomText } from "./keys";
import {
  endPostgres,
  freePort,
  launchServer,
  makeTemporaryFolder,
  type RunningServer,
  startServer,
  waitUntilHealthy,
} from "./servers";
import { testPool } from "./test-pool";

export { expect } from "playwright/test";

interface Fixtures {
  folder: string;
  /** The data directory for a server of this test; not created yet. */
  dataDir: string;
  /** Starts a server as `npm start` does, without waiting for it; on a free port by default. */
  launch: (environment: Record<string, string>, port?: number) => Promise<RunningServer>;
  /** The same, and waits until it is healthy. */
  start: (environment: Record<string, string>, port?: number) => Promise<RunningServer>;
  /** Starts two servers on one database, with one secret. */
  startTwo: (environment: Record<string, string>) => Promise<[RunningServer, RunningServer]>;
  /** Creates a migrated database, in a Postgres that no server owns, and returns its URL. */
  makeDatabase: () => Promise<string>;
  /** The same without migrations, for tests of those. */
  makeEmptyDatabase: () => Promise<string>;
}

interface WorkerFixtures {
  sharedPostgres: string;
  /** The name of a migrated database, which others are copies of. */
  template: string;
  sharedDatabase: string;
  /** Two servers on that database, for all tests of a worker that leave them as they are. */
  sharedServers: [RunningServer, RunningServer];
}

/** For tests that start, kill and starve servers of their own. */
export const test = base.extend<Fixtures, WorkerFixtures>({
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
  launch: async ({ folder: _folder }, use) => {
    const servers: RunningServer[] = [];
    await use(async (environment, port) => {
      const server = launchServer(["scripts/start.mjs"], port ?? (await freePort()), environment);
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map((server) => server.stop()));
  },
  start: async ({ launch }, use) => {
    await use(async (environment, port) => {
      const server = await launch(environment, port);
      await waitUntilHealthy(server, 300_000);
      return server;
    });
  },
  startTwo: async ({ start }, use) => {
    await use((environment) => {
      const shared = { SERVER_SECRET: randomText(40), ...environment };
      return Promise.all([start(shared), start(shared)]);
    });
  },
  sharedPostgres: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
    async ({}, use) => {
      const dataDir = makeTemporaryFolder();
      const postgres = await startEmbeddedPostgres({ dataDir });
      await use(postgres.url);
      await postgres.stop();
      fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: "worker" },
  ],
  template: [
    async ({ sharedPostgres }, use) => {
      const url = await createDatabase(sharedPostgres);
      await migrate({ url });
      await use(new URL(url).pathname.slice(1));
    },
    { scope: "worker" },
  ],
  sharedDatabase: [
    async ({ sharedPostgres, template }, use) =>
      use(await createDatabase(sharedPostgres, template)),
    { scope: "worker" },
  ],
  sharedServers: [
    async ({ sharedDatabase }, use) => {
      const environment = { DATABASE_URL: sharedDatabase, SERVER_SECRET: randomText(40) };
      const startOne = async () =>
        startServer(["scripts/start.mjs"], await freePort(), environment);
      const servers = await Promise.all([startOne(), startOne()]);
      await use(servers);
      await Promise.all(servers.map((server) => server.stop()));
    },
    { scope: "worker", timeout: 300_000 },
  ],
  makeDatabase: async ({ sharedPostgres, template }, use) => {
    await use(() => createDatabase(sharedPostgres, template));
  },
  makeEmptyDatabase: async ({ sharedPostgres }, use) => {
    await use(() => createDatabase(sharedPostgres));
  },
});

async function createDatabase(postgres: string, template = "template1"): Promise<string> {
  const name = `test_${randomText(10).toLowerCase()}`;
  await withDatabase(postgres, (db) => db.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  return url.href;
}

export async function withDatabase<T>(url: string, work: (db: Pool) => Promise<T>): Promise<T> {
  const db = testPool(url, 3);
  // Postgres may close an idle connection without the test failing.
  db.on("error", () => undefined);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
