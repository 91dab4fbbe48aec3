import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus, expectWithin, missing } from "../support/expectations";
import { disconnectAll, expect, QUIET, test, withDatabase } from "../support/fault-fixtures";
import { makeKeyText, randomText } from "../support/keys";
import { pause } from "../support/servers";

/** A database that is slow, full, read-only or out of connections makes nobody wait for long. */

/** How long a server waits for a statement. */
const HANG_MS = 6500;

/** SQLSTATEs of failures that may pass. */
const PASSING = {
  "25006": "read-only",
  "57014": "a statement over its time limit",
  "26000": "one that would have been prepared by such a statement",
  "55P03": "a lock that cannot be had",
  "40001": "a serialization failure",
  "40P01": "a deadlock",
  "53100": "a full disk",
};

test("While the database is silent no request hangs, and afterwards all succeed", async ({
  key,
  databaseProxy: proxy,
  start,
}) => {
  const server = await start({ DATABASE_URL: proxy.url });
  const { body: task } = await server.api("POST", "/api/tasks", { key, body: { name: "Before" } });
  const { body: endpoint } = await server.api("POST", "/api/webhooks", { body: { name: "x" } });
  const timed = async (method: string, path: string, body?: object) => {
    const sent = performance.now();
    const response = await server.api(method, path, { key, body });
    return { response, method, path, ms: performance.now() - sent };
  };
  const round = () => [
    timed("GET", `/api/tasks/${task.id}`),
    timed("GET", "/api/tasks"),
    timed("PATCH", `/api/tasks/${task.id}`, { name: "During" }),
    timed("POST", "/api/tasks", { name: "During" }),
    timed("POST", `/api/catch/${endpoint.id}`, { during: true }),
  ];

  proxy.freeze();
  const sent = [];
  // The later ones queue behind the first.
  for (let turn = 0; turn < 12; turn += 1) {
    sent.push(...round());
    await pause(150);
  }
  const answered = await Promise.all(sent);
  for (const { response } of answered) {
    expectError(response, 503, "service_unavailable");
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  }
  await expect.poll(() => server.output()).toContain("The database failed: Query read timeout");

  proxy.thaw();
  await expect.poll(async () => (await server.api("GET", "/api/health")).status).toBe(200);
  for (const { response } of await Promise.all(round())) expect(response.status).toBeLessThan(300);
  const [slowest = missing()] = answered.toSorted((one, other) => other.ms - one.ms);
  await expectWithin(server.api, HANG_MS, slowest.ms, `${slowest.method} ${slowest.path}`);
});

test("A failure of the database that may pass is 503 with Retry-After, and the log names it and its place", async ({
  sharedDatabase,
  sharedServers: [server],
}) => {
  await withDatabase(sharedDatabase, (db) =>
    db.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'Refused by the test' USING ERRCODE = substr(NEW.name, 6); END $$;
      CREATE TRIGGER fail BEFORE INSERT ON tasks
        FOR EACH ROW WHEN (NEW.name LIKE 'fail_%') EXECUTE FUNCTION fail()`),
  );
  for (const code of Object.keys(PASSING)) {
    const response = await server.api("POST", "/api/tasks", { body: { name: `fail:${code}` } });
    expectError(response, 503, "service_unavailable");
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(response.text).not.toContain("Refused");
    await expect
      .poll(() => server.output())
      .toContain(`(${code}): PL/pgSQL function fail() line 2 at RAISE, in `);
  }
});

test("Housekeeping that fails does not fail the request before it", async ({
  sharedDatabase,
  sharedServers: [server],
}) => {
  await withDatabase(sharedDatabase, (db) =>
    db.query(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'Kept by the test'; END $$;
      CREATE TRIGGER keep BEFORE DELETE ON oauth_clients EXECUTE FUNCTION keep()`),
  );
  const body = { redirect_uris: ["https://client.example/callback"] };
  expectStatus(await server.api("POST", "/oauth/register", { body }), 201);
  await expect.poll(() => server.output()).toContain("Unused clients could not be evicted");
  await withDatabase(sharedDatabase, (db) => db.query("DROP TRIGGER keep ON oauth_clients"));
});

