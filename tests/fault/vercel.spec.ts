import type { Pool } from "pg";
import { replayEnded, startReplay } from "../support/bulk-replays";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";
import { countByStatus, dispatch } from "../support/messages";
import { rowsOf } from "../support/rows";
import { freePort, startServer } from "../support/servers";
import { capture, fillEndpoint, makeEndpoint } from "../support/webhooks";

const PRODUCTION = "svc.example";
const BRANCH = "svc-git-branch-team.vercel.app";
const DEPLOYMENT = "svc-abc123-team.vercel.app";

const PREVIEW = {
  VERCEL: "1",
  VERCEL_ENV: "preview",
  VERCEL_REGION: "fra1",
  VERCEL_PROJECT_PRODUCTION_URL: PRODUCTION,
  VERCEL_BRANCH_URL: BRANCH,
  VERCEL_URL: DEPLOYMENT,
  SERVER_SECRET: randomText(40),
  AGENT_AUTH_SECRET: randomText(40),
};

/** How long the instance has waited for each piece of work that has ended, in milliseconds. */
const waitsOf = ({ output }: { output(): string }) =>
  [...output().matchAll(/^waited (\d+) ms$/gm)].map(([, ms]) => Number(ms));

/** A function of Vercel, as far as `next start` with its variables is one. */
async function startInstance(databaseUrl: string, environment: Record<string, string> = {}) {
  const database = new URL(databaseUrl);
  database.searchParams.set("application_name", "preview");
  const port = await freePort();
  const next = ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(port)];
  return startServer(["--import", "./tests/support/vercel-context.mjs", ...next], port, {
    ...PREVIEW,
    DATABASE_URL: database.href,
    DELIVERY_ALLOW_CIDRS: "127.0.0.0/8",
    ...environment,
  });
}

/** The instance's connections to the database, by their last query. */
async function countConnections(db: Pool, query = "%") {
  const { rowCount } = await db.query(
    "SELECT FROM pg_stat_activity WHERE application_name = 'preview' AND query LIKE $1",
    [query],
  );
  return rowCount;
}

test("A preview on Vercel has its own URLs and forms; an instance waits for its work, keeps no connection, and stays up until its pushes are delivered, and no longer", async ({
  databaseUrl,
  db,
  key,
  startTarget,
}) => {
  const target = await startTarget((response) => void setTimeout(() => response.end(), 1000));
  // As if it had been set for all environments.
  const server = await startInstance(databaseUrl, { BASE_URL: `https://${PRODUCTION}` });
  try {
    const { api } = server;
    const endpoint = await api("POST", "/api/webhooks", { body: { name: "Full", max_events: 1 } });
    expectStatus(endpoint, 201);
    expect(endpoint.body.url).toBe(`https://${BRANCH}/api/catch/${endpoint.body.id}`);

    const post = (host: string, origin: string) =>
      api("POST", "/sign-in", { headers: { host, origin }, raw: "" });
    for (const [host, origin] of [
      [DEPLOYMENT, `https://${DEPLOYMENT}`],
      [BRANCH, `https://${BRANCH}`],
      // A domain that the owner gave to the branch.
      ["staging.example", "https://staging.example"],
    ] as const) {
      expect((await post(host, origin)).status, `${origin} on ${host}`).not.toBe(403);
    }
    for (const origin of [`https://${PRODUCTION}`, "https://evil.example", "null"]) {
      expect((await post(DEPLOYMENT, origin)).status, origin).toBe(403);
    }

    // The second capture evicts the first, and its row is deleted half a second later.
    const capture = async () => {
      const response = await api("POST", `/api/catch/${endpoint.body.id}`, { raw: "x" });
      expectStatus(response, 200);
      return response.body.event_id;
    };
    await capture();
    const newest = await capture();
    const newerEvents = (wait: number) =>
      api("GET", `/api/webhooks/${endpoint.body.id}/events`, { query: { since: newest, wait } });
    expectStatus(await newerEvents(1), 200);
    await expect.poll(() => waitsOf(server).some((ms) => ms >= 500 && ms < 4000)).toBe(true);

    // Until the pool has closed its connections.
    await expect.poll(() => waitsOf(server).some((ms) => ms >= 5000)).toBe(true);
    await expect.poll(() => countConnections(db)).toBe(0);
    // The next request that waits is woken again.
    const waiting = newerEvents(20);
    await expect.poll(() => countConnections(db, "LISTEN%")).toBe(1);
    await capture();
    expect((await waiting).body.data).toHaveLength(1);

    // Until what waits now is over.
    await expect.poll(() => countConnections(db)).toBe(0);
    const before = waitsOf(server).length;
    const body = { url: target.url, kinds: ["tasks"] };
    expectStatus(await api("POST", "/api/subscriptions", { key, body }), 200);
    expectStatus(await api("POST", "/api/tasks", { key, body: { name: "One" } }), 201);
    await expect
      .poll(async () => {
        expectStatus(await api("POST", "/api/messages/dispatch"), 200);
        return target.received.length;
      })
      .toBe(1);
    // The work ends although there is a subscription; the pool's connections wait for five seconds.
    const pushing = () => waitsOf(server).slice(before);
    await expect.poll(() => pushing().some((ms) => ms >= 1000 && ms < 5000)).toBe(true);
    await expect.poll(() => countByStatus(db)).toEqual({ delivered: 1 });

    // The uses of a key are written before the instance is suspended.
    const uses = async () => {
      const where = { last_four: key.slice(-4) };
      const { uses_by_day } = await rowsOf(db).apiKey.findFirstOrThrow({ where });
      return uses_by_day.reduce((sum, slot) => sum + (Number(slot ?? 0) % 2 ** 32), 0);
    };
    await expect.poll(uses, { timeout: 10_000 }).toBe(2);
  } finally {
    await server.stop();
  }
});

