import { openEventStream } from "../support/event-stream";
import { expectStatus, expectWithin } from "../support/expectations";
import { expect, QUIET, test, withDatabase } from "../support/fault-fixtures";
import { makeInbox, whileLocked } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { elapseLeases, leaseClient } from "../support/leases";
import { lockWaits, whileUncommitted } from "../support/locks";
import { openStream } from "../support/mcp-events";
import { samplesOf } from "../support/metrics";
import { ask } from "../support/questions";
import { head, openRaw } from "../support/raw-sockets";
import { onStatement, statementCounter } from "../support/sent-statements";
import { pause } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

/** Long polls and streams: their cost while nothing happens, their end, and how they are counted. */

test("Idle waiters send no queries, and poll as soon as announcements are lost", async ({
  databaseUrl,
  db,
  start,
  startTcpProxy,
}) => {
  const sent: string[] = [];
  const proxy = await startTcpProxy(
    databaseUrl,
    onStatement((text) => sent.push(text)),
  );
  const server = await start({ ...QUIET, DATABASE_URL: proxy.url });
  const inbox = await makeInbox(server.api);
  await inbox.receive({ wait_seconds: 1 });
  const listeners = `FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE '% listener'`;
  await expect.poll(async () => (await db.query(`SELECT ${listeners}`)).rowCount).toBe(1);
  sent.length = 0;
  const began = performance.now();
  const waiters = Array.from({ length: 50 }, () => inbox.receive({ wait_seconds: 20 }));
  const looks = () => sent.filter((text) => text.includes("awaited_until")).length;
  await expect.poll(looks).toBeGreaterThanOrEqual(50);
  // The first of them look again a few times.
  await expect
    .poll(async () => {
      const before = looks();
      await pause(2000);
      return looks() - before;
    })
    .toBe(0);
  expect(performance.now() - began, "while they still wait").toBeLessThan(15_000);
  // Until the server's listener is known to hear, they would poll after 0, 250, 750 and 1750 ms.
  expect(looks()).toBeLessThan(150);

  // An event that nobody announces is found once the listener has lost its connection.
  await db.query("UPDATE inbox_state SET awaited_until = NULL");
  await inbox.ingest({ body: "{}" });
  await db.query("UPDATE inbox_state SET awaited_until = now() + interval '1 hour'");
  await db.query(`SELECT pg_terminate_backend(pid) ${listeners}`);
  const lost = performance.now();
  expect(await Promise.race(waiters)).toHaveLength(1);
  await expectWithin(server.api, 5000, performance.now() - lost);
  await Promise.all(Array.from({ length: 49 }, () => inbox.ingest({ body: "{}" })));
  for (const events of await Promise.all(waiters)) expect(events.length).toBeLessThan(2);
});

test("A stream of ready tasks does not look again and again because a lease has ended", async ({
  databaseUrl,
  db,
  key,
  start,
  startTcpProxy,
}) => {
  const looks = statementCounter("tasks_awaited_until");
  const proxy = await startTcpProxy(databaseUrl, looks.read);
  const { api, baseUrl } = await start({ ...QUIET, DATABASE_URL: proxy.url });
  const { task, take } = leaseClient(api, key);
  const { id } = await task();
  await take(id);
  await elapseLeases(db, [id], 3600);
  const stream = await openStream(baseUrl, { name: "task.ready" }, { key });
  await expect.poll(() => stream.events()).toHaveLength(1);
  await expect.poll(() => looks.count).toBeGreaterThan(0);
  // The first to wait looks again a few times (`FIRST_POLLS_MS`).
  await pause(2500);
  await expect.poll(looks.more, { timeout: 20_000 }).toBe(0);
  stream.close();
});

test("A stream sends nothing that it reads after its key has ended", async ({ db, key, start }) => {
  const { api, baseUrl } = await start(QUIET);
  const question = await ask(api, key);
  expectStatus(await question.answer("approve"), 200);
  const asked = { name: "question.answered", arguments: { question_id: question.id } };
  const statements = [
    "LOCK TABLE questions IN ACCESS EXCLUSIVE MODE",
    `UPDATE api_keys SET revoked_at = unix_now() WHERE digest = '${sha256(key)}'`,
  ];
  const { frames } = await whileUncommitted(db, statements, "SELECT id AS key", async () => {
    const stream = await openStream(baseUrl, { ...asked, cursor: "end_0" }, { key });
    await stream.ended;
    return stream;
  });
  expect(frames).toMatchObject([
    { method: "notifications/events/active" },
    { method: "notifications/events/terminated", params: { error: { code: -32024 } } },
    { id: 7 },
  ]);
});

