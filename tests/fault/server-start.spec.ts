import http from "node:http";
import path from "node:path";
import type { Row } from "@/lib/platform/db/columns";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { type Ended, run, runCommand } from "../support/backups";
import { openEventStream } from "../support/event-stream";
import { challenges, expectError, expectStatus } from "../support/expectations";
import { expect, killServer, PUBLIC, QUIET, test, withDatabase } from "../support/fault-fixtures";
import { checksum, makeKeyText, randomText, sha256 } from "../support/keys";
import { insertMessages } from "../support/messages";
import { waitingRequests } from "../support/metrics";
import { makePerson } from "../support/people";
import {
  freePort,
  isRunning,
  launchServer,
  pause,
  postmasterPid,
  type RunningServer,
} from "../support/servers";

/** Starting, stopping and restarting servers. */

test("Waiting requests with an Idempotency-Key hold no database connection", async ({ start }) => {
  const { api } = await start({ DATABASE_POOL_SIZE: "2" });
  const { body: inbox } = await api("POST", "/api/inboxes", { body: { name: "Empty" } });
  const waiting = Array.from({ length: 20 }, () =>
    api("POST", `/api/inboxes/${inbox.id}/events/receive`, {
      headers: { "idempotency-key": randomText(20) },
      body: { limit: 1, wait_seconds: 20 },
    }),
  );
  let ended = 0;
  for (const response of waiting) void response.then(() => ended++);
  await expect.poll(() => waitingRequests(api, "poll")).toBe(20);
  for (let turn = 0; turn < 5; turn += 1) expectStatus(await api("GET", "/api/tasks/x"), 404);
  expect(ended).toBe(0);
  for (const _ of waiting) await api("POST", `/api/inboxes/${inbox.id}/events`, { raw: "x" });
  for (const response of await Promise.all(waiting)) expectStatus(response, 200);
});

test("SIGTERM and SIGINT stop server and database cleanly, and the next start has the data", async ({
  readyDataDir: dataDir,
  start,
}) => {
  const ids: string[] = [];
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const server = await start({ DATA_DIR: dataDir });
    for (const id of ids) expectStatus(await server.api("GET", `/api/tasks/${id}`), 200);
    ids.push((await server.api("POST", "/api/tasks", { body: { name: signal } })).body.id);
    const postgres = postmasterPid(dataDir) ?? 0;
    expect(isRunning(postgres)).toBe(true);
    server.kill(signal);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(isRunning(postgres)).toBe(false);
    expect(postmasterPid(dataDir)).toBeUndefined();
  }
  const database = await connectEmbeddedPostgres({ dataDir });
  const { rows } = await withDatabase(database.url, (db) =>
    db.query<{ id: string }>("SELECT id FROM tasks"),
  );
  await database.stop();
  expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test("A signal before a server is ready, or during a command, stops the database too", async ({
  readyDataDir: DATA_DIR,
}) => {
  const early = [
    { argv: ["scripts/start.mjs"], signal: "SIGTERM", code: 0 },
    { argv: ["scripts/run.mjs", "storage"], signal: "SIGINT", code: 130 },
  ] as const;
  for (const { argv, signal, code } of early) {
    const started = await launchOnPostgres([...argv], DATA_DIR);
    const pid = () => postmasterPid(DATA_DIR) ?? 0;
    const postgres = pid();
    started.kill(signal);
    expect(await started.exited, started.output()).toEqual({ code, signal: null });
    expect(started.output()).not.toMatch(/^\s+at /m);
    expect(isRunning(postgres)).toBe(false);
    expect(pid()).toBe(0);
  }
});

/** Starts a script whose Postgres runs now; on a slow machine it may be over before: then once more. */
async function launchOnPostgres(argv: string[], DATA_DIR: string): Promise<RunningServer> {
  const started = launchServer(argv, await freePort(), { DATA_DIR });
  let isOver = false;
  void started.exited.then(() => {
    isOver = true;
  });
  const isSeen = () => isOver || postmasterPid(DATA_DIR) !== undefined;
  await expect.poll(isSeen, { intervals: [5], timeout: 60_000 }).toBe(true);
  if (!isOver) return started;
  expect((await started.exited).code, started.output()).toBe(0);
  return launchOnPostgres(argv, DATA_DIR);
}

test("Shutdown waits for no stream, long poll or busy connection", async ({ start }) => {
  const server = await start();
  const { api, baseUrl } = server;
  const endpoint = (await api("POST", "/api/webhooks", { body: { name: "x" } })).body.id;
  const inbox = (await api("POST", "/api/inboxes", { body: { name: "x" } })).body.id;
  const stream = await openEventStream(baseUrl, `/api/webhooks/${endpoint}/events/stream`);
  const signals = `/dashboard/signals?view=visitor&endpoint=${endpoint}`;
  const page = await openEventStream(baseUrl, signals);
  const polls = [
    api("POST", `/api/inboxes/${inbox}/events/receive`, { body: { wait_seconds: 20 } }),
    api("GET", `/api/webhooks/${endpoint}/events`, { query: { since: "wev_0", wait: 20 } }),
  ];
  const agent = new http.Agent({ keepAlive: true });
  let over = false;
  const asking = (async () => {
    const { port } = new URL(baseUrl);
    const options = { host: "127.0.0.1", port, path: "/api/health", agent };
    while (!over) {
      await new Promise<void>((resolve) => {
        http
          .get(options, (response) => response.resume().once("close", resolve))
          .once("error", () => resolve());
      });
      await pause(20);
    }
  })();
  await expect.poll(() => waitingRequests(api, "poll")).toBe(2);
  const stopped = performance.now();
  server.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - stopped).toBeLessThan(15_000);
  over = true;
  await Promise.all([stream.ended, page.ended, asking]);
  for (const { body } of await Promise.all(polls)) expect(body.data).toEqual([]);
});