test("A bulk replay on Vercel pauses when the dispatch budget is used up, and the next dispatch continues it", async ({
  databaseUrl,
  db,
  key,
  startTarget,
}) => {
  const target = await startTarget((response) => void setTimeout(() => response.end(), 500));
  const server = await startInstance(databaseUrl, { DISPATCH_BUDGET_MS: "1000" });
  try {
    const { api } = server;
    const { id } = await makeEndpoint(api, { key, max_events: 300 });
    await fillEndpoint(db, { id, count: 100 });
    const replay = await startReplay(api, id, { url: target.url }, key);
    // No work is left that would use a connection.
    await expect.poll(() => countConnections(db)).toBe(0);
    expect(await countByStatus(db)).toEqual({
      scheduled: expect.any(Number),
      delivered: expect.any(Number),
    });
    const path = `/api/webhooks/${id}/replays/${replay.id}`;
    const read = async () => {
      await dispatch(api);
      return (await api("GET", path, { key })).body;
    };
    await expect.poll(read).toMatchObject({ status: "completed", delivered: 100 });
    expect(target.received).toHaveLength(100);
  } finally {
    await server.stop();
  }
});

test("An instance waits once for each replay to a slow target, and once for a bulk replay", async ({
  databaseUrl,
  db,
  key,
  startTarget,
}) => {
  // Longer than the pool keeps an idle connection.
  const target = await startTarget((response) => void setTimeout(() => response.end(), 8500));
  const server = await startInstance(databaseUrl);
  try {
    const { api } = server;
    const { id } = await makeEndpoint(api, { key });
    const event = await capture(api, id, { raw: "x" });
    const body = { url: target.url };
    expectStatus(
      await api("POST", `/api/webhooks/${id}/events/${event}/replay`, { key, body }),
      201,
    );
    const replay = await startReplay(api, id, body, key);
    expect(await replayEnded(api, id, replay.id, key)).toMatchObject({ delivered: 1 });
    // No work is left that would use a connection.
    await expect.poll(() => countConnections(db)).toBe(0);
    expect(target.received).toHaveLength(2);
    expect(waitsOf(server).filter((ms) => ms >= 8500)).toHaveLength(3);
  } finally {
    await server.stop();
  }
});
