import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { selfSigned } from "../support/certificate";
import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { randomText } from "../support/keys";
import { whileLocked } from "../support/locks";
import { countByStatus, dispatch, insertMessages } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { onStatement } from "../support/sent-statements";
import { pause } from "../support/servers";
import { arrivals } from "../support/target";

/** Dispatch with many dispatchers, slow targets, greedy organizations, lost leases and wrong clocks. */

const SETTINGS = { ...QUIET, DATABASE_POOL_SIZE: "4" };

/** For tests that leave nothing to send. */
const it = withOneServer({ ...SETTINGS, DISPATCH_BUDGET_MS: "600000" });

it("8 parallel dispatches in two processes send each of 500 messages once", async ({
  db,
  server,
  start,
  startTarget,
}) => {
  const servers = [server, await start(SETTINGS)];
  const target = await startTarget((response) => void setTimeout(() => response.end("ok"), 5));
  const others = await startTarget((response) => void setTimeout(() => response.end("ok"), 5));
  const ids = [
    ...(await insertMessages(db, { url: target.url, count: 250 })),
    ...(await insertMessages(db, { url: others.url, count: 250 })),
  ];
  const results = await Promise.all(
    servers.flatMap(({ api }) => [dispatch(api), dispatch(api), dispatch(api), dispatch(api)]),
  );
  const told = results.reduce((sum, { delivered }) => sum + delivered, 0);
  const counts = arrivals([...target.received, ...others.received]);
  const duplicates = [...counts.values()].filter((count) => count > 1).length;
  console.log(
    `500 messages: ${target.received.length + others.received.length} sent, ${counts.size} distinct, ${ids.filter((id) => !counts.has(id)).length} lost, ${duplicates} duplicates; at once at one host: ${target.atOnce}`,
  );
  expect(new Set(counts.keys())).toEqual(new Set(ids));
  expect(duplicates).toBe(0);
  expect(told).toBe(500);
  expect(await countByStatus(db, ids)).toEqual({ delivered: 500 });
  // 10 per process.
  expect(target.atOnce).toBeLessThanOrEqual(20);
});

it("A dispatch sends what is left when all its deliveries ended during a slow lease", async ({
  db,
  server: { api },
  target,
}) => {
  // The lease looks for messages 300 ms after the server has told it how much room there is.
  await db.query(`
    CREATE FUNCTION slow_lease() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_query() LIKE '%SKIP LOCKED%' THEN PERFORM pg_sleep(0.3); END IF;
        RETURN NULL;
      END $$;
    CREATE TRIGGER slow_lease BEFORE UPDATE ON scheduled_messages
      FOR EACH STATEMENT EXECUTE FUNCTION slow_lease();`);
  // More than may run at once at one host.
  await insertMessages(db, { url: target.url, count: 12 });
  expect(await dispatch(api)).toMatchObject({ delivered: 12, remaining: 0 });
  await db.query("DROP TRIGGER slow_lease ON scheduled_messages");
});

test("Messages leased among the oldest are sent when the search for the others fails", async ({
  db,
  start,
  databaseUrl,
  startTcpProxy,
  target,
}) => {
  let lost = 0;
  const cut = onStatement((text, _, client) => {
    if (lost > 0 || !text.includes("RECURSIVE queues")) return;
    lost += 1;
    client.destroy();
  });
  const proxy = await startTcpProxy(databaseUrl, cut);
  const { api } = await start({ ...SETTINGS, DATABASE_URL: proxy.url });
  // More than a lease looks at, and than may run at once at one host.
  await insertMessages(db, { url: target.url, count: 120 });
  expect(await dispatch(api)).toMatchObject({ delivered: 120, remaining: 0 });
  expect(lost).toBe(1);
});

