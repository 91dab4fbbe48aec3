import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expectError, expectStatus } from "../support/expectations";
import { disconnectAll, expect, test } from "../support/fault-fixtures";
import { type Api, jsonOf } from "../support/http";
import { inboxClient, makeInbox } from "../support/inboxes";
import { randomText } from "../support/keys";
import { listEvents, makeEndpoint } from "../support/webhooks";

/** Faults of the machines around the server: a full disk, a name that is gone, a clock that is set back. */

const HANG_MS = 10_000;

test("On a full disk captures are 503, all else works, and once there is room nothing acknowledged is missing", async ({
  folder,
  db,
  start,
}) => {
  const disk = path.join(folder, "disk");
  fs.mkdirSync(disk);
  const mount = (...options: string[]) => spawnSync("mount", [...options, disk]).status;
  test.skip(mount("-t", "tmpfs", "-o", "size=4m", "tmpfs") !== 0, "This user cannot mount.");
  const space = `disk_${randomText(8).toLowerCase()}`;
  const server = await start();
  const { api } = server;
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const raw = Buffer.alloc(200_000, randomText(1000));
  const capture = () => api("POST", `/api/catch/${endpoint.id}`, { raw });
  const { rows } = await db.query<{ data_directory: string }>("SHOW data_directory");
  const { uid, gid } = fs.statSync(rows[0]?.data_directory ?? "");
  fs.chownSync(disk, uid, gid);
  await db.query(`CREATE TABLESPACE ${space} LOCATION '${disk}'`);
  try {
    // Uncompressed, so that the disk is soon full.
    await db.query("ALTER TABLE webhook_events ALTER COLUMN body SET STORAGE EXTERNAL");
    await db.query(`ALTER TABLE webhook_events SET TABLESPACE ${space}`);
    let stored = 0;
    let response = await capture();
    for (; response.status === 200 && stored < 100; stored += 1) response = await capture();
    const started = performance.now();
    expectError(await capture(), 503, "service_unavailable");
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(performance.now() - started).toBeLessThan(HANG_MS);
    await expect.poll(() => server.output()).toContain("(53100)");
    expectStatus(await api("POST", "/api/tasks", { body: { name: "Beside" } }), 201);
    expectStatus(await api("GET", `/api/webhooks/${endpoint.id}/events`), 200);

    expect(mount("-o", "remount,size=64m")).toBe(0);
    await expect.poll(async () => (await capture()).status).toBe(200);
    const { rows: counted } = await db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM webhook_events WHERE endpoint_id = $1 AND size_bytes = 200000",
      [endpoint.id],
    );
    expect(counted[0]?.n).toBe(stored + 1);
  } finally {
    await db.query("ALTER TABLE webhook_events SET TABLESPACE pg_default");
    await db.query(`DROP TABLESPACE ${space}`);
    spawnSync("umount", ["-l", disk]);
  }
});

test("Without the database's name requests are 503 at once, and succeed once it is back", async ({
  folder,
  databaseUrl,
  db,
  start,
}) => {
  const NAME_FILE = path.join(folder, "name");
  fs.writeFileSync(NAME_FILE, "");
  const named = new URL(databaseUrl);
  named.hostname = "database.test";
  const environment = { DATABASE_URL: named.href, NAME_FILE };
  const server = await start(environment, undefined, ["--import", "./tests/support/name-gone.mjs"]);
  const create = () => server.api("POST", "/api/tasks", { body: { name: "x" } });
  expectStatus(await create(), 201);

  fs.rmSync(NAME_FILE);
  await disconnectAll(db);
  await expect.poll(async () => (await create()).status).toBe(503);
  for (let turn = 0; turn < 3; turn += 1) {
    const started = performance.now();
    const response = await create();
    expectError(response, 503, "service_unavailable");
    expect(response.text).not.toContain("database.test");
    expect(performance.now() - started).toBeLessThan(HANG_MS);
  }
  await expect.poll(() => server.output()).toContain("ENOTFOUND");
  expectStatus(await server.api("GET", "/livez"), 200);

  fs.writeFileSync(NAME_FILE, "");
  await expect.poll(async () => (await create()).status).toBe(201);
});

test("After the clock was set back by an hour, everything that was written is there and everything works", async ({
  db,
  key,
  start,
  target,
}) => {
  const clock = { CLOCK_STEP_MS: String(-3600 * 1000), DISPATCH_INTERVAL_SECONDS: "1" };
  const server = await start(clock, undefined, ["--import", "./tests/support/moved-clock.mjs"]);
  const { api } = server;
  const endpoint = (await makeEndpoint(api, { key })).id;
  const made = { endpoint, inbox: (await makeInbox(api, {}, key)).id };
  await useAll(api, key, made, target.url);
  await expect.poll(() => target.received.length).toBe(1);
  const seen = await eventsOf(api, key, endpoint);

  await db.query(`CREATE OR REPLACE FUNCTION unix_now() RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE
      AS $$ SELECT floor(extract(epoch FROM now()))::BIGINT - 3600 $$`);
  server.kill("SIGUSR2");
  await useAll(api, key, made, target.url);
  await expect.poll(() => target.received.length).toBe(2);
  const [last] = seen;
  expect(await eventsOf(api, key, endpoint, last)).toHaveLength(1);
  expect(await eventsOf(api, key, endpoint)).toHaveLength(seen.length + 1);
  const tasks = await api("GET", "/api/tasks", { key });
  expect(jsonOf<{ data: object[] }>(tasks).data).toHaveLength(2);
});

/** Writes one of everything that depends on the time, and uses it. */
async function useAll(
  api: Api,
  key: string,
  { endpoint, inbox }: { endpoint: string; inbox: string },
  url: string,
) {
  expectStatus(await api("POST", `/api/catch/${endpoint}`, { raw: "x" }), 200);
  const headers = { "idempotency-key": randomText(20) };
  const create = () => api("POST", "/api/tasks", { key, headers, body: { name: "Work" } });
  const task = await create();
  expectStatus(task, 201);
  expect((await create()).body.id).toBe(task.body.id);
  const lease = (holder: string) =>
    api("POST", `/api/tasks/${task.body.id}/lease`, { key, body: { holder } });
  expectStatus(await lease("A"), 200);
  expectError(await lease("B"), 409, "lease_held");
  const queue = inboxClient(api, inbox, key);
  await queue.ingest({ raw: "x" });
  expect(await queue.receive({ wait_seconds: 5 })).toHaveLength(1);
  expectStatus(await api("POST", "/api/messages", { key, body: { url, delay_seconds: 0 } }), 201);
}

/** The IDs of the captured events, newest first, or those since one. */
async function eventsOf(api: Api, key: string, endpoint: string, since?: string) {
  const { data } = await listEvents(api, endpoint, { since }, key);
  return data.map(({ id }) => id);
}
