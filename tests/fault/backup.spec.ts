import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { positionOf } from "@/lib/resources/changes/position";
import { checkBackup } from "@/lib/upkeep/backup/restore";
import { insertTasks, makeOrganization } from "../support/accounts";
import { contentOf, runCommand } from "../support/backups";
import { changesOf, feed } from "../support/changes";
import { copyDataDir } from "../support/data-dirs";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, QUIET, test, withDatabase } from "../support/fault-fixtures";
import { type Api, type ApiResponse, jsonOf } from "../support/http";
import { randomText } from "../support/keys";
import { insertMessages } from "../support/messages";
import { samplesOf } from "../support/metrics";
import {
  artifact,
  blockedTask,
  forwardingWebhook,
  heldTask,
  inboxEvent,
  type Resource,
  sharedArtifact,
  task,
} from "../support/resources";
import { freePort, launchServer, pause, type RunningServer } from "../support/servers";

const SERVER_SECRET = randomText(40);

test("A backup under load is of one moment; the restored server sends nothing until told, and repeats no position or token", async ({
  readyDataDir: dataDir,
  folder,
  makeEmptyDatabase,
  start,
  target,
}) => {
  const file = path.join(folder, "backup");
  const source = await start({ DATA_DIR: dataDir, SERVER_SECRET, DISPATCH_INTERVAL_SECONDS: "0" });
  const { url, stop } = await connectEmbeddedPostgres({ dataDir });
  const { api } = source;
  const { key } = await withDatabase(url, makeOrganization);
  const [held, idle] = await withDatabase(url, async (db) => {
    for (const make of [blockedTask, artifact, sharedArtifact, forwardingWebhook, inboxEvent]) {
      await make({ api, db, key });
    }
    await insertMessages(db, { url: target.url, count: 1 });
    return [await heldTask({ api, db, key }), await task({ api, db, key })] as const;
  });
  const schedule = {
    every_seconds: 3600,
    starts_at: 1,
    catch_up: "once",
    target: { task: { name: "Run" } },
  };
  expectStatus(await api("POST", "/api/schedules", { key, body: schedule }), 201);
  await withDatabase(url, (db) => db.query("UPDATE schedules SET due_at = 0, checked_until = 0"));
  const early = await feed(api, key, { after: "latest" });

  const load = startLoad(api, key);
  await expect.poll(() => load.acknowledged()).toBeGreaterThan(20);
  const before = load.acknowledged();
  const backup = await runCommand("backup", [file], { DATA_DIR: dataDir, SERVER_SECRET });
  expect(backup).toMatchObject({ status: 0, stderr: "" });
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const later = load.acknowledged();
  await expect.poll(() => load.acknowledged()).toBeGreaterThan(later + 5);
  const total = await load.stop();
  const late = await feed(api, key, { after: "latest" });
  expectStatus(await api("DELETE", `${held.path}/lease`, { key, body: held.proof }), 204);
  const lease = (of: Api, { path: at }: Resource, holder: string) =>
    of("POST", `${at}/lease`, { key, body: { holder } });
  const lost = [await lease(api, held, "Lost"), await lease(api, idle, "Lost")];
  await stop();
  await source.stop();

  const DATABASE_URL = await makeEmptyDatabase();
  const restored = await runCommand("restore", [file], { DATABASE_URL, SERVER_SECRET });
  expect(restored).toMatchObject({ status: 0, stderr: "" });
  expect(restored.stdout).toContain("npm run resume");
  expect(restored.stdout).not.toContain("another secret");
  await withDatabase(DATABASE_URL, async (db) => {
    const { rows } = await db.query<{ n: number }>(
      "SELECT substr(name, 6)::int AS n FROM tasks WHERE name LIKE 'Load %' ORDER BY 1",
    );
    expect(rows.map(({ n }) => n)).toEqual(rows.map((_, n) => n));
    expect(rows.length).toBeGreaterThanOrEqual(before);
    expect(rows.length).toBeLessThan(total);
    const { rows: counted } = await db.query<{ fits: boolean }>(
      `SELECT event_count = (SELECT count(*) FROM webhook_events AS event
         WHERE event.endpoint_id = endpoint.endpoint_id AND event.id > endpoint.gone_up_to) AS fits
       FROM endpoint_state AS endpoint`,
    );
    expect(counted.every(({ fits }) => fits)).toBe(true);
  });

  const server = await start({ DATABASE_URL, SERVER_SECRET, DISPATCH_INTERVAL_SECONDS: "1" });
  await expect.poll(() => server.output()).toContain("Dispatch is off since a backup was restored");
  const health = await server.api("GET", "/api/health");
  expect(health.body).toMatchObject({ status: "degraded" });
  expect(health.text).toContain("A backup was restored.");
  expect(await dispatchOff(server)).toBe(1);
  expectStatus(await server.api("GET", "/readyz"), 200);
  const dispatched = await server.api("POST", "/api/messages/dispatch");
  expect(dispatched.body).toMatchObject({ dispatched: 0, remaining: 1 });

  const gone = await server.api("GET", `/api/changes?after=${late.next_cursor}`, { key });
  expectError(gone, 410, "cursor_expired", "after");
  const { body: made } = await server.api("POST", "/api/tasks", { key, body: { name: "New" } });
  const since = () => changesOf(server.api, key, { after: early.next_cursor });
  await expect
    .poll(async () => (await since()).at(-1))
    .toMatchObject({ resource_id: made.id, action: "created" });
  const kept = (await since()).slice(0, -1).map(({ resource_id }) => resource_id);
  expect(kept.length).toBeGreaterThanOrEqual(before);
  await withDatabase(DATABASE_URL, (db) =>
    db.query("UPDATE tasks SET lease_expires_at = 0 WHERE lease_expires_at IS NOT NULL"),
  );
  for (const [index, task] of [held, idle].entries()) {
    const tokens = [lost[index], await lease(server.api, task, "New")].map(tokenOf);
    expect(tokens[1]).toBeGreaterThan(tokens[0] ?? 0);
  }
  expect(target.received).toEqual([]);
  const runs = () =>
    withDatabase(DATABASE_URL, (db) => db.query("SELECT FROM schedule_runs WHERE NOT manual"));
  expect((await runs()).rowCount).toBe(0);

  const resumed = await runCommand("resume", [], { DATABASE_URL, SERVER_SECRET });
  expect(resumed.stdout).toBe("Dispatch is on again. 1 message is due.\n");
  await expect.poll(() => target.received.length).toBe(1);
  await expect.poll(async () => (await runs()).rowCount).toBeGreaterThan(0);
  expect((await server.api("GET", "/api/health")).body).toMatchObject({ status: "ok" });
  expect(await dispatchOff(server)).toBe(0);

  const clients = startClients(server.api, key);
  const replace = [file, "--replace"];
  const beside = await runCommand("restore", replace, { DATABASE_URL, SERVER_SECRET });
  expect(beside).toMatchObject({ status: 0, stderr: "" });
  const { statuses, slowestMs } = await clients.stop();
  expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
  await expectWithin(server.api, 6500, slowestMs);
  expectError(await server.api("GET", `/api/tasks/${made.id}`, { key }), 404, "resource_not_found");
  expectStatus(await server.api("POST", "/api/tasks", { key, body: { name: "After" } }), 201);
  expect(target.received).toHaveLength(1);
});

