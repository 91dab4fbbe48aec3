import type { ServerResponse } from "node:http";
import { expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test } from "../support/fault-fixtures";
import { lookUpReader } from "../support/look-ups";
import { dispatch, insertMessages } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { rowsOf } from "../support/rows";
import { statementCounter } from "../support/sent-statements";
import { pause } from "../support/servers";
import { arrivals } from "../support/target";
import { startTcpProxy } from "../support/tcp-proxy";

/** Whose turn it is: public messages by network, and new ones after an explicit dispatch. */

const HOSTS = 10_000;

const walks = statementCounter("RECURSIVE queues");
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;

/** For tests that leave no delivery under way. */
const it = withOneServer(async (databaseUrl) => {
  proxy = await startTcpProxy(databaseUrl, walks.read);
  return { ...QUIET, DATABASE_URL: proxy.url, DISPATCH_BUDGET_MS: "600000" };
});

it.beforeEach(({ db }) => db.query("DELETE FROM scheduled_messages"));
it.afterAll(() => proxy.close());

test("A network whose targets are slow takes half of what all networks have, and another's message does not wait", async ({
  db,
  start,
  startTarget,
}) => {
  const { api } = await start({
    ...QUIET,
    DISPATCH_BUDGET_MS: "600000",
    DELIVERIES_MAX: "12",
    DELIVERIES_PER_ORGANIZATION_MAX: "8",
    DELIVERIES_PER_HOST_MAX: "3",
  });
  const open = new Set<ServerResponse>();
  const startSlowTarget = () =>
    startTarget((response) => {
      open.add(response);
      response.once("close", () => open.delete(response));
    });
  const slow = await Promise.all(Array.from({ length: 3 }, startSlowTarget));
  const quick = await startTarget();
  const flood = (network: string) =>
    Promise.all(slow.map(({ url }) => insertMessages(db, { url, count: 20, network })));
  const settled = async (expected: number) => {
    void api("POST", "/api/messages/dispatch").catch(() => {});
    await expect.poll(() => open.size).toBe(expected);
  };
  await flood("198.51.100.1");
  await settled(4);
  await insertMessages(db, { url: quick.url, count: 1, network: "198.51.100.2" });
  await settled(4);
  await expect.poll(() => quick.received.length).toBe(1);

  // Many networks leave room for organizations.
  for (const network of ["198.51.100.3", "198.51.100.4"]) await flood(network);
  await settled(8);
  await db.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'a')");
  await insertMessages(db, { url: quick.url, count: 1, organizationId: "org_a" });
  void api("POST", "/api/messages/dispatch").catch(() => {});
  await expect.poll(() => quick.received.length).toBe(2);
  expect(open.size).toBeLessThanOrEqual(8);
});

test("An organization's older messages leave a slot to another's", async ({
  db,
  start,
  startTarget,
}) => {
  const { api } = await start({
    ...QUIET,
    DELIVERIES_MAX: "4",
    DELIVERIES_PER_ORGANIZATION_MAX: "4",
  });
  const slow = await startTarget(() => {});
  const quick = await startTarget();
  await db.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'a'), ('org_b', 'b')");
  const older = { count: 20, organizationId: "org_a", dueIn: -600 };
  await insertMessages(db, { url: slow.url, ...older });
  await insertMessages(db, { url: quick.url, count: 1, organizationId: "org_b" });
  void api("POST", "/api/messages/dispatch").catch(() => {});
  await expect.poll(() => quick.received.length).toBe(1);
});

