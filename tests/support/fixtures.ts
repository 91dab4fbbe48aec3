import { Pool } from "pg";
import { test as base } from "playwright/test";
import { makeOrganization, type Organization } from "./accounts";
import { type Api, apiOf } from "./http";

export { expect } from "playwright/test";

export interface ServerOptions {
  /** Which of the two servers of the global set-up answers: our own (`npm start`), or plain `next start`. */
  server: "own" | "next";
}

interface WorkerFixtures extends ServerOptions {
  baseUrl: string;
  databaseUrl: string;
  db: Pool;
}

interface TestFixtures {
  api: Api;
  /** A fresh organization of this test's own. */
  organization: Organization;
  /** Its key, with all scopes. */
  key: string;
  /** Another one, for what must stay apart. */
  otherOrganization: Organization;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: ["own", { option: true, scope: "worker" }],
  baseUrl: [
    async ({ server }, use) => {
      await use(environment(server === "next" ? "TEST_NEXT_BASE_URL" : "TEST_BASE_URL"));
    },
    { scope: "worker" },
  ],
  databaseUrl: [
    async ({ server: _server }, use) => {
      await use(environment("TEST_DATABASE_URL"));
    },
    { scope: "worker" },
  ],
  db: [
    async ({ databaseUrl }, use) => {
      const pool = new Pool({ connectionString: databaseUrl, max: 4 });
      await use(pool);
      await pool.end();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ baseUrl }, use) => {
    await use(baseUrl);
  },
  api: async ({ baseUrl }, use) => {
    await use(apiOf(baseUrl));
  },
  organization: async ({ db }, use) => {
    await use(await makeOrganization(db));
  },
  key: async ({ organization }, use) => {
    await use(organization.key);
  },
  otherOrganization: async ({ db }, use) => {
    await use(await makeOrganization(db));
  },
});

function environment(name: string) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the global set-up did not start that server.`);
  return value;
}