test("A database that was recovered to an earlier time sends nothing until told, and repeats no position or token", async ({
  readyDataDir: dataDir,
  folder,
  start,
  target,
}) => {
  const { url, stop } = await connectEmbeddedPostgres({ dataDir });
  const { key, path: at } = await withDatabase(url, async (db) => {
    const { id, key } = await makeOrganization(db);
    const [taskId] = await insertTasks(db, id, 1);
    await insertMessages(db, { url: target.url, count: 1 });
    return { key, path: `/api/tasks/${taskId}` };
  });
  await stop();
  const recovered = { ...QUIET, DATA_DIR: path.join(folder, "recovered") };
  await copyDataDir(dataDir, recovered.DATA_DIR);

  const lease = async ({ api }: RunningServer) =>
    tokenOf(await api("POST", `${at}/lease`, { key, body: { holder: "Somebody" } }));
  const positionIn = async ({ api }: RunningServer) => {
    const { next_cursor } = await feed(api, key, { after: "latest" });
    return { next_cursor, xid: positionOf(next_cursor)?.xid ?? 0 };
  };
  const source = await start({ ...QUIET, DATA_DIR: dataDir });
  for (let n = 0; n < 20; n += 1) {
    expectStatus(await source.api("POST", "/api/tasks", { key, body: { name: "Lost" } }), 201);
  }
  const lost = { ...(await positionIn(source)), token: await lease(source) };
  await source.stop();

  const command = () => runCommand("restore", ["--recovered"], recovered);
  expect(await command()).toMatchObject({ status: 0, stderr: "" });
  const server = await start(recovered);
  const gone = await server.api("GET", `/api/changes?after=${lost.next_cursor}`, { key });
  expectError(gone, 410, "cursor_expired", "after");
  expect((await positionIn(server)).xid).toBeGreaterThan(lost.xid);
  expect(await lease(server)).toBeGreaterThan(lost.token);
  const dispatched = await server.api("POST", "/api/messages/dispatch");
  expect(dispatched.body).toMatchObject({ dispatched: 0, remaining: 1 });
  expect(target.received).toEqual([]);
  expect(await command()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("Stop all servers first."),
  });
});

