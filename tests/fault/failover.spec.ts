import fs from "node:fs";
import type { Pool } from "pg";
import { expectStatus } from "../support/expectations";
import { expect, test, withDatabase } from "../support/fault-fixtures";
import type { Api, ApiResponse, CallOptions } from "../support/http";
import { type Event, inboxClient, jsonOf, makeInbox, type Outcomes } from "../support/inboxes";
import { makeKeyText, randomText } from "../support/keys";
import { samplesOf } from "../support/metrics";
import { hasPatroni, startCluster } from "../support/patroni";
import { makeTemporaryFolder, pause } from "../support/servers";
import { allEvents, makeEndpoint } from "../support/webhooks";

/** Two Postgres servers under Patroni, configured as in `deploy/failover`. */

const MISSING =
  "Patroni is not installed; on Debian: apt-get install patroni etcd-server haproxy postgresql";
if (!hasPatroni()) console.log(`Skipped: ${MISSING}.`);
test.skip(!hasPatroni(), MISSING);

/** Of refused requests. The cluster of the test replaces a primary after its `ttl` of 9. */
const SECONDS_MAX = 30;
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

test("A replica that is two minutes behind is not read, and is read again when it has caught up", async ({
  start,
}) => {
  const { standby } = await cluster.whenComplete();
  const { api } = await start({ ...local(), DATABASE_REPLICA_URL: standby.url });
  await readsFrom(api, "replica");
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

  await withDatabase(primary.url, async (db) => {
    const locking = await db.connect();
    // The standby repeats the lock.
    await locking.query("BEGIN; LOCK TABLE tasks");
    const listing = api("GET", "/api/tasks", { key });
    await withDatabase(standby.url, (db) => expect.poll(() => countLocked(db)).toBe(1));
    proxy.cut();
    await locking.query("ROLLBACK");
    locking.release();
    const response = await listing;
    expectStatus(response, 200);
    expect(response.body.data).not.toEqual([]);
  });
  await createAndList(api, api);
  await readsFrom(api, "primary");
  expect(await lagAt(api)).toBeUndefined();
  proxy.mend();
  await readsFrom(api, "replica");

  proxy.freeze();
  await createAndList(api, api);
  expectStatus(await api("GET", "/api/health"), 200);
  proxy.thaw();
  await readsFrom(api, "replica");
});

const local = () => ({
  DATABASE_URL: cluster.url,
  SERVER_SECRET: randomText(40),
  BOOTSTRAP_API_KEY: key,
});

async function createAndList(writer: Api, reader: Api) {
  const created = await writer("POST", "/api/tasks", { key, body: { name: "x" } });
  expectStatus(created, 201);
  const listed = await reader("GET", "/api/tasks", { key });
  expectStatus(listed, 200);
  expect(listed.body.data.map(({ id }) => id)).toContain(created.body.id);
}

/** Lists until one comes from there. */
async function readsFrom(
  api: Api,
  source: "replica" | "primary",
  list = async () => expectStatus(await api("GET", "/api/tasks", { key }), 200),
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

async function countLocked(db: Pool): Promise<number> {
  const { rows } = await db.query<{ locked: number }>(
    `SELECT count(*)::int AS locked FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND query LIKE '%FROM tasks%'`,
  );
  return rows[0]?.locked ?? 0;
}

test("When the primary dies, and when the network cuts it off, nothing acknowledged is lost and nothing is there twice", async ({
  start,
}) => {
  const { api, output } = await start(environment());
  const load = await startLoad(api);

  for (const fault of ["kill", "isolate"] as const) {
    const { primary, standby } = await cluster.whenComplete();
    await load.goesOn();
    const broken = performance.now();
    await primary[fault]();
    while ((await cluster.primary()) !== standby) await pause(20);
    const promoted = performance.now() - broken;
    await load.goesOn();
    const refused = load.refusals.splice(0);
    const seconds = ((refused.at(-1) ?? 0) - (refused[0] ?? 0)) / 1000;
    console.log(
      `${fault}: the standby was promoted after ${(promoted / 1000).toFixed(1)} s; ` +
        `${refused.length} requests were refused, over ${seconds.toFixed(1)} s`,
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(SECONDS_MAX);
    if (fault === "kill") primary.start();
    else primary.rejoin();
  }

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

/** Captures, ingests, receivers, and requests on tasks, which go on until `end`. */
async function startLoad(api: Api) {
  const problems: string[] = [];
  /** When they were answered. */
  const refusals: number[] = [];
  let over = false;
  let done = 0;

  /** The response, unless it is a 503 with Retry-After. */
  async function send(...given: Parameters<Api>): Promise<ApiResponse | undefined> {
    const response = await api(...given);
    if (response.status < 300) {
      done += 1;
      return response;
    }
    const retryAfter = response.headers.get("retry-after");
    if (response.status !== 503 || retryAfter === null) {
      problems.push(`${given[0]} ${given[1]}: ${response.status} ${response.text}`);
    }
    refusals.push(performance.now());
    await pause(50);
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
      await pause(20);
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
      await pause(20);
    }
  };

  /** The bodies of all events, by their IDs. */
  const received = new Map<string, string>();
  const acknowledged = new Set<string>();
  const receiver = async () => {
    for (let idle = 0; !over || idle < 3; ) {
      const asked = performance.now();
      const body = { limit: 10, lease_seconds: LEASE_SECONDS, wait_seconds: 1 };
      const response = await send("POST", `${inbox.path}/events/receive`, { key, body });
      if (!response) continue;
      const events = jsonOf<{ data: Event[] }>(response).data;
      idle = events.length === 0 ? idle + 1 : 0;
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
      await pause(20);
    }
  };

  const writers = [sender(0), sender(1), producer(0), producer(1), other(), other()];
  const receivers = [receiver(), receiver()];
  return {
    problems,
    refusals,
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
      await Promise.all(writers);
      // What was leased to a response that was lost comes back.
      await expect.poll(() => inboxClient(api, inbox.id, key).eventCount()).toBe(0);
      await Promise.all(receivers);
      console.log(
        `${done} requests succeeded: ${captured.length} captures, ${ingested.length} ingests, ` +
          `${acknowledged.size} acknowledgements, ${tasks.length} tasks`,
      );
      const withKey: Api = (method, path, options) => api(method, path, { key, ...options });
      const events = (await allEvents(withKey, endpointId)).map(({ body }) => String(body));
      expect(events.filter((body, index) => events.indexOf(body) !== index)).toEqual([]);
      expect(captured.filter((body) => !events.includes(body))).toEqual([]);
      const bodies = [...received.values()];
      expect(bodies.filter((body, index) => bodies.indexOf(body) !== index)).toEqual([]);
      expect(bodies.sort()).toEqual(ingested.sort());
    },
  };
}
