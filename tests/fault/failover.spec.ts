import fs from "node:fs";
import type { Pool } from "pg";
import { isList } from "@/lib/api/export";
import { expectStatus } from "../support/expectations";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import { type Api, type ApiResponse, type CallOptions, jsonOf } from "../support/http";
import { type Event, inboxClient, makeInbox, type Outcomes } from "../support/inboxes";
import { makeKeyText, randomText } from "../support/keys";
import { samplesOf } from "../support/metrics";
import { everyOperation } from "../support/operations";
import { hasPatroni, MISSING, startCluster } from "../support/patroni";
import { pathOf, validRequests } from "../support/requests";
import { makeTemporaryFolder, pause } from "../support/servers";
import { allEvents, makeEndpoint } from "../support/webhooks";

/** Two Postgres servers under Patroni, configured as in `deploy/failover`. */

if (!hasPatroni()) console.log(`Skipped: ${MISSING}.`);
test.skip(!hasPatroni(), MISSING);

/** How long requests may be refused once Patroni has a primary that takes writes. */
const RETURN_SECONDS_MAX = 20;
/** Without a refusal for so long, all clients have been answered. */
const QUIET_MS = 3000;
/** Between two requests of one client of the load. */
const PACE_MS = 200;
/** Longer than a failover: a lease from before it must be there afterwards. */
const LEASE_SECONDS = 20;