test("Long backlogs of some organizations leave turns to another's new message", async ({
  db,
  start,
  startTarget,
}) => {
  const { api } = await start({
    ...QUIET,
    DISPATCH_BUDGET_MS: "600000",
    DELIVERIES_MAX: "4",
    DELIVERIES_PER_ORGANIZATION_MAX: "2",
  });
  const open: ServerResponse[] = [];
  const slow = await startTarget((response) => open.push(response));
  const quick = await startTarget();
  await db.query(
    "INSERT INTO organizations (id, name) VALUES ('org_a', 'a'), ('org_b', 'b'), ('org_c', 'c')",
  );
  // Both are always among the oldest.
  for (let n = 0; n < 150; n += 1) {
    for (const organizationId of ["org_a", "org_b"]) {
      await insertMessages(db, { url: slow.url, count: 1, organizationId, dueIn: n - 600 });
    }
  }
  await insertMessages(db, { url: quick.url, count: 1, organizationId: "org_c" });
  void api("POST", "/api/messages/dispatch").catch(() => {});
  const arrived = () => {
    open.shift()?.end();
    return quick.received.length;
  };
  await expect.poll(arrived, { intervals: [20] }).toBe(1);
  expect(slow.received.length).toBeLessThan(50);
});

test("Agents that nobody has claimed share the deliveries of one organization with public messages", async ({
  databaseUrl,
  db,
  organization,
  start,
  startTcpProxy,
  startHoldingTarget,
}) => {
  const lookUps = lookUpReader(organization.id);
  const proxy = await startTcpProxy(databaseUrl, lookUps.read);
  const { api } = await start({
    ...PUBLIC,
    ...QUIET,
    DATABASE_URL: proxy.url,
    DISPATCH_BUDGET_MS: "600000",
    DELIVERIES_PER_ORGANIZATION_MAX: "4",
    DELIVERY_ALLOW_CIDRS: "127.0.0.0/8",
    // However much of public data may be stored.
    PUBLIC_BYTES_PER_NETWORK: "0",
    PUBLIC_BYTES_MAX: "0",
  });
  // Without a member and a key, as after the removal of an agent that was never claimed.
  const unclaimed = ["org_a", "org_b", "org_c"];
  const slow = await startHoldingTarget();
  await db.query(
    "INSERT INTO organizations (id, name) SELECT id, id FROM unnest($1::text[]) AS id",
    [unclaimed],
  );
  const send = async () => {
    for (const organizationId of unclaimed) {
      await insertMessages(db, { url: slow.url, count: 3, organizationId });
    }
  };
  await send();
  const first = dispatch(api);
  await expect.poll(() => slow.held.length).toBe(9);
  await lookUps.untilSeen(unclaimed);
  slow.release(9);
  await first;
  await send();
  const second = dispatch(api);
  await expect.poll(() => slow.held.length).toBe(4);
  await pause(500);
  expect(slow.held.length).toBe(4);
  slow.open();
  await second;
});

test("A new message gets a turn although as many backlogs as there are slots wait, at its host or at all", async ({
  db,
  start,
  startTarget,
}) => {
  const { api } = await start({
    ...QUIET,
    DISPATCH_BUDGET_MS: "600000",
    DELIVERIES_MAX: "6",
    DELIVERIES_PER_HOST_MAX: "3",
  });
  const open: ServerResponse[] = [];
  const slow = [
    await startTarget((response) => open.push(response)),
    await startTarget((response) => open.push(response)),
  ];
  const quick = await startTarget();
  const owners = Array.from({ length: 7 }, (_, n) => `org_${n}`);
  await db.query(
    "INSERT INTO organizations (id, name) SELECT id, id FROM unnest($1::text[]) AS id",
    [owners],
  );
  const [newcomer, ...busy] = owners;
  for (const [n, organizationId] of busy.entries()) {
    const url = slow[n % 2]?.url ?? "";
    await insertMessages(db, { url, count: 30, organizationId, dueIn: -600 });
  }
  void api("POST", "/api/messages/dispatch").catch(() => {});
  await expect.poll(() => open.length).toBe(6);
  const message = { count: 1, organizationId: newcomer };
  const [first] = await insertMessages(db, { url: quick.url, ...message });
  const attempts = (id: string | undefined) => {
    open.shift()?.end();
    const received = [...slow, quick].flatMap((target) => target.received);
    return arrivals(received).get(id ?? "");
  };
  await expect.poll(() => attempts(first), { intervals: [20] }).toBe(1);
  // Other lanes have messages to this host.
  const [second] = await insertMessages(db, { url: slow[0]?.url ?? "", ...message });
  await expect.poll(() => attempts(second), { intervals: [20] }).toBe(1);
  expect(slow.flatMap(({ received }) => received).length).toBeLessThan(60);
});

