import type { Pool } from "pg";
import { test as base } from "./fixtures";
import { type Api, type ApiResponse, type CallOptions, call } from "./http";
import { randomText } from "./keys";
import { createOwnDatabase } from "./own-database";
import { onStatement } from "./sent-statements";
import { freePort, launchServer, SERVE, waitUntilHealthy } from "./servers";
import { startTcpProxy } from "./tcp-proxy";
import { testPool } from "./test-pool";

export { expect } from "./fixtures";

export const DEADLOCK_SECONDS = 20;

/** A server on a database of its own, which only the tests of one file use, one after the other. */
export interface LoneServer {
  baseUrl: string;
  api: Api;
  /** Like `api`; any status is allowed. */
  rawApi: Api;
  db: Pool;
  /** The statements that it has sent. */
  sent: string[];
}

export const test = base.extend<{ lone: LoneServer }>({
  lone: async ({ db: shared, databaseUrl }, use) => {
    started ??= startLoneServer(shared, databaseUrl);
    await use(await started);
  },
});

let started: Promise<LoneServer> | undefined;

/** Once for a worker, which its other tests go on with: a worker's fixture would take a worker of its own. */
async function startLoneServer(shared: Pool, databaseUrl: string): Promise<LoneServer> {
  const database = await createOwnDatabase(shared, databaseUrl);
  // A deadlock takes so long that a test notices it.
  await shared.query(
    `ALTER DATABASE ${database.name} SET deadlock_timeout = '${DEADLOCK_SECONDS}s'`,
  );
  const sent: string[] = [];
  const proxy = await startTcpProxy(
    database.url,
    onStatement((text) => sent.push(text)),
  );
  const server = launchServer([SERVE], await freePort(), {
    DATABASE_URL: proxy.url,
    SERVER_SECRET: randomText(40),
    DISPATCH_INTERVAL_SECONDS: "0",
    VALIDATE_RESPONSES: "1",
  });
  process.once("exit", () => server.kill("SIGKILL"));
  await waitUntilHealthy(server);
  const { baseUrl, api } = server;
  const rawApi = (method: string, path: string, options: CallOptions = {}) =>
    call(baseUrl, method, path, options);
  return { baseUrl, api, rawApi, db: testPool(database.url, 6), sent };
}

/** Sends all requests at once, each over a connection of its own. */
export function burst<Item>(
  items: readonly Item[],
  send: (item: Item, index: number) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  return Promise.all(items.map(send));
}
