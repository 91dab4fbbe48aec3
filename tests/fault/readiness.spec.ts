import { once } from "node:events";
import net from "node:net";
import { openEventStream } from "../support/event-stream";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { disconnectAll, expect, test } from "../support/fault-fixtures";
import { whileHeld } from "../support/locks";

test("/readyz and /api/health are 503, and /livez 200, when the database is read-only, has another schema, or hangs", async ({
  databaseUrl,
  db,
  start,
}) => {
  const { api } = await start();
  const sql = (text: string) => db.query(text);
  const expectUnready = async (message: string) => {
    for (const path of ["/readyz", "/api/health"]) {
      const response = await api("GET", path);
      expectError(response, 503, "service_unavailable");
      expect(response.body.error.message).toContain(message);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    }
    expectStatus(await api("GET", "/livez"), 200);
  };
  const expectReady = () =>
    expect.poll(async () => (await api("GET", "/readyz")).text).toBe('{"status":"ready"}');
  const name = new URL(databaseUrl).pathname.slice(1);
  await expectReady();

  await sql(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await disconnectAll(db);
  await expect.poll(async () => (await api("GET", "/readyz")).text).toContain("read-only");
  await expectUnready("The database is read-only.");
  await sql(
    `SET TRANSACTION READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only`,
  );
  await disconnectAll(db);
  await expectReady();

  const last = "migration_name = (SELECT max(migration_name) FROM _prisma_migrations)";
  await sql(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${last}`);
  await expectUnready("does not have the schema of this version");
  await sql(`UPDATE _prisma_migrations SET rolled_back_at = NULL WHERE ${last}`);
  await sql("ALTER TABLE dispatch_state RENAME COLUMN last_dispatch_at TO elsewhere");
  await expectUnready("does not have the schema of this version");
  await sql("ALTER TABLE dispatch_state RENAME COLUMN elsewhere TO last_dispatch_at");
  await expectReady();

  const took = await whileHeld(db, "LOCK TABLE dispatch_state", async () => {
    const started = performance.now();
    await Promise.all(
      Array.from({ length: 20 }, () => expectUnready("did not answer within 2 seconds")),
    );
    return performance.now() - started;
  });
  await expectReady();
  await expectWithin(api, 5000, took, "two checks, one after the other");
});

for (const processes of ["1", "2"]) {
  test(`After SIGTERM a server with ${processes} process(es) is not ready but serves for SHUTDOWN_DELAY_SECONDS, and then closes idle connections without a reset`, async ({
    start,
  }) => {
    const server = await start({ WEB_CONCURRENCY: processes, SHUTDOWN_DELAY_SECONDS: "6" });
    const { api, baseUrl } = server;
    const endpoint = (await api("POST", "/api/webhooks", { body: { name: "x" } })).body.id;
    const stream = await openEventStream(baseUrl, `/api/webhooks/${endpoint}/events/stream`);
    const idle = await Promise.all(Array.from({ length: 10 }, () => openIdleConnection(baseUrl)));
    const poll = api("GET", `/api/webhooks/${endpoint}/events`, {
      query: { since: "wev_0", wait: 20 },
    });
    let streamEndedAt = 0;
    void stream.ended.then(() => {
      streamEndedAt = performance.now();
    });

    const signalled = performance.now();
    server.kill("SIGTERM");
    await expect
      .poll(async () => (await api("GET", "/readyz")).text, { intervals: [20] })
      .toContain("The server is stopping.");
    // A slow machine has time for fewer.
    for (let turn = 0; turn < 10 && performance.now() - signalled < 1000; turn += 1) {
      expectError(await api("GET", "/readyz"), 503, "service_unavailable");
      expectStatus(await api("GET", "/livez"), 200);
      const created = await api("POST", "/api/tasks", { body: { name: "During the delay" } });
      expectStatus(created, 201);
    }
    expect(streamEndedAt).toBe(0);
    const closing = await poll;
    expectStatus(closing, 200);
    expect(closing.headers.get("connection")).toBe("close");
    await stream.ended;
    expect(streamEndedAt - signalled).toBeGreaterThan(5990);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalled).toBeLessThan(14_000);
    expect(await Promise.all(idle.map(({ ended }) => ended))).toEqual(idle.map(() => "end"));
  });
}

test("A stopping server leaves a proxy's GET to another, not its POST", async ({ start }) => {
  const server = await start();
  const proxied = { "x-forwarded-for": "192.0.2.1" };
  const { api } = server;
  // Requests keep coming, so the server does not close at once.
  let over = false;
  const others = (async () => {
    while (!over) await api("POST", "/api/tasks", { body: { name: "x" } }).catch(() => null);
  })();
  server.kill("SIGTERM");
  await expect
    .poll(() => api("GET", "/livez", { headers: proxied }).then(() => "answered", String), {
      intervals: [20],
    })
    .toMatch(/socket hang up|ECONNRESET/);
  expectStatus(await api("GET", "/livez"), 200);
  const body = { name: "x" };
  expectStatus(await api("POST", "/api/tasks", { headers: proxied, body }), 201);
  over = true;
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await others;
});

/** A connection that has had its response, and how it ends. */
async function openIdleConnection(baseUrl: string) {
  const socket = net.connect(Number(new URL(baseUrl).port), "127.0.0.1");
  const ended = new Promise<string>((resolve) => {
    socket.once("end", () => resolve("end")).once("error", ({ message }) => resolve(message));
  });
  socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  return { ended };
}