// With more than 100, not all of them are ranked.
for (const waiting of [20, 120]) {
  it(`A sender with 10 deliveries at a slow host and ${waiting} messages for it leaves the next slots to another's`, async ({
    db,
    server: { api },
    startHoldingTarget,
  }) => {
    const slow = await startHoldingTarget();
    const backlog = { url: slow.url, count: 10 + waiting, network: "198.51.100.1", dueIn: -600 };
    await insertMessages(db, backlog);
    const dispatched = dispatch(api);
    await expect.poll(() => slow.held.length).toBe(10);
    const ids = await insertMessages(db, { url: slow.url, count: 3, network: "198.51.100.2" });
    const arrived = () => {
      slow.release(1);
      const counts = arrivals(slow.received);
      return ids.filter((id) => counts.has(id)).length;
    };
    await expect.poll(arrived, { intervals: [50] }).toBe(3);
    expect(slow.received.length).toBeLessThan(25);
    slow.open();
    expect(await dispatched).toMatchObject({ delivered: 13 + waiting, remaining: 0 });
    expect(slow.atOnce).toBeLessThanOrEqual(10);
  });
}

test("What an organization or a host has no room for takes the turn of nothing else", async ({
  db,
  start,
  startTarget,
  startHoldingTarget,
}) => {
  const { api } = await start({
    ...QUIET,
    DELIVERIES_PER_ORGANIZATION_MAX: "2",
    DELIVERIES_PER_HOST_MAX: "1",
  });
  const busy = [await startHoldingTarget(), await startHoldingTarget()];
  const quick = await startTarget();
  await db.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'a'), ('org_b', 'b')");
  const toBusy = async (organizationId: string) => {
    for (const { url } of busy) {
      await insertMessages(db, { url, count: 1, organizationId, dueIn: -60 });
    }
  };
  await toBusy("org_a");
  const dispatches = [dispatch(api)];
  await expect.poll(() => busy.map(({ held }) => held.length)).toEqual([1, 1]);
  const older = { url: quick.url, count: 1, organizationId: "org_a", dueIn: -60 };
  await insertMessages(db, older);
  await toBusy("org_b");
  const [id] = await insertMessages(db, { url: quick.url, count: 1, organizationId: "org_b" });
  dispatches.push(dispatch(api));
  await expect.poll(() => [...arrivals(quick.received).keys()]).toEqual([id]);
  for (const target of busy) target.open();
  await Promise.all(dispatches);
  expect(quick.received).toHaveLength(2);
});

it("Messages for later to many hosts neither hide what is due behind them nor slow down a backlog", async ({
  db,
  server: { api },
  startHoldingTarget,
  target,
}) => {
  await db.query(
    `INSERT INTO scheduled_messages (id, network, url, host, method, headers, scheduled_at, due_at)
     SELECT 'msg_later' || n, '198.51.100.2', host, host, 'POST', '{}', 9000000000, 9000000000
     FROM generate_series(1, $1) AS n, LATERAL (SELECT 'https://' || n || '.example' AS host) AS given`,
    [HOSTS],
  );
  await db.query("VACUUM ANALYZE scheduled_messages");
  const scans = async () => {
    const { rows } = await db.query<{ scans: number }>(
      `SELECT idx_scan::int AS scans FROM pg_stat_user_indexes
       WHERE indexrelname = 'scheduled_messages_lanes_idx'`,
    );
    return rows[0]?.scans ?? 0;
  };
  const before = { scans: await scans(), walks: walks.count };
  const slow = await startHoldingTarget();
  const backlog = { url: slow.url, count: 200, network: "198.51.100.1", dueIn: -60 };
  await insertMessages(db, backlog);
  await insertMessages(db, { url: target.url, count: 1, network: "198.51.100.3" });
  const dispatched = api("POST", "/api/messages/dispatch");
  await expect.poll(() => target.received.length).toBe(1);
  slow.open();
  expect((await dispatched).body).toMatchObject({ delivered: 201 });
  const perWalk = ((await scans()) - before.scans) / (walks.count - before.walks);
  expect(perWalk).toBeLessThan(HOSTS / 2);
});

