import { Client } from "pg";
import { expectStatus, expectWithin } from "../support/expectations";
import { disconnectAll, expect, test, withDatabase } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { pgbouncerPath } from "../support/pgbouncer";
import { onStatement } from "../support/sent-statements";

/** Through a real PgBouncer. */

const MISSING = "pgbouncer is not installed; on Debian: apt-get install pgbouncer";
if (!pgbouncerPath()) console.log(`Skipped: ${MISSING}.`);
test.skip(!pgbouncerPath(), MISSING);

test("Behind a transaction pooler all works without SET, and waiting requests are soon answered", async ({
  makeEmptyDatabase,
  folder,
  start,
  startPgbouncer,
  startTcpProxy,
}) => {
  const real = await makeEmptyDatabase();
  const pooler = await startPgbouncer(real, folder);
  const sent: string[] = [];
  const proxy = await startTcpProxy(
    pooler.transactions,
    onStatement((text) => sent.push(text)),
  );
  // Also migrates and listens through the pooler.
  const DATABASE_URL = `${proxy.url}?pgbouncer=true`;
  const server = await start({ DATABASE_URL });
  const { body: task } = await server.api("POST", "/api/tasks", { body: { name: "Pooled" } });
  expectStatus(await server.api("GET", `/api/tasks/${task.id}`), 200);
  const inbox = await makeInbox(server.api);
  const waiting = inbox.receive({ wait_seconds: 20 });
  await expect.poll(() => sent.some((text) => text.includes("awaited_until"))).toBe(true);
  const arrived = performance.now();
  await inbox.ingest({ body: "{}" });
  expect(await waiting).toHaveLength(1);
  await expectWithin(server.api, 5000, performance.now() - arrived);

  expect(sent.length).toBeGreaterThan(10);
  expect(sent.filter((text) => /^\s*(RE)?SET\b/i.test(text))).toEqual([]);
  // The role has the settings, in this database and in sessions that the pooler opens later.
  await withDatabase(real, disconnectAll);
  await expect.poll(() => settingsAt(pooler.transactions).catch(() => "")).toBe("off6s");
  const elsewhere = new URL(real);
  elsewhere.pathname = "/postgres";
  expect(await settingsAt(elsewhere.href)).toBe("on0");
});

test("A pooler that is not declared and refuses session options serves reads and writes", async ({
  makeEmptyDatabase,
  folder,
  start,
  startPgbouncer,
}) => {
  const pooler = await startPgbouncer(await makeEmptyDatabase(), folder);
  const { api } = await start({ DATABASE_URL: pooler.sessions });
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Pooled" } });
  for (let turn = 0; turn < 5; turn += 1) {
    expectStatus(await api("GET", `/api/tasks/${task.id}`), 200);
  }
  await expect.poll(() => pooler.output()).toContain("unsupported startup parameter: options");
});

/** Of a new session that asks for nothing at its start, which the pooler would refuse. */
async function settingsAt(url: string): Promise<string> {
  const client = new Client(url);
  // The pooler may close the session of a query that has failed.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ settings: string }>(
      "SELECT current_setting('enable_seqscan') || current_setting('statement_timeout') AS settings",
    );
    return rows[0]?.settings ?? "";
  } finally {
    await client.end();
  }
}
