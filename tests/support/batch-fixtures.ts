import type { Pool } from "pg";
import { test as base } from "./fixtures";
import { type Api, type ApiResponse, type CallOptions, call } from "./http";
import { randomText } from "./keys";
import { createOwnDatabase } from "./own-database";
import { onStatement } from "./sent-statements";
import { freePort, startServer } from "./servers";
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

export const test = base.extend<object, { lone: LoneServer }>({
  lone: [
    async ({ db: shared, databaseUrl }, use) => {
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
      const server = await startServer(["scripts/start.mjs"], await freePort(), {
        DATABASE_URL: proxy.url,
        SERVER_SECRET: randomText(40),
        DISPATCH_INTERVAL_SECONDS: "0",
        VALIDATE_RESPONSES: "1",
      });
      const db = testPool(database.url, 6);
      const rawApi = (method: string, path: string, options: CallOptions = {}) =>
        call(server.baseUrl, method, path, options);
      await use({ baseUrl: server.baseUrl, api: server.api, rawApi, db, sent });
      await db.end();
      await server.stop();
      await proxy.close();
      await database.drop();
    },
    { scope: "worker" },
  ],
});

/** Sends all requests at once, each over a connection of its own. */
export function burst<Item>(
  items: readonly Item[],
  send: (item: Item, index: number) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  return Promise.all(items.map(send));
}