test("Without a dispatch, health is degraded and due messages are marked overdue", async ({
  db,
  start,
  target,
}) => {
  const server = await start({ ...SETTINGS, DISPATCH_BUDGET_MS: "0" });
  const health = async () => {
    const response = await server.api("GET", "/api/health");
    expectStatus(response, 200);
    return JSON.parse(response.text);
  };
  expect(await health()).toMatchObject({ status: "ok", oldest_due_seconds: null });
  const scheduleAt = async (scheduled_at: number) => {
    const body = { url: target.url, scheduled_at };
    const response = await server.api("POST", "/api/messages", { body });
    expectStatus(response, 201);
    return response.body;
  };
  const schedule = (ago: number) => scheduleAt(Math.floor(Date.now() / 1000) - ago);
  const isOverdue = async ({ id }: { id: string }) =>
    JSON.parse((await server.api("GET", `/api/messages/${id}`)).text).overdue;

  const recent = await schedule(30);
  expect(await health()).toMatchObject({ status: "ok", last_dispatch_at: null });
  const late = await schedule(120);
  // It is due for as long as it was, but nobody could send it before it was written.
  expect(await health()).toMatchObject({ status: "ok" });
  const written = "UPDATE scheduled_messages SET updated_at = updated_at - 120 WHERE id = $1";
  await db.query(written, [late.id]);
  expect(await health()).toMatchObject({
    status: "degraded",
    reason: expect.stringMatching(/^Scheduled messages are not being sent.* has not run yet\.$/),
    oldest_due_seconds: expect.any(Number),
  });
  expect((await health()).oldest_due_seconds).toBeGreaterThanOrEqual(120);
  expect([await isOverdue(recent), await isOverdue(late)]).toEqual([false, true]);

  // Becoming overdue changes the ETag for readers, but does not fail If-Match.
  const path = `/api/messages/${recent.id}`;
  const etag = (await server.api("GET", path)).headers.get("etag") ?? "";
  await db.query("UPDATE scheduled_messages SET due_at = due_at - 60 WHERE id = $1", [recent.id]);
  expect(await isOverdue(recent)).toBe(true);
  const read = await server.api("GET", path, { headers: { "if-none-match": etag } });
  expectStatus(read, 200);
  const edit = { headers: { "if-match": etag }, body: { body: "edited" } };
  expectStatus(await server.api("PATCH", path, edit), 200);
  expectError(await server.api("PATCH", path, edit), 412, "precondition_failed");

  // It is due first, but the other one has waited for longer.
  await scheduleAt(-Number.MAX_SAFE_INTEGER);
  const waited: number = (await health()).oldest_due_seconds;
  expect(waited).toBeGreaterThanOrEqual(120);
  expect(waited).toBeLessThan(1000);

  await insertMessages(db, { url: target.url, count: 20 });
  expect(await dispatch(server.api)).toMatchObject({ dispatched: 10, remaining: 13 });
  expect(await health()).toMatchObject({ status: "ok" });
  expect(await isOverdue(late)).toBe(false);
  expect(await dispatch(server.api)).toMatchObject({ dispatched: 10, remaining: 3 });
  expect(await dispatch(server.api)).toMatchObject({ dispatched: 3, remaining: 0 });
  const after = await health();
  expect(after).toMatchObject({ status: "ok", oldest_due_seconds: null });
  expect(after).not.toHaveProperty("reason");

  await db.query("UPDATE dispatch_state SET last_dispatch_at = unix_now() - 1200");
  await db.query(written, [(await schedule(61)).id]);
  const { status, reason } = await health();
  expect(status).toBe("degraded");
  const ago = Number(/the last dispatch ran (\d+) seconds ago/.exec(reason)?.[1]);
  expect(ago).toBeGreaterThanOrEqual(1200);
  expect(ago).toBeLessThan(2000);
});

it("At most 10 parallel deliveries per host, 25 per organization and 50 in total", async ({
  db,
  server,
  startTarget,
}) => {
  const open = { org_a: [0, 0, 0], org_b: [0, 0, 0], org_c: [0, 0, 0] };
  const most = { host: 0, organization: 0, all: 0 };
  const sum = (counts: number[]) => counts.reduce((left, right) => left + right, 0);
  const inAll = () => sum(Object.values(open).flat());
  const count = (counts: number[], host: number, change: number) => {
    counts[host] = (counts[host] ?? 0) + change;
    most.host = Math.max(most.host, ...counts);
    most.organization = Math.max(most.organization, sum(counts));
    most.all = Math.max(most.all, inAll());
  };
  const held: ServerResponse[] = [];
  let isHolding = true;
  const ids: string[] = [];
  const dispatches: Array<Promise<unknown>> = [];
  await db.query("INSERT INTO organizations SELECT id, id FROM unnest($1::text[]) AS id", [
    Object.keys(open),
  ]);
  const fill = async (organizationId: keyof typeof open, host: number) => {
    const counts = open[organizationId];
    const target = await startTarget((response) => {
      count(counts, host, 1);
      response.once("close", () => count(counts, host, -1));
      if (isHolding) held.push(response);
      else response.end("ok");
    });
    ids.push(...(await insertMessages(db, { url: target.url, count: 40, organizationId })));
  };
  const fills = async (expected: number) => {
    dispatches.push(dispatch(server.api), dispatch(server.api));
    await expect.poll(inAll, { intervals: [20] }).toBe(expected);
  };

  await fill("org_a", 0);
  await fills(10);
  await fill("org_a", 1);
  await fill("org_a", 2);
  await fills(25);
  for (const host of [0, 1, 2]) {
    await fill("org_b", host);
    await fill("org_c", host);
  }
  await fills(50);
  // Each completed delivery makes room for another.
  for (const response of held.splice(0, 20)) response.end("ok");
  await expect.poll(inAll, { intervals: [20] }).toBe(50);
  isHolding = false;
  for (const response of held) response.end("ok");
  await Promise.all(dispatches);
  expect(most).toEqual({ host: 10, organization: 25, all: 50 });
  expect(await countByStatus(db, ids)).toEqual({ delivered: 360 });
});