test("A dispatch sends what waits for a delivery that another dispatch has started", async ({
  db,
  start,
  databaseUrl,
  startTcpProxy,
  startHoldingTarget,
}) => {
  const leases = statementCounter("in_queue");
  const proxy = await startTcpProxy(databaseUrl, leases.read);
  const { api } = await start({ ...QUIET, DATABASE_URL: proxy.url, DELIVERIES_PER_HOST_MAX: "1" });
  const slow = await startHoldingTarget();
  const dispatches: ReturnType<typeof dispatch>[] = [];
  // The first looks for more after it has started its delivery.
  for (const leased of [2, 3]) {
    await insertMessages(db, { url: slow.url, count: 1 });
    dispatches.push(dispatch(api));
    await expect.poll(() => leases.count).toBe(leased);
  }
  slow.open();
  const results = await Promise.all(dispatches);
  expect(results.map(({ remaining }) => remaining)).toEqual([0, 0]);
  expect(slow.received).toHaveLength(2);
});

it("Messages of a forward take the turn of the network that set it, those of a run or a replay that of who asked", async ({
  db,
  server: { api },
}) => {
  const url = "https://example.invalid/";
  const from = (address: string) => {
    const headers = { "x-forwarded-for": address };
    return async (method: string, path: string, body: object) => {
      const response = await api(method, path, { headers, body });
      expect(response.status, path).toBeLessThan(300);
      return response.body;
    };
  };
  const creator = from("198.51.100.1");
  const stranger = from("2001:db8:1:2::3");
  const { id: scheduleId } = await creator("POST", "/api/schedules", {
    every_seconds: 60,
    target: { message: { url } },
  });
  const { id: endpointId } = await creator("POST", "/api/webhooks", { name: "Forwarding" });
  await creator("PUT", `/api/webhooks/${endpointId}/forward`, { url });
  await creator("POST", `/api/schedules/${scheduleId}/run`, {});
  await stranger("POST", `/api/schedules/${scheduleId}/run`, {});
  const captured = await stranger("POST", `/api/catch/${endpointId}`, { a: 1 });
  const { event_id } = captured as unknown as { event_id: string };
  await stranger("POST", `/api/webhooks/${endpointId}/events/${event_id}/replay`, { url });
  await stranger("POST", "/api/messages", { url, delay_seconds: 0 });
  const networks = async () => {
    const messages = await rowsOf(db).scheduledMessage.findMany({ orderBy: { network: "asc" } });
    return messages.map(({ network }) => network);
  };
  const others = Array(3).fill("2001:db8:1::/48");
  await expect.poll(networks).toEqual(["198.51.100.1", "198.51.100.1", ...others]);
});

test("The server's own dispatch leaves a message that was just written, whatever its time, to an explicit one", async ({
  start,
  startTarget,
}) => {
  const { api } = await start({ DISPATCH_INTERVAL_SECONDS: "3" });
  const arrived = new Map<string, number>();
  const target = await startTarget((response, { path, at }) => {
    arrived.set(path, at);
    response.end();
  });
  const created = new Map<string, number>();
  // Spread over more than the interval, so that a round follows closely on one of them.
  for (let n = 0; n < 8; n += 1) {
    const path = `/${n}`;
    created.set(path, performance.now());
    const body = { url: target.url + path, scheduled_at: 1_700_000_000 };
    expectStatus(await api("POST", "/api/messages", { body }), 201);
    await pause(450);
  }
  await expect.poll(() => arrived.size).toBe(8);
  for (const [path, at] of arrived) {
    // The database counts whole seconds.
    expect(at - (created.get(path) ?? 0), path).toBeGreaterThan(2000);
  }
});