test("A port in use is reported in one sentence", async ({ launch, sharedServers: [server] }) => {
  const second = await launch({}, Number(new URL(server.baseUrl).port));
  expect(await second.exited).toEqual({ code: 1, signal: null });
  await expect.poll(() => second.output()).toContain("PORT");
  expect(second.output()).not.toMatch(/^\s+at /m);
  expectStatus(await server.api("GET", "/api/health"), 200);
});

test("In public mode every URL is based on BASE_URL, and a dispatch without a secret shows nothing of messages and targets", async ({
  db,
  start,
  startTarget,
}) => {
  const base = "https://svc.example";
  const { api } = await start({
    ...PUBLIC,
    ...QUIET,
    BASE_URL: base,
    DELIVERY_ALLOW_CIDRS: "127.0.0.0/8",
  });
  const metadata = await api("GET", "/.well-known/oauth-protected-resource");
  expect(metadata.body).toMatchObject({ resource: `${base}/`, authorization_servers: [base] });
  const refused = await api("GET", "/api/tasks", { key: "svc_live_wrong" });
  expect(refused.headers.get("www-authenticate")).toBe(challenges(base).invalidCredential);
  const document = await api("GET", "/openapi.json");
  expect(document.body).toMatchObject({ servers: [{ url: base }] });
  const page = await api("GET", "/api/claim/tsk_x", { headers: { accept: "text/html" } });
  expect(new URL(page.headers.get("location") ?? "", base).href).toBe(`${base}/claim/tsk_x`);
  for (const { text, headers } of [metadata, refused, document, page]) {
    expect(JSON.stringify([text, headers])).not.toContain("localhost");
  }
  const target = await startTarget((response) => {
    response.writeHead(302, { Location: "https://other.example/?token=hidden" }).end();
  });
  await insertMessages(db, { url: target.url, count: 1 });
  const dispatched = await api("POST", "/api/messages/dispatch");
  expect(dispatched.body).toMatchObject({ dispatched: 1, delivered: 0, failed: 1 });
  expect(dispatched.body).toHaveProperty("results", [
    {
      status: "failed",
      attempts: 1,
      response_status: 302,
      error: "redirect_not_followed",
      next_attempt_at: null,
    },
  ]);
  const kept = await db.query("SELECT response_headers, error FROM message_attempts");
  expect(kept.rows).toEqual([
    { response_headers: null, error: expect.not.stringContaining("hidden") },
  ]);
});