it("While results wait to be written, at most 10 parallel deliveries per host and 50 unwritten results", async ({
  db,
  server,
  target,
}) => {
  await db.query(`
    CREATE FUNCTION hold_result() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$;
    CREATE TRIGGER hold_result BEFORE UPDATE ON scheduled_messages FOR EACH ROW
      WHEN (OLD.status = 'delivering') EXECUTE FUNCTION hold_result()`);
  const ids = await insertMessages(db, { url: target.url, count: 80 });
  const holder = await db.connect();
  await holder.query("SELECT pg_advisory_lock(1)");
  const dispatched = dispatch(server.api);
  try {
    await expect.poll(() => target.received.length).toBe(50);
  } finally {
    await holder.query("SELECT pg_advisory_unlock(1)");
    holder.release();
  }
  await dispatched;
  expect(target.received).toHaveLength(ids.length);
  expect(target.atOnce).toBeLessThanOrEqual(10);
  expect(await countByStatus(db, ids)).toEqual({ delivered: ids.length });
  await db.query("DROP TRIGGER hold_result ON scheduled_messages");
});

test("2000 messages to a target that hangs do not hold up 40 to a healthy one", async ({
  db,
  start,
  startTarget,
}) => {
  await start({ DISPATCH_INTERVAL_SECONDS: "1" });
  const hanging = await startTarget(() => {});
  const healthy = await startTarget();
  await insertMessages(db, { url: hanging.url, count: 2000, dueIn: -60 });
  await expect.poll(() => hanging.received.length).toBeGreaterThan(0);
  // The server's own scheduler sends messages that have been due for a second.
  const ids = await insertMessages(db, { url: healthy.url, count: 40, dueIn: -5 });
  await expect.poll(() => arrivals(healthy.received).size, { intervals: [50] }).toBe(40);
  // Ten at a time, until each has timed out.
  expect(hanging.received.length).toBeLessThanOrEqual(30);
  expect(new Set(arrivals(healthy.received).keys())).toEqual(new Set(ids));
  expect(hanging.atOnce).toBeLessThanOrEqual(10);
});

test("An organization's 20 000 messages do not delay another's", async ({
  db,
  start,
  startTarget,
}) => {
  const server = await start(SETTINGS);
  const greedy = await startTarget((response) => void setTimeout(() => response.end("ok"), 50));
  const modest = await startTarget();
  await db.query("INSERT INTO organizations (id, name) VALUES ('org_a', 'a'), ('org_b', 'b')");
  const many = { count: 20_000, organizationId: "org_a", dueIn: -600 };
  await insertMessages(db, { url: greedy.url, ...many });
  const [id] = await insertMessages(db, { url: modest.url, count: 1, organizationId: "org_b" });
  const began = performance.now();
  void dispatch(server.api).catch(() => {});
  await expect.poll(() => arrivals(modest.received).get(id ?? ""), { intervals: [20] }).toBe(1);
  console.log(
    `behind 20 000: after ${(performance.now() - began).toFixed(0)} ms, ${greedy.received.length} of the others sent`,
  );
  expect(greedy.received.length).toBeLessThan(200);
  server.kill("SIGKILL");
});