test("A statement that a deadlock ends is sent once more, unless it is part of a transaction", async ({
  sharedDatabase,
  sharedServers: [server],
}) => {
  const { key } = await withDatabase(sharedDatabase, async (db) => {
    // Every other write fails. A rollback does not reset a sequence.
    await db.query(`CREATE SEQUENCE deadlocks;
      CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('deadlocks') % 2 = 1 THEN RAISE 'By the test' USING ERRCODE = '40P01'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER deadlock BEFORE INSERT OR UPDATE ON tasks
        FOR EACH ROW WHEN (NEW.name = 'deadlock') EXECUTE FUNCTION deadlock()`);
    return makeOrganization(db);
  });
  const made = await server.api("POST", "/api/tasks", { key, body: { name: "deadlock" } });
  expectStatus(made, 201);
  const lease = () =>
    server.api("POST", `/api/tasks/${made.body.id}/lease`, {
      key,
      // Its record shares the transaction.
      headers: { "idempotency-key": "one" },
      body: { holder: "me" },
    });
  expectError(await lease(), 503, "service_unavailable");
  expectStatus(await lease(), 200);
});

test("A read-only database still answers reads, and after a refused write, or a failed health check, no connection to it is used", async ({
  databaseUrl,
  db,
  key,
  start,
}) => {
  const { api } = await start(QUIET);
  const write = () => api("POST", "/api/tasks", { key, body: { name: "x" } });
  const read = () => api("GET", "/api/tasks", { key });
  const health = () => api("GET", "/api/health");
  const eight = async (send: typeof read) =>
    (await Promise.all(Array.from({ length: 8 }, send))).map(({ status }) => status);
  const connections = async () => {
    const { rows } = await db.query<{ pid: number; usedAt: string }>(
      `SELECT pid, query_start::text AS "usedAt" FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'agent-infrastructure'`,
    );
    return rows;
  };
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const refused of [write, health]) {
    await db.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    // A connection keeps the setting that it began with, as one to a former primary leads there.
    await disconnectAll(db);
    await expect.poll(() => eight(read)).toEqual(Array(8).fill(200));
    // A server decides at most once a second to replace its connections.
    await pause(1100);
    expect((await refused()).status).toBe(503);
    const before = await connections();
    expect(before.length).toBeGreaterThan(0);
    await db.query("SET default_transaction_read_only = off");
    await db.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);

    expect(await eight(write)).toEqual(Array(8).fill(201));
    expect(await eight(read)).toEqual(Array(8).fill(200));
    expect((await health()).status).toBe(200);
    // Each ends when it would be used next.
    const used = (await connections()).filter(({ pid, usedAt }) =>
      before.some((one) => one.pid === pid && one.usedAt !== usedAt),
    );
    expect(used).toEqual([]);
  }
});

test("Servers that want more connections than there are get slower, but fail no request", async ({
  makeEmptyDatabase,
  startTwo,
}) => {
  const url = await asRole(await makeEmptyDatabase(), "CONNECTION LIMIT 8");
  const servers = await startTwo({ DATABASE_URL: url });
  const { key } = await withDatabase(url, makeOrganization);
  const statuses = new Set<number>();
  const callers = Array.from({ length: 16 }, async (_, n) => {
    const { api } = servers[n % 2] ?? servers[0];
    for (let turn = 0; turn < 10; turn += 1) {
      statuses.add((await api("POST", "/api/tasks", { body: { name: "x" } })).status);
      statuses.add((await api("POST", "/api/inboxes", { body: { name: "x" } })).status);
      statuses.add((await api("GET", "/api/tasks", { key })).status);
    }
  });
  await Promise.all(callers);
  expect([...statuses].sort()).toEqual([200, 201]);
});

test("A server that cannot use its database says why", async ({ databaseUrl, launch }) => {
  const wrong = new URL(databaseUrl);
  wrong.password = "wrong";
  const gone = new URL(databaseUrl);
  gone.port = "1";
  const afterMigrations = { MIGRATE_ON_START: "false", DIRECT_URL: databaseUrl };
  for (const [environment, reason] of [
    [{ DATABASE_URL: wrong.href }, "The database at 127.0.0.1 cannot be used: password"],
    [
      { ...afterMigrations, DATABASE_URL: gone.href, BOOTSTRAP_API_KEY: makeKeyText() },
      "The database failed: connect ECONNREFUSED",
    ],
  ] as const) {
    const server = await launch(environment);
    expect(await server.exited).toEqual({ code: 1, signal: null });
    await expect.poll(() => server.output()).toContain(reason);
    expect(server.output()).not.toMatch(/^\s+at /m);
  }
});

/** The URL of the database for a new role that owns it. */
async function asRole(database: string, attributes: string): Promise<string> {
  const url = new URL(database);
  url.username = `role_${randomText(8).toLowerCase()}`;
  url.password = randomText(12);
  await withDatabase(database, async (db) => {
    await db.query(`CREATE ROLE ${url.username} LOGIN PASSWORD '${url.password}' ${attributes}`);
    await db.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${url.username}`);
    await db.query(`GRANT ALL ON SCHEMA public TO ${url.username}`);
  });
  return url.href;
}