test("A stream searches each event once, however often it waits in vain", async ({
  databaseUrl,
  start,
  startTcpProxy,
}) => {
  const searches = statementCounter("bytes_before");
  const proxy = await startTcpProxy(databaseUrl, searches.read);
  const argv = ["--import", "./tests/support/moved-clock.mjs"];
  const environment = { ...QUIET, DATABASE_URL: proxy.url, PASSED_MS: "16000" };
  const { api, baseUrl, kill } = await start(environment, undefined, argv);
  const { id } = await makeEndpoint(api);
  await capture(api, id, { raw: "other" });
  const path = `/api/webhooks/${id}/events/stream?since=wev_0&q=wanted`;
  const stream = await openEventStream(baseUrl, path);
  await expect.poll(() => searches.count).toBe(1);
  for (const count of [2, 3, 4]) {
    // When the event wakes the stream, the time until a heartbeat has passed.
    kill("SIGUSR2");
    await capture(api, id, { raw: "other" });
    await expect.poll(() => searches.count).toBe(count);
  }
  const wanted = await capture(api, id, { raw: "wanted" });
  await expect.poll(() => stream.messages.map((message) => message.id)).toEqual([wanted]);
  expect(searches.count).toBe(5);
  stream.close();
});

test("A reader of a question hears that it has expired although its server's clock is behind", async ({
  db,
  start,
}) => {
  const argv = ["--import", "./tests/support/moved-clock.mjs"];
  const { api } = await start({ ...QUIET, CLOCK_MS: String(-3600 * 1000) }, undefined, argv);
  const { id, path } = await ask(api, undefined);
  await db.query("UPDATE questions SET expires_at = unix_now() + 2 WHERE id = $1", [id]);
  const asked = performance.now();
  expect((await api("GET", `${path}?wait=20`)).body.state).toBe("expired");
  expect(performance.now() - asked).toBeLessThan(15_000);
});

test("A waiting request learns at once that its inbox or endpoint was deleted", async ({
  sharedServers: [{ api }],
}) => {
  const body = { wait_seconds: 20 };
  const query = { since: "wev_0", wait: 20 };
  const waits = {
    inboxes: (id: string) => api("POST", `/api/inboxes/${id}/events/receive`, { body }),
    webhooks: (id: string) => api("GET", `/api/webhooks/${id}/events`, { query }),
  };
  const deleting = Object.entries(waits).map(async ([kind, wait]) => {
    const { id } = (await api("POST", `/api/${kind}`, { body: { name: "Deleted" } })).body;
    const waiting = wait(id);
    await pause(3000); // until it looks no more
    const deleted = performance.now();
    await api("DELETE", `/api/${kind}/${id}`);
    expect((await waiting).status).toBe(404);
    await expectWithin(api, 3000, performance.now() - deleted);
  });
  await Promise.all(deleting);
});

test("A client that leaves before its long poll waits gets no event, and holds no slot", async ({
  sharedDatabase,
  sharedServers: [{ api, baseUrl }],
}) => {
  const inbox = await makeInbox(api);
  const answered = async () =>
    samplesOf((await api("GET", "/metrics")).text).get(
      'http_requests_total{operation="receiveInboxEvents",status="200"}',
    ) ?? 0;
  const before = await answered();
  await withDatabase(sharedDatabase, (db) =>
    whileLocked(db, inbox.id, async (lock) => {
      await lock.query("LOCK TABLE inbox_events IN ACCESS EXCLUSIVE MODE");
      const body = '{"wait_seconds":20}';
      const length = `Content-Length: ${body.length}`;
      const { socket, closed } = openRaw(
        baseUrl,
        head("POST", `${inbox.path}/events/receive`, length) + body,
      );
      await expect.poll(() => lockWaits(db, "lease_events"), { intervals: [20] }).toBe(1);
      socket.destroy();
      await closed;
      // The server reads in the order of what arrives.
      expectStatus(await api("GET", "/livez"), 200);
    }),
  );
  // Well before the 20 seconds are over.
  await expect.poll(answered, { timeout: 10_000 }).toBe(before + 1);
  const { id } = await inbox.ingest({ raw: "x" });
  expect(await inbox.event(id)).toMatchObject({ state: "ready", delivery_count: 0 });
});

test("Long polls and streams are counted as requests, but not in the latencies", async ({
  sharedServers: [{ api, baseUrl }],
}) => {
  const { id } = await makeEndpoint(api);
  const samples = async () => samplesOf((await api("GET", "/metrics")).text);
  const countsOf = async (name: string, labels = "") => {
    const found = await samples();
    return ["listWebhookEvents", "streamWebhookEvents"].map(
      (operation) => found.get(`${name}{operation="${operation}"${labels}}`) ?? 0,
    );
  };
  const timed = () => countsOf("http_request_duration_seconds_count");
  const counted = () => countsOf("http_requests_total", ',status="200"');
  const [before, [polls = 0, streams = 0]] = [await timed(), await counted()];
  const stream = await openEventStream(baseUrl, `/api/webhooks/${id}/events/stream`);
  await api("GET", `/api/webhooks/${id}/events`, { query: { since: "wev_0", wait: 1 } });
  stream.close();
  await expect.poll(counted).toEqual([polls + 1, streams + 1]);
  expect(await timed()).toEqual(before);
});