it("A result after the lease was lost changes nothing", async ({
  db,
  server: second,
  start,
  startTarget,
}) => {
  // It leases once. Another lease of its own could take the message that is due again.
  const first = await start({ ...SETTINGS, DISPATCH_BUDGET_MS: "0" });
  const held: Array<(status: number) => void> = [];
  const target = await startTarget((response) => {
    held.push((status) => response.writeHead(status).end());
  });
  const [id] = await insertMessages(db, { url: target.url, count: 1 });
  const late = dispatch(first.api);
  await expect.poll(() => held.length).toBe(1);
  await db.query("UPDATE scheduled_messages SET due_at = unix_now() - 1 WHERE id = $1", [id]);
  const holder = dispatch(second.api);
  await expect.poll(() => held.length).toBe(2);
  const before = await second.api("GET", `/api/messages/${id}`);
  expect(before.body).toMatchObject({ status: "delivering", attempts: 2 });
  held[0]?.(404);
  expect(await late).toMatchObject({ dispatched: 0 });
  expect((await second.api("GET", `/api/messages/${id}`)).body).toEqual(before.body);
  held[1]?.(200);
  expect(await holder).toMatchObject({ dispatched: 1, delivered: 1 });
  const after = await second.api("GET", `/api/messages/${id}`);
  expect(after.body).toMatchObject({ status: "delivered", attempts: 2, response_status: 200 });
  const attempts = await second.api("GET", `/api/messages/${id}/attempts`);
  expect(attempts.body.data).toEqual([
    expect.objectContaining({ attempt: 2, error: null }),
    expect.objectContaining({ attempt: 1, error: expect.stringMatching(/^interrupted/) }),
  ]);
});

it("A result is written again after the database ended its write", async ({
  db,
  server: { api },
  startHoldingTarget,
}) => {
  const target = await startHoldingTarget();
  const [id = ""] = await insertMessages(db, { url: target.url, count: 1 });
  const dispatched = dispatch(api);
  await expect.poll(() => target.held.length).toBe(1);
  const endWrite = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
  const [result, ended] = await whileLocked(
    db,
    { table: "scheduled_messages", id },
    () => {
      target.open();
      return dispatched;
    },
    () => db.query(endWrite),
  );
  expect(ended.rowCount).toBe(1);
  expect(result).toMatchObject({ dispatched: 1, delivered: 1 });
  const { body } = await api("GET", `/api/messages/${id}`);
  expect(body).toMatchObject({ status: "delivered", attempts: 1, response_status: 200 });
  expect(target.received).toHaveLength(1);
});

it("A message whose last attempt was cut short by a crash fails as interrupted", async ({
  db,
  server,
  target,
}) => {
  const [id] = await insertMessages(db, { url: target.url, count: 1 });
  await db.query(
    "UPDATE scheduled_messages SET status = 'delivering', attempts = 5, lease_token = 'lse_dead' WHERE id = $1",
    [id],
  );
  await dispatch(server.api);
  const read = await server.api("GET", `/api/messages/${id}`);
  expect(read.body).toMatchObject({ status: "failed", attempts: 5, next_attempt_at: null });
  expect(read.body).toHaveProperty("last_error", expect.stringMatching(/^interrupted/));
  expect(target.received).toHaveLength(0);
});

it("An attempt that fails in the server is recorded, and tried again", async ({
  db,
  server,
  target,
}) => {
  const [id] = await insertMessages(db, { url: target.url, count: 1 });
  await db.query("UPDATE scheduled_messages SET url = 'no URL' WHERE id = $1", [id]);
  const { results } = await dispatch(server.api);
  const error = expect.stringMatching(/^interrupted/);
  const next_attempt_at = expect.any(Number);
  expect(results).toEqual([
    expect.objectContaining({ id, status: "failed", error, next_attempt_at }),
  ]);
  await db.query("DELETE FROM scheduled_messages WHERE id = $1", [id]);
});