test("BOOTSTRAP_API_KEY is installed once, as a digest with both scopes, in no organization of others; revoked or rotated it stays invalid, with a warning, and its organization stays while the variable is set", async ({
  start,
  startTwo,
  databaseUrl,
  db,
}) => {
  // Somebody who signed in has given theirs the name.
  await db.query("INSERT INTO organizations (id, name) VALUES ('org_0', 'bootstrap')");
  await makePerson(db, "org_0");
  const BOOTSTRAP_API_KEY = makeKeyText();
  const own = "svc_live_of-my_own-choice-0001";
  const use = async (server: RunningServer, key: string) => {
    const created = await server.api("POST", "/api/tasks", { key, body: { name: "x" } });
    expectStatus(created, 201);
    expect(created.body.organization_id).toMatch(/^org_/);
    expect(created.body.organization_id).not.toBe("org_0");
    expectStatus(await server.api("GET", "/api/tasks", { key }), 200);
    expect(server.output()).not.toContain(key);
    expect(server.output()).not.toContain("BOOTSTRAP_API_KEY");
  };
  for (const server of await startTwo({ BOOTSTRAP_API_KEY })) {
    await use(server, BOOTSTRAP_API_KEY);
    await killServer(server);
  }
  const server = await start({ BOOTSTRAP_API_KEY: own });
  await use(server, own);
  const { rows } = await db.query<Row<"ApiKey", "digest" | "scopes"> & { dump: string }>(
    "SELECT api_keys::text AS dump, digest, scopes FROM api_keys ORDER BY created_at",
  );
  expect(rows.map(({ digest }) => digest).sort()).toEqual(
    [sha256(BOOTSTRAP_API_KEY), sha256(own)].sort(),
  );
  for (const row of rows) {
    expect([...row.scopes].sort()).toEqual(["api.read", "api.write"]);
    expect(row.dump).not.toContain(BOOTSTRAP_API_KEY);
    expect(row.dump).not.toContain(own);
  }
  const organizations = await db.query<Row<"Organization", "id" | "name">>(
    "SELECT id, name FROM organizations WHERE id <> 'org_0'",
  );
  expect(organizations.rows).toMatchObject([{ name: "bootstrap" }]);

  const revoked = await server.api("DELETE", "/api/me/key", { key: BOOTSTRAP_API_KEY });
  expect(revoked.status).toBeLessThan(300);
  const rotation = { key: own, body: { overlap_seconds: 0 } };
  const rotated = await server.api("POST", "/api/me/key/rotate", rotation);
  expect(rotated.status).toBeLessThan(300);
  await killServer(server);
  for (const key of [BOOTSTRAP_API_KEY, own]) {
    const next = await start({ BOOTSTRAP_API_KEY: key });
    expectError(await next.api("GET", "/api/me", { key }), 401, "invalid_api_key");
    await expect.poll(() => next.output()).toContain("BOOTSTRAP_API_KEY was revoked or rotated");
    expect(next.output()).not.toContain(key);
    const { key: replacement } = JSON.parse(rotated.text);
    expectStatus(await next.api("GET", "/api/me", { key: replacement }), 200);
    await killServer(next);
  }
  const ids = organizations.rows.map(({ id }) => id);
  const settings = { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY };
  const deletion = await runCommand("revoke", ids, settings);
  expect(deletion).toMatchObject({ status: 1, stdout: "" });
  expect(deletion.stderr).toContain("Unset BOOTSTRAP_API_KEY first.");
  expect((await db.query("SELECT FROM deleted_organizations")).rowCount).toBe(0);
});