test("A restore brings back every row of every table, and refuses files and databases that do not fit", async ({
  dataDir,
  folder,
  makeDatabase,
  start,
}) => {
  const file = path.join(folder, "backup");
  const source = { DATABASE_URL: await makeDatabase(), SERVER_SECRET };
  const server = await start({ ...source, DISPATCH_INTERVAL_SECONDS: "0" });
  const { api } = server;
  await withDatabase(source.DATABASE_URL, async (db) => {
    const { key } = await makeOrganization(db);
    for (const make of [blockedTask, sharedArtifact, forwardingWebhook, inboxEvent]) {
      await make({ api, db, key });
    }
    const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "x" } });
    // In a repetitive body a flipped bit could choose another repetition, which damages nothing.
    const raw = randomBytes(300_000);
    expectStatus(await api("POST", `/api/catch/${endpoint.id}?q=%5C%0A%09`, { raw }), 200);
  });
  await server.stop();
  expect(await runCommand("backup", [file], source)).toMatchObject({ status: 0, stderr: "" });

  const bytes = fs.readFileSync(file);
  const whole = gunzipSync(bytes);
  const edited = (from: string, to: string) =>
    gzipSync(Buffer.from(whole.toString("latin1").replace(from, to), "latin1"));
  const middle = Math.floor(bytes.length / 2);
  const files: Record<string, [Buffer, string]> = {
    truncated: [bytes.subarray(0, middle), "is damaged or incomplete"],
    shorter: [gzipSync(whole.subarray(0, -40)), "is damaged or incomplete"],
    flipped: [flip(bytes, middle), "is damaged or incomplete"],
    changed: [edited('"event_count"', '"event_counT"'), "is damaged or incomplete"],
    text: [Buffer.from("SELECT 1;"), "is not a backup of this service"],
    gzip: [gzipSync("SELECT 1;"), "is not a backup of this service"],
    empty: [Buffer.alloc(0), "is damaged or incomplete"],
    newer: [edited('"version":1', '"version":2'), "was made by a newer version"],
    later: [edited("1_rules", "1_ruleZ"), "does not know its migration"],
  };
  const dataOf = () => withDatabase(source.DATABASE_URL, contentOf);
  const expected = await dataOf();
  for (const [name, [content, message]] of Object.entries(files)) {
    const given = path.join(folder, name);
    fs.writeFileSync(given, content);
    await expect(checkBackup(given), name).rejects.toThrow(message);
  }
  const damaged = path.join(folder, "shorter");
  const refused = await runCommand("restore", [damaged, "--replace"], source);
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toContain("is damaged or incomplete");
  const full = await runCommand("restore", [file], source);
  expect(full).toMatchObject({ status: 1, stdout: "" });
  expect(full.stderr).toContain("The database is not empty");
  expect(await dataOf()).toEqual(expected);

  const afresh = await runCommand("restore", [file], { DATA_DIR: dataDir });
  expect(afresh.status).toBe(0);
  expect(afresh.stdout).toContain(` into ${dataDir} (with its own Postgres).\n`);
  expect(afresh.stdout).toContain("a server with another secret");
  const postgres = await connectEmbeddedPostgres({ dataDir });
  const { restores, ...content } = await withDatabase(postgres.url, contentOf);
  await postgres.stop();
  expect(restores).toMatch(/^1 /);
  const { restores: none, ...others } = expected;
  expect(content).toEqual(others);
  expect(none).toBe("0 ");

  // The backup of a restored database knows of that restore.
  const second = path.join(folder, "second");
  expect(await runCommand("backup", [second], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
  const again = { DATABASE_URL: await makeDatabase() };
  const restored = await runCommand("restore", [second], again);
  expect(restored).toMatchObject({ status: 0, stderr: "" });
  const { restores: both, ...same } = await withDatabase(again.DATABASE_URL, contentOf);
  expect(both).toMatch(/^2 /);
  expect(same).toEqual(others);
});