it("Messages whose host fits into no index hold up no other's, and end too", async ({
  db,
  server,
  organization,
  target,
}) => {
  const organizationId = organization.id;
  const own = await insertMessages(db, { url: target.url, count: 2, organizationId });
  const others = await insertMessages(db, { url: target.url, count: 1 });
  // Stored before such hosts were refused. With its source, it is longer than the key of an index.
  await db.query(
    `UPDATE scheduled_messages SET host = $2, schedule_id = $3, schedule_time = 0
     WHERE organization_id = $1`,
    [organizationId, `https://${randomText(2560)}`, randomText(200)],
  );
  await db.query(
    "UPDATE scheduled_messages SET status = 'delivering', attempts = 5, lease_token = 'lse_dead' WHERE id = $1",
    [own[0]],
  );
  expect(await dispatch(server.api)).toMatchObject({ delivered: 2, remaining: 0 });
  expect(await countByStatus(db, own)).toEqual({ delivered: 1, failed: 1 });
  expect(await countByStatus(db, others)).toEqual({ delivered: 1 });
  const { rows } = await db.query(
    "SELECT host, delivered, failed FROM delivery_flows WHERE organization_id = $1",
    [organizationId],
  );
  expect(rows).toEqual([{ host: "https://host.invalid", delivered: 1, failed: 1 }]);
});

test("A process with a wrong clock and zone sends nothing early, and takes retries and the ends of schedules from the database's clock", async ({
  db,
  start,
  startTarget,
}) => {
  const argv = ["--import", "./tests/support/moved-clock.mjs"];
  const ahead = { ...SETTINGS, CLOCK_MS: String(2 * 3600 * 1000), TZ: "America/New_York" };
  const server = await start(ahead, undefined, argv);
  const target = await startTarget((response) => {
    const parts = new Date(Date.now() + 300_000).toUTCString().split(/,? /);
    const [weekday, day, month, year, time] = parts;
    // As C's asctime, which names no zone.
    const date = [weekday, month, day, time, year].join(" ");
    response.writeHead(503, { "Retry-After": date }).end();
  });
  const body = { url: target.url, delay_seconds: 3600 };
  const later = await server.api("POST", "/api/messages", { body });
  const [now] = await insertMessages(db, { url: target.url, count: 1 });
  const result = await dispatch(server.api);
  expect(result).toMatchObject({ dispatched: 1, failed: 1 });
  expect(target.received.map(({ headers }) => headers["webhook-id"])).toEqual([now]);
  const expectNow = (time: unknown) =>
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(30);
  expectNow(target.received[0]?.headers["webhook-timestamp"]);
  expectNow((result.results[0]?.next_attempt_at ?? 0) - 300);
  expect(later.body).toHaveProperty("scheduled_at", later.body.created_at + 3600);
  expectNow(later.body.created_at);
  const ends_at = Math.floor(Date.now() / 1000) + 3600;
  const schedule = { every_seconds: 600, ends_at, target: { task: { name: "Tidy" } } };
  expectStatus(await server.api("POST", "/api/schedules", { body: schedule }), 201);
});

test("Deliveries under way are recorded even if the dispatch's next lease fails", async ({
  db,
  start,
  startHoldingTarget,
}) => {
  const { api } = await start(SETTINGS);
  const target = await startHoldingTarget();
  const started = await insertMessages(db, { url: target.url, count: 2 });
  let isOver = false;
  const dispatching = api("POST", "/api/messages/dispatch").finally(() => {
    isOver = true;
  });
  await expect.poll(() => target.held.length).toBe(2);
  await db.query(`
    CREATE FUNCTION refuse_lease() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no lease' USING ERRCODE = '57014'; END $$;
    CREATE TRIGGER refuse_lease BEFORE UPDATE ON scheduled_messages
      FOR EACH ROW WHEN (NEW.status = 'delivering') EXECUTE FUNCTION refuse_lease()`);
  await insertMessages(db, { url: target.url, count: 1 });
  // When one has ended, it leases again.
  target.release(1);
  await expect.poll(() => countByStatus(db, started)).toEqual({ delivered: 1, delivering: 1 });
  await pause(1000);
  expect(isOver).toBe(false);
  target.release(1);
  expectError(await dispatching, 503, "service_unavailable");
  expect(await countByStatus(db, started)).toEqual({ delivered: 2 });
});

test("On SIGTERM running attempts complete and their results are stored", async ({
  db,
  start,
  startHoldingTarget,
}) => {
  const server = await start({ ...SETTINGS, DISPATCH_INTERVAL_SECONDS: "1" });
  const target = await startHoldingTarget();
  const ids = await insertMessages(db, { url: target.url, count: 30, dueIn: -10 });
  await expect.poll(() => target.held.length).toBe(10);
  server.kill("SIGTERM");
  const readiness = () => server.api("GET", "/readyz").then(({ status }) => status, String);
  await expect.poll(readiness).not.toBe(200);
  target.open();
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(await countByStatus(db)).toEqual({ delivered: 10, scheduled: 20 });
  expect(target.received).toHaveLength(10);
  expect(ids).toHaveLength(30);
});