test("create-key works beside a server, prints a key once, and finds an organization that has members by its ID only; a second server on the same data directory exits with one sentence and does no harm", async ({
  readyDataDir,
  folder,
  launch,
  start,
}) => {
  const server = await start({ DATA_DIR: readyDataDir });
  const second = await launch({ DATA_DIR: readyDataDir });
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.output()).not.toMatch(/^\s+at /m);
  const words = `in use by another server (process ${server.pid})`;
  await expect.poll(() => second.output()).toContain(words);

  const environment = { DATA_DIR: readyDataDir };
  const command = ["run", "--silent", "create-key", "--", "--organization", "Acme & Söhne"];
  const createKey = async (...argv: string[]) =>
    keyIn(await runCommand("create-key", argv, environment));
  const first = keyIn(await run("npm", command, environment));
  const reading = await createKey("--organization", "Acme & Söhne", "--scopes", "api.read");
  const other = await createKey("--organization", "Other");
  const elsewhere = await runCommand("create-key", ["--organization", "Acme"], {
    DATA_DIR: path.join(folder, "wrong"),
  });
  expect(elsewhere).toMatchObject({ status: 1, stdout: "" });
  expect(elsewhere.stderr).toMatch(
    /^There is no database in .*wrong: run npm start once, or .*\n$/,
  );
  for (const key of [first, reading, other]) {
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect(key.slice(-6)).toBe(checksum(key.slice(0, -6)));
  }

  const created = await server.api("POST", "/api/tasks", { key: first, body: { name: "Acme's" } });
  expectStatus(created, 201);
  const list = await server.api("GET", "/api/tasks", { key: reading });
  expect(list.body.data.map(({ id }) => id)).toEqual([created.body.id]);
  const refused = await server.api("POST", "/api/tasks", { key: reading, body: { name: "x" } });
  expectError(refused, 403, "insufficient_scope");
  const foreign = await server.api("GET", `/api/tasks/${created.body.id}`, { key: other });
  expectError(foreign, 403, "forbidden");

  const database = await connectEmbeddedPostgres({ dataDir: readyDataDir });
  const { rows } = await withDatabase(database.url, async (db) => {
    await db.query(
      "INSERT INTO organizations (id, name) VALUES ('org_1', 'Theirs'), ('org_0', 'org_1')",
    );
    await makePerson(db, "org_1");
    return db.query<Row<"ApiKey", "digest" | "prefix" | "last_four"> & { dump: string }>(
      "SELECT api_keys::text AS dump, digest, prefix, last_four FROM api_keys",
    );
  });
  await database.stop();
  expect(rows).toHaveLength(3);
  for (const key of [first, reading, other]) {
    const row = rows.find(({ digest }) => digest === sha256(key));
    expect(row).toMatchObject({ prefix: key.slice(0, 13), last_four: key.slice(-4) });
    expect(row?.dump).not.toContain(key.slice(9, -4));
  }

  // One that has members is found by its ID only, whatever others are named.
  const named = await runCommand("create-key", ["--organization", "Theirs"], environment);
  expect(named).toMatchObject({ status: 1, stdout: "" });
  expect(named.stderr).toContain("org_1");
  const { body: me } = await server.api("GET", "/api/me", {
    key: await createKey("--organization", "org_1"),
  });
  expect(me.organization_id).toBe("org_1");
});

/** The one key that the script printed. */
function keyIn({ status, stdout, stderr }: Ended) {
  const printed = stdout + stderr;
  expect(status, printed).toBe(0);
  const keys = printed.match(/svc_live_\w+/g) ?? [];
  expect(keys, printed).toHaveLength(1);
  return keys[0] ?? "";
}

test("With MIGRATE_ON_START=false the embedded Postgres is not migrated", async ({
  readyDataDir: dataDir,
  start,
}) => {
  const database = await connectEmbeddedPostgres({ dataDir });
  await withDatabase(database.url, (db) => db.query("DELETE FROM _prisma_migrations"));
  await database.stop();
  const started = start({ DATA_DIR: dataDir, MIGRATE_ON_START: "false" });
  await expect(started).rejects.toThrow(/^The database lacks migration \d+_\w+ and \d+ more\./m);
});

test("In local mode the server answers on 127.0.0.1 and on ::1", async ({
  sharedServers: [{ baseUrl }],
}) => {
  const { port } = new URL(baseUrl);
  for (const host of ["127.0.0.1", "[::1]"]) {
    expect((await fetch(`http://${host}:${port}/livez`)).status, host).toBe(200);
  }
});

test("A HOST that is no address of this machine is named in one sentence", async ({ launch }) => {
  for (const HOST of ["300.1.1.1", "192.0.2.7"]) {
    const server = await launch({ HOST });
    expect((await server.exited).code).toBe(1);
    expect(server.output().trim().split("\n")).toEqual([
      `HOST: ${HOST} is not an address of this machine. Set HOST to one, such as 127.0.0.1 or 0.0.0.0.`,
    ]);
  }
});
