import type { Pool } from "pg";
import { test as base } from "playwright/test";
import type { Client } from "@/lib/platform/db/prisma-client";
import { makeOrganization, type Organization } from "./accounts";
import { type Api, apiOf, reused } from "./http";
import { waitUntilPrepared } from "./prepared";
import { rowsOf } from "./rows";
import { testPool } from "./test-pool";

export { expect } from "playwright/test";

export interface ServerOptions {
  /**
   * Which server of the global set-up answers: our own (`npm start`) with one process or with two, or
   * plain `next start`.
   */
  server: "own" | "processes" | "next";
}

interface WorkerFixtures extends ServerOptions {
  prepared: undefined;
  baseUrl: string;
  databaseUrl: string;
  db: Pool;
  /** The same tables as typed rows. */
  rows: Client;
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

const BASE_URLS = {
  own: "TEST_BASE_URL",
  processes: "TEST_PROCESSES_BASE_URL",
  next: "TEST_NEXT_BASE_URL",
};

/** The runner would record each use as a step, which takes longer than these fixtures do. */
const UNRECORDED = { scope: "test", box: "self" } as const;

/** Whether the database is that of a Citus cluster (scripts/test-citus.mjs). */
export const onCitus = process.env.TEST_CITUS_URL !== undefined;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: ["own", { option: true, scope: "worker" }],
  prepared: waitUntilPrepared,
  baseUrl: [
    async ({ server, prepared: _prepared }, use) => {
      await use(environment(BASE_URLS[server]));
    },
    { scope: "worker" },
  ],
  databaseUrl: [
    async ({ server: _server, prepared: _prepared }, use) => {
      await use(environment("TEST_DATABASE_URL"));
    },
    { scope: "worker" },
  ],
  db: [
    async ({ databaseUrl }, use) => {
      const pool = testPool(databaseUrl, 4);
      await use(pool);
      await pool.end();
    },
    { scope: "worker" },
  ],
  rows: [async ({ db }, use) => await use(rowsOf(db)), { scope: "worker" }],
  baseURL: [async ({ baseUrl }, use) => await use(baseUrl), UNRECORDED],
  // One connection leads to one of two processes, and \`next start\` closes it after five seconds.
  api: [
    async ({ baseUrl, server }, use) => await use(apiOf(baseUrl, server === "own" && reused)),
    UNRECORDED,
  ],
  organization: [async ({ db }, use) => await withOrganization(db, use), UNRECORDED],
  key: [async ({ organization }, use) => await use(organization.key), UNRECORDED],
  otherOrganization: [async ({ db }, use) => await withOrganization(db, use), UNRECORDED],
});

async function withOrganization(db: Pool, use: (made: Organization) => Promise<void>) {
  const made = await makeOrganization(db);
  await use(made);
  await endSubscriptions(db, made.id);
}

/** A server that has pushed looks for news four times a second until there are no subscriptions. */
export async function endSubscriptions(db: Pool, ...organizationIds: string[]) {
  await db.query("DELETE FROM subscriptions WHERE organization_id = ANY ($1)", [organizationIds]);
}

/** What the global set-up has left for the tests. */
export function environment(name: string) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the global set-up did not start that server.`);
  return value;
}