test("A backup that is interrupted leaves no file", async ({ databaseUrl, db, folder }) => {
  const client = await db.connect();
  await client.query("BEGIN; LOCK TABLE tasks");
  const argv = ["scripts/run.mjs", "backup", path.join(folder, "backup")];
  const backup = launchServer(argv, await freePort(), { DATABASE_URL: databaseUrl });
  await expect.poll(() => fs.readdirSync(folder), { timeout: 60_000 }).toHaveLength(1);
  backup.kill("SIGINT");
  expect(await backup.exited, backup.output()).toEqual({ code: 130, signal: null });
  expect(fs.readdirSync(folder)).toEqual([]);
  await client.query("ROLLBACK");
  client.release();
});

function tokenOf(response: ApiResponse | undefined): number {
  if (!response) throw new Error("There was no lease.");
  return jsonOf<{ fencing_token: number }>(response).fencing_token;
}

async function dispatchOff({ api }: RunningServer): Promise<number | undefined> {
  return samplesOf((await api("GET", "/metrics")).text).get("dispatch_off");
}

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

/** Reads and writes until told to stop. */
function startClients(api: Api, key: string) {
  const statuses = new Set<number>();
  let slowestMs = 0;
  let over = false;
  const running = (async () => {
    while (!over) {
      for (const method of ["GET", "POST"]) {
        const started = performance.now();
        const body = method === "POST" ? { name: "Beside" } : undefined;
        statuses.add((await api(method, "/api/tasks", { key, body })).status);
        slowestMs = Math.max(slowestMs, performance.now() - started);
      }
      await pause(20);
    }
  })();
  return {
    async stop() {
      over = true;
      await running;
      return { statuses: [...statuses], slowestMs };
    },
  };
}

/** Creates numbered tasks and captures in turn. */
function startLoad(api: Api, key: string) {
  let acknowledged = 0;
  let over = false;
  const running = (async () => {
    const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "Load" } });
    while (!over) {
      const body = { name: `Load ${acknowledged}` };
      expectStatus(await api("POST", "/api/tasks", { key, body }), 201);
      acknowledged += 1;
      expectStatus(await api("POST", `/api/catch/${endpoint.id}`, { raw: "Load" }), 200);
      await pause(5);
    }
  })();
  return {
    acknowledged: () => acknowledged,
    async stop() {
      over = true;
      await running;
      return acknowledged;
    },
  };
}
