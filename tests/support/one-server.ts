import { CITUS_URL, dropCitusDatabase } from "./citus";
import { createMigrated, killServer, test } from "./fault-fixtures";
import { randomText } from "./keys";
import { freePort, type RunningServer, SERVE, startServer } from "./servers";

type Environment = Record<string, string>;

/**
 * A test object whose tests share one server and its database, for files in which each test reads only
 * what it has made. `db`, `organization` and `key` belong to that database. If `environment` is a
 * function, it receives the database's URL.
 */
export function withOneServer(
  environment: Environment | ((databaseUrl: string) => Promise<Environment>),
) {
  let url = "";
  let server: RunningServer;
  const sharing = test.extend<{ server: RunningServer }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
    databaseUrl: async ({}, use) => use(url),
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
    server: async ({}, use) => use(server),
  });
  sharing.beforeAll(async ({ sharedPostgres }) => {
    url = await createMigrated(sharedPostgres);
    const given = typeof environment === "function" ? await environment(url) : environment;
    const settings = { SERVER_SECRET: randomText(40), DATABASE_URL: url, ...given };
    server = await startServer([SERVE], await freePort(), settings);
  });
  sharing.afterAll(async () => {
    await killServer(server);
    if (CITUS_URL) await dropCitusDatabase(CITUS_URL, url);
  });
  return sharing;
}