test("With CRON_SECRET set, a dispatch with any other credential is 401 and sends nothing", async ({
  key,
  start,
  target,
}) => {
  const server = await start({ ...SETTINGS, CRON_SECRET: "open sesame" });
  const created = await server.api("POST", "/api/messages", {
    body: { url: target.url, delay_seconds: 0 },
  });
  const wrong = ["Bearer", "Bearer wrong", "open sesame", "Basic open sesame", `Bearer ${key}`];
  for (const method of ["GET", "POST"]) {
    for (const authorization of [undefined, ...wrong]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const response = await server.api(method, "/api/messages/dispatch", { headers });
      expectError(response, 401, "unauthorized");
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer resource_metadata="/);
    }
  }
  expect(target.received).toHaveLength(0);
  const headers = { authorization: "Bearer open sesame" };
  const response = await server.api("POST", "/api/messages/dispatch", { headers });
  expectStatus(response, 200);
  expect(response.body).toMatchObject({ dispatched: 1, delivered: 1, failed: 0 });
  expect(response.body).toHaveProperty("results.0.id", created.body.id);
});

it("A PATCH or cancel that succeeds during a dispatch has stopped the message", async ({
  db,
  server,
  startTarget,
}) => {
  const target = await startTarget((response) => void setTimeout(() => response.end("ok"), 5));
  const outcomes = { kept: 0, sent: 0 };
  for (let round = 0; round < 3; round++) {
    const ids = await insertMessages(db, { url: target.url, count: 45 });
    const dispatching = dispatch(server.api);
    // Spread over the dispatch, which leases ten at a time.
    const actions = ids.map(async (id, index) => {
      await pause(index);
      if (index % 3 === 0) {
        return server.api("PATCH", `/api/messages/${id}`, { body: { delay_seconds: 3600 } });
      }
      if (index % 3 === 1) return server.api("POST", `/api/messages/${id}/cancel`);
      return server.api("DELETE", `/api/messages/${id}`);
    });
    const responses = await Promise.all(actions);
    await dispatching;
    const counts = arrivals(target.received);
    for (const [index, id] of ids.entries()) {
      const status = responses[index]?.status ?? 0;
      // A delete always succeeds, but cannot recall a request that was already sent.
      if (index % 3 === 2) expect(status).toBe(204);
      else if (status === 200) {
        expect(counts.get(id), `${id} was sent although it was stopped`).toBeUndefined();
        outcomes.kept++;
      } else {
        expect(status).toBe(400);
        expect(counts.get(id)).toBe(1);
        outcomes.sent++;
      }
      expect(counts.get(id) ?? 0).toBeLessThanOrEqual(1);
    }
  }
  console.log(`stopped in time: ${outcomes.kept}, sent: ${outcomes.sent}`);
  expect(outcomes.kept).toBeGreaterThan(0);
  expect(outcomes.sent).toBeGreaterThan(0);
});

test("A target is reached over TLS when the machine trusts its certificate for that name", async ({
  folder,
  start,
  startTarget,
}) => {
  const certificate = selfSigned(folder);
  const server = await start({ ...SETTINGS, NODE_EXTRA_CA_CERTS: join(folder, "cert.pem") });
  const names: unknown[] = [];
  const answer = (response: ServerResponse, _: unknown, { socket, headers }: IncomingMessage) => {
    names.push("servername" in socket && socket.servername, headers.host);
    response.end("ok");
  };
  const { port } = await startTarget(answer, 0, certificate);
  const outcome = async (host: string) => {
    const body = { url: `https://${host}:${port}/`, delay_seconds: 0 };
    const created = await server.api("POST", "/api/messages", { body });
    await dispatch(server.api);
    return (await server.api("GET", `/api/messages/${created.body.id}`)).body;
  };
  expect(await outcome("localhost")).toMatchObject({ status: "delivered", response_status: 200 });
  expect(names).toEqual(["localhost", `localhost:${port}`]);
  // The certificate does not cover this name.
  const other = await outcome("other.localhost");
  expect(other).toHaveProperty("last_error", expect.stringMatching(/^tls_error/));
  expect(names).toHaveLength(2);
});