let folder: string;
let cluster: Awaited<ReturnType<typeof startCluster>>;
test.beforeAll(async () => {
  folder = makeTemporaryFolder();
  cluster = await startCluster(folder);
  await cluster.whenComplete();
});
test.afterAll(async () => {
  await cluster.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const key = makeKeyText();
/** In public mode, which counts requests. */
const environment = () => ({
  DATABASE_URL: cluster.url,
  BASE_URL: "https://agents.example.com",
  HOST: "127.0.0.1",
  SERVER_SECRET: randomText(40),
  AGENT_AUTH_SECRET: randomText(40),
  BOOTSTRAP_API_KEY: key,
  RATE_LIMIT_KEY: "1000000",
  RATE_LIMIT_ARRIVALS: "1000000",
});

test("A list shows at once what was created through another server, and comes from the replica", async ({
  startTwo,
}) => {
  const [one, other] = await startTwo({ ...local(), DATABASE_REPLICA_URL: cluster.replicaUrl });
  await readsFrom(other.api, "replica");
  for (let n = 0; n < 30; n += 1) await createAndList(one.api, other.api);
  expect(await lagAt(other.api)).toBe(0);
});

test("Every list of the API comes from the replica, but for the feed of changes", async ({
  start,
}) => {
  const { api } = await start({ ...local(), DATABASE_REPLICA_URL: cluster.replicaUrl });
  await withDatabase(cluster.url, async (db) => {
    for (const operation of everyOperation.filter(isList)) {
      if (operation.id === "listChanges") continue;
      const request = validRequests[operation.id];
      const resource = await request?.kind?.({ api, db, key });
      const path = request && pathOf(operation, request, resource);
      const list = async () => expectStatus(await api("GET", path ?? "", { key }), 200);
      await test.step(operation.id, () => readsFrom(api, "replica", list));
    }
  });
});

test("A replica that is two minutes behind is not read, and is read again when it has caught up", async ({
  start,
}) => {
  const { standby } = await cluster.whenComplete();
  const { api } = await start({ ...local(), DATABASE_REPLICA_URL: standby.url });
  await readsFrom(api, "replica");
  slowestMs = 0;
  standby.stopManaging();
  await withDatabase(standby.url, async (db) => {
    const reload = "SELECT pg_reload_conf()";
    await db.query("ALTER SYSTEM SET recovery_min_apply_delay = '2min'");
    await db.query(reload);
    // Until the standby has read it, it applies what it gets.
    await expect
      .poll(async () => {
        await createAndList(api, api);
        return lagAt(api);
      })
      .toBeGreaterThan(0);
    await readsFrom(api, "primary", () => createAndList(api, api));
    await db.query("ALTER SYSTEM RESET recovery_min_apply_delay");
    await db.query(reload);
  });
  standby.letManage();
  await readsFrom(api, "replica");
  await createAndList(api, api);
  console.log(`a replica that is behind: lists took ${slowestMs} ms at most`);
});

test("A replica that dies during a list, is silent or is gone makes no list fail", async ({
  start,
  startTcpProxy,
}) => {
  const { primary, standby } = await cluster.whenComplete();
  const proxy = await startTcpProxy(standby.url);
  const { api } = await start({ ...local(), DATABASE_REPLICA_URL: proxy.url });
  await createAndList(api, api);
  await readsFrom(api, "replica");
  slowestMs = 0;

  await withDatabase(primary.url, async (db) => {
    const locking = await db.connect();
    try {
      await locking.query("BEGIN; LOCK TABLE tasks");
      // Sends the lock, which by itself could wait for seconds in the log.
      await db.query("SELECT pg_logical_emit_message(true, 'test', '')");
      const listing = await withDatabase(standby.url, async (db) => {
        await expect.poll(() => countLocks(db)).toBe(1);
        const listing = api("GET", "/api/tasks", { key });
        await expect.poll(() => countLocked(db)).toBe(1);
        return { response: listing };
      });
      proxy.cut();
      await locking.query("ROLLBACK");
      const response = await listing.response;
      expectStatus(response, 200);
      expect(response.body.data).not.toEqual([]);
    } finally {
      locking.release(true);
    }
  });
  await createAndList(api, api);
  await readsFrom(api, "primary");
  expect(await lagAt(api)).toBeUndefined();
  console.log(`a replica that is gone: lists took ${slowestMs} ms at most`);
  proxy.mend();
  await readsFrom(api, "replica");

  slowestMs = 0;
  proxy.freeze();
  await createAndList(api, api);
  expectStatus(await api("GET", "/api/health"), 200);
  console.log(`a replica that is silent: lists took ${slowestMs} ms at most`);
  proxy.thaw();
  await readsFrom(api, "replica");
});

const local = () => ({
  DATABASE_URL: cluster.url,
  SERVER_SECRET: randomText(40),
  BOOTSTRAP_API_KEY: key,
});

/** Of the lists since it was set to 0. */
let slowestMs = 0;

async function createAndList(writer: Api, reader: Api) {
  const created = await writer("POST", "/api/tasks", { key, body: { name: "x" } });
  expectStatus(created, 201);
  const listed = await listTasks(reader);
  expect(listed.body.data.map(({ id }) => id)).toContain(created.body.id);
}

async function listTasks(api: Api) {
  const asked = performance.now();
  const listed = await api("GET", "/api/tasks", { key });
  slowestMs = Math.max(slowestMs, Math.round(performance.now() - asked));
  expectStatus(listed, 200);
  return listed;
}

/** Lists until one comes from there. */
async function readsFrom(
  api: Api,
  source: "replica" | "primary",
  list: () => Promise<unknown> = () => listTasks(api),
) {
  const name = `database_list_reads_total{source="${source}"}`;
  const count = async () => (await samples(api)).get(name) ?? 0;
  const before = await count();
  await expect
    .poll(async () => {
      await list();
      return count();
    })
    .toBeGreaterThan(before);
}

const lagAt = async (api: Api) => (await samples(api)).get("database_replica_lag_seconds");

async function samples(api: Api) {
  return samplesOf((await api("GET", "/metrics")).text);
}

/** The locks on all of `tasks` that the standby has repeated. */
const countLocks = (db: Pool) =>
  count(db, "pg_locks WHERE relation = 'tasks'::regclass AND mode = 'AccessExclusiveLock'");

const countLocked = (db: Pool) =>
  count(db, "pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM tasks%'");

async function count(db: Pool, from: string): Promise<number> {
  const { rows } = await db.query<{ found: number }>(`SELECT count(*)::int AS found FROM ${from}`);
  return rows[0]?.found ?? 0;
}

test("When the primary dies, is cut off or is changed as planned, nothing acknowledged is lost and nothing is there twice", async ({
  start,
}) => {
  const { api, output } = await start(environment());
  const load = await startLoad(api);

  for (const fault of ["kill", "isolate", "switchover"] as const) {
    const { primary, standby } = await cluster.whenComplete();
    await load.goesOn();
    load.begin();
    if (fault === "switchover") await cluster.switchover(primary, standby);
    else await primary[fault]();
    await cluster.promoted(standby);
    await load.returns(fault);
    if (fault === "kill") primary.start();
    if (fault === "isolate") primary.rejoin();
  }

  await load.end();
  expect(load.problems).toEqual([]);
  expect(output()).not.toMatch(/A request failed|Error:/);
});

test("When the network between the two Postgres servers is cut, the primary goes on alone, and without it nobody is promoted", async ({
  start,
}) => {
  const { api, output } = await start(environment());
  const load = await startLoad(api);
  const { primary, standby } = await cluster.whenComplete();
  await load.goesOn();

  load.begin();
  primary.stopReplication();
  await cluster.whenAlone(primary);
  await load.returns("cut");

  // The standby lacks what was acknowledged since then.
  load.begin();
  await primary.kill();
  await cluster.leaderless(standby);
  for (let n = 0; n < 5; n += 1) {
    await pause(1000);
    expect(await cluster.isPrimary(standby)).toBe(false);
  }
  primary.start();
  await cluster.promoted(primary);
  await load.returns("kill without a standby");

  primary.resumeReplication();
  expect((await cluster.whenComplete()).primary).toBe(primary);
  await load.goesOn();
  await load.end();
  expect(load.problems).toEqual([]);
  expect(output()).not.toMatch(/A request failed|Error:/);
});

test("On a standby that is not promoted yet, reads are answered and writes are 503", async ({
  launch,
}) => {
  const { standby } = await cluster.whenComplete();
  const { api, output } = await launch({
    ...environment(),
    DATABASE_URL: standby.url,
    MIGRATE_ON_START: "false",
    BOOTSTRAP_API_KEY: "",
  });
  await expect
    .poll(async () => (await api("GET", "/livez").catch(() => undefined))?.status)
    .toBe(200);
  expectStatus(await api("GET", "/api/tasks/tsk_of_nobody", { key }), 404);
  for (const [path, body] of [
    ["/api/tasks", { name: "x" }],
    ["/api/agent/auth", { type: "anonymous" }],
    ["/oauth/register", { redirect_uris: ["http://localhost:1/"] }],
  ] as const) {
    const response = await api("POST", path, { body });
    expectStatus(response, 503);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  }
  expect(output()).not.toContain("A request failed.");
});

/** Captures, ingests, receivers, and requests on tasks, about 40 a second, which go on until `end`. */
async function startLoad(api: Api) {
  const problems: string[] = [];
  /** When they were answered. */
  const refusals: number[] = [];
  let over = false;
  let empty = false;
  let done = 0;
  let begun = 0;

  /** The response, unless it is one that tells the client to repeat the request. */
  async function send(...given: Parameters<Api>): Promise<ApiResponse | undefined> {
    const response = await api(...given);
    if (response.status < 300) {
      done += 1;
      return response;
    }
    // A key is free a moment after the database is back.
    const isRefused = response.status === 503 || response.text.includes("idempotency_in_progress");
    if (!isRefused || response.headers.get("retry-after") === null) {
      problems.push(`${given[0]} ${given[1]}: ${response.status} ${response.text}`);
    }
    refusals.push(performance.now());
    await pause(PACE_MS);
    return undefined;
  }
  /** Repeats a request until it is not refused, and says how often that was. */
  async function insist(method: string, path: string, options: CallOptions) {
    for (let tries = 1; ; tries += 1) {
      const response = await send(method, path, options);
      if (response) return { response, tries };
    }
  }

  const { id: endpointId } = await makeEndpoint(api, { key, max_events: 10_000 });
  const captured: string[] = [];
  const sender = async (sender: number) => {
    for (let n = 0; !over; n += 1) {
      const raw = `${sender}:${n}`;
      if (await send("POST", `/api/catch/${endpointId}`, { raw })) captured.push(raw);
      await pause(PACE_MS);
    }
  };

  const inbox = await makeInbox(api, { max_events: 10_000 }, key);
  const ingested: string[] = [];
  const producer = async (producer: number) => {
    for (let n = 0; !over; n += 1) {
      const raw = `${producer}:${n}`;
      const headers = { "idempotency-key": randomText(20) };
      await insist("POST", `${inbox.path}/events`, { raw, headers });
      ingested.push(raw);
      await pause(PACE_MS);
    }
  };

  /** The bodies of all events, by their IDs. */
  const received = new Map<string, string>();
  const acknowledged = new Set<string>();
  const receiver = async () => {
    while (!empty) {
      const asked = performance.now();
      const body = { limit: 10, lease_seconds: LEASE_SECONDS, wait_seconds: 1 };
      const response = await send("POST", `${inbox.path}/events/receive`, { key, body });
      if (!response) continue;
      const events = jsonOf<{ data: Event[] }>(response).data;
      for (const event of events) {
        if (acknowledged.has(event.id)) problems.push(`${event.id} was received again`);
        received.set(event.id, String(event.body));
      }
      if (events.length === 0) continue;
      const acks = events.map(({ id, lease_id }) => ({ event_id: id, lease_id }));
      const path = `${inbox.path}/events/ack`;
      const settled = await insist("POST", path, { key, body: { acks } });
      for (const { event_id, outcome } of jsonOf<Outcomes>(settled.response).acks) {
        if (outcome === "acknowledged") acknowledged.add(event_id);
        else if (outcome === "not_found" && settled.tries > 1) acknowledged.add(event_id);
        else if (performance.now() - asked < LEASE_SECONDS * 1000)
          problems.push(`${event_id}: ${outcome}`);
      }
    }
  };

  const tasks: string[] = [];
  const other = async () => {
    while (!over) {
      const headers = { "idempotency-key": randomText(20) };
      const body = { name: "x" };
      const { response } = await insist("POST", "/api/tasks", { key, headers, body });
      tasks.push(response.body.id);
      const path = `/api/tasks/${response.body.id}`;
      await send("PATCH", path, { key, body: { description: "y" } });
      await send("GET", path, { key });
      await send("GET", "/api/tasks", { key });
      await pause(PACE_MS);
    }
  };

  const writers = Promise.all([sender(0), sender(1), producer(0), producer(1), other(), other()]);
  const receivers = Promise.all([receiver(), receiver()]);
  for (const clients of [writers, receivers]) {
    clients.catch((error) => problems.push(String(error)));
  }
  return {
    problems,
    /** Marks the time of a fault. */
    begin() {
      refusals.length = 0;
      begun = performance.now();
    },
    /** Waits until requests succeed again, and prints for how long they were refused. */
    async returns(fault: string) {
      const recovered = performance.now();
      await this.goesOn();
      await expect.poll(() => performance.now() - (refusals.at(-1) ?? 0)).toBeGreaterThan(QUIET_MS);
      const seconds = (to = begun, from = begun) => ((to - from) / 1000).toFixed(1);
      console.log(
        `${fault}: a primary after ${seconds(recovered)} s; ${refusals.length} requests refused, ` +
          `from ${seconds(refusals[0])} to ${seconds(refusals.at(-1))} s`,
      );
      expect((refusals.at(-1) ?? 0) - recovered).toBeLessThan(RETURN_SECONDS_MAX * 1000);
      refusals.length = 0;
    },
    /** Waits until requests of each kind have succeeded. */
    async goesOn() {
      const lists = [captured, ingested, tasks];
      const before = lists.map(({ length }) => length);
      const settled = acknowledged.size;
      await expect
        .poll(() => lists.every(({ length }, n) => length > (before[n] ?? 0) + 5))
        .toBe(true);
      await expect.poll(() => acknowledged.size).toBeGreaterThan(settled + 5);
    },
    /** Ends it, empties the inbox and compares what is there with what was acknowledged. */
    async end() {
      over = true;
      await writers;
      // What was leased to a response that was lost comes back.
      await expect.poll(() => inboxClient(api, inbox.id, key).eventCount()).toBe(0);
      empty = true;
      await receivers;
      console.log(
        `${done} requests succeeded: ${captured.length} captures, ${ingested.length} ingests, ` +
          `${acknowledged.size} acknowledgements, ${tasks.length} tasks`,
      );
      const withKey: Api = (method, path, options) => api(method, path, { ...options, key });
      const events = (await allEvents(withKey, endpointId)).map(({ body }) => String(body));
      expect(events.filter((body, index) => events.indexOf(body) !== index)).toEqual([]);
      expect(captured.filter((body) => !events.includes(body))).toEqual([]);
      const bodies = [...received.values()];
      expect(bodies.filter((body, index) => bodies.indexOf(body) !== index)).toEqual([]);
      expect(bodies.sort()).toEqual(ingested.sort());
    },
  };
}
