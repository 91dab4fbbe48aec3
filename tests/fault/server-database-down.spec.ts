import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { makeInbox, whileLocked } from "../support/inboxes";
import { randomText } from "../support/keys";
import { withOneServer } from "../support/one-server";
import { cookieOf, makePerson } from "../support/people";
import { pause } from "../support/servers";
import { startTcpProxy } from "../support/tcp-proxy";

/** Sooner than a key expires whose request never ended. */
const SOON_MS = 30_000;

let proxy: Awaited<ReturnType<typeof startTcpProxy>>;

const it = withOneServer(async (databaseUrl) => {
  proxy = await startTcpProxy(databaseUrl);
  return { DATABASE_URL: proxy.url };
});

test.afterAll(() => proxy.close());

it("During a database outage requests that need it are 503, and afterwards data is unchanged", async ({
  server,
  key,
}) => {
  const { body: task } = await server.api("POST", "/api/tasks", { key, body: { name: "Before" } });
  const path = `/api/tasks/${task.id}`;

  for (let round = 0; round < 2; round += 1) {
    proxy.cut();
    for (const [method, target, body] of [
      ["GET", path, undefined],
      ["GET", "/api/tasks", undefined],
      ["POST", "/api/tasks", { name: "During" }],
      ["PATCH", path, { name: "During" }],
      ["DELETE", path, undefined],
      ["POST", `/api/claim/${task.id}`, { claim_token: "clm_x" }],
      ["GET", "/api/health", undefined],
    ] as const) {
      const response = await server.api(method, target, { key, body });
      expectError(response, 503, "service_unavailable");
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(response.text).not.toMatch(/ECONN|prisma|postgres|127\.0\.0\.1/i);
    }
    const replayable = await server.api("POST", "/api/tasks", {
      key,
      headers: { "idempotency-key": randomText(20) },
      body: { name: "During" },
    });
    expectError(replayable, 503, "service_unavailable");
    // Requests that need no database still work.
    expectStatus(await server.api("GET", "/openapi.json"), 200);
    expectError(await server.api("GET", "/api/nothing"), 404, "route_not_found");
    expectError(await server.api("PUT", path), 405, "method_not_allowed");

    proxy.mend();
    await expect.poll(async () => (await server.api("GET", "/api/health")).status).toBe(200);
    const read = await server.api("GET", path, { key });
    expectStatus(read, 200);
    expect(read.body.name).toBe("Before");
    expectStatus(await server.api("POST", "/api/tasks", { key, body: { name: "After" } }), 201);
  }
});

it("During a database outage pages are 503 and say so, and afterwards they are there", async ({
  server,
  db,
  organization,
}) => {
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const share = { name: "x", content: "# Shared" };
  const { body: artifact } = await server.api("POST", "/api/artifacts?share=true", { body: share });
  const shared = new URL(artifact.share_url).pathname;
  const pages = ["/dashboard", "/tasks", `/artifacts/${artifact.id}`, shared];
  const visit = (path: string) =>
    server.api("GET", path, { headers: { cookie, accept: "text/html" } });
  for (const path of pages) expectStatus(await visit(path), 200);

  proxy.cut();
  for (const path of pages) {
    const response = await visit(path);
    expectStatus(response, 503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(response.text).toContain("cannot reach its database");
    expect(response.text).toMatch(/<\/html>\n$/);
  }
  await expect.poll(() => server.output()).toContain("The database failed:");
  // The router of an open page requests it again, instead of showing an error page.
  for (const path of pages.slice(0, 3)) {
    const headers = { cookie, rsc: "1" };
    await expect(
      fetch(`${server.baseUrl}${path}`, { headers }).then((part) => part.text()),
    ).rejects.toThrow();
  }
  expect(server.output()).not.toContain("The page /");

  proxy.mend();
  for (const path of pages) await expect.poll(async () => (await visit(path)).status).toBe(200);
});

it("Twenty parallel requests during a database failure all get a response", async ({
  server,
  key,
}) => {
  for (let round = 0; round < 3; round += 1) {
    const responses = Array.from({ length: 20 }, () =>
      server.api("POST", "/api/tasks", { key, body: { name: "x" } }),
    );
    await Promise.race(responses);
    proxy.cut();
    for (const response of await Promise.all(responses)) {
      if (response.status !== 201) expectError(response, 503, "service_unavailable");
    }
    proxy.mend();
    await expect.poll(async () => (await server.api("GET", "/api/health")).status).toBe(200);
  }
});

it("A request with an Idempotency-Key that a database failure ended can be repeated once the database is back", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api);
  const headers = { "idempotency-key": randomText(20) };
  const ingest = () => inbox.tryIngest({ raw: "x", headers });
  await whileLocked(db, inbox.id, async () => {
    const ingesting = ingest();
    await expect
      .poll(
        async () =>
          (await db.query("SELECT FROM idempotency_records WHERE owner IS NOT NULL")).rowCount,
      )
      .toBe(1);
    proxy.cut();
    expectError(await ingesting, 503, "service_unavailable");
  });
  proxy.mend();
  await expect.poll(async () => (await ingest()).status, { timeout: SOON_MS }).toBe(201);
  expect(await inbox.events()).toHaveLength(1);
});

test("A request with an Idempotency-Key whose commit waited too long for a standby has happened once commits go on", async ({
  db,
  start,
}) => {
  const { api } = await start(QUIET);
  const inbox = await makeInbox(api);
  const headers = { "idempotency-key": randomText(20) };
  const ingest = () => inbox.tryIngest({ raw: "x", headers });
  const setStandby = async (change: string) => {
    await db.query(`ALTER SYSTEM ${change}`);
    await db.query("SELECT pg_reload_conf()");
  };
  try {
    await setStandby("SET synchronous_standby_names = 'gone'");
    await expect
      .poll(async () => {
        db.query("SELECT pg_logical_emit_message(true, 'test', '')").catch(() => {});
        const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
        return (await db.query(waiting)).rowCount;
      })
      .toBeGreaterThan(0);
    expectError(await ingest(), 503, "service_unavailable");
    // Until then the server tries in vain to free the key, whose record is about to have the response.
    await pause(3000);
  } finally {
    await setStandby("RESET synchronous_standby_names");
  }
  // 200 is the repeat of an event that is stored.
  await expect.poll(async () => (await ingest()).status, { timeout: SOON_MS }).toBe(200);
  expect(await inbox.events()).toHaveLength(1);
});
