import { expectError, expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test } from "../support/fault-fixtures";
import { makeInbox } from "../support/inboxes";
import { randomText } from "../support/keys";
import { dispatch, insertMessages } from "../support/messages";
import { withOneServer } from "../support/one-server";
import { APPROVE, ask } from "../support/questions";
import { sweep } from "../support/sweep";

/** In every mode public resources have limited storage. */

const MAX = 200_000;
const EVENT = "x".repeat(9_000);

const it = withOneServer({ PUBLIC_EVENTS_MAX_BYTES: String(MAX) });

it("A public endpoint keeps the newest events that fit, and an owned one keeps all", async ({
  server: { api },
  db,
  key,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const { body: owned } = await api("POST", "/api/webhooks", { key, body: { name: "x" } });
  const counts = async () => {
    const { body } = await api("GET", `/api/webhooks/${endpoint.id}`);
    const { rows } = await db.query<{ events: number; bytes: number }>(
      `SELECT count(*)::int AS events,
              sum(octet_length(body) + octet_length(headers))::int AS bytes
       FROM webhook_events WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    return { shown: body.event_count ?? 0, events: 0, bytes: 0, ...rows[0] };
  };
  // Bursts are stored in batches; both paths count bytes.
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(
      Array.from({ length: 20 }, () => api("POST", `/api/catch/${endpoint.id}`, { raw: EVENT })),
    );
    await expect.poll(async () => (await counts()).bytes).toBeLessThanOrEqual(MAX);
  }
  const { shown, events, bytes } = await counts();
  expect(events).toBe(shown);
  expect(bytes + EVENT.length).toBeGreaterThan(MAX - 3 * 1000);
  const { body: last } = await api("POST", `/api/catch/${endpoint.id}`, { raw: "the newest" });
  expectStatus(await api("GET", `/api/webhooks/${endpoint.id}/events/${last.event_id}`), 200);
  await Promise.all(
    Array.from({ length: 40 }, () => api("POST", `/api/catch/${owned.id}`, { raw: EVENT })),
  );
  // By the second trim of the public endpoint, the owned one would have been trimmed too.
  await api("POST", `/api/catch/${endpoint.id}`, { raw: EVENT.repeat(3) });
  await expect.poll(async () => (await counts()).bytes).toBeLessThanOrEqual(MAX);
  expect((await api("GET", `/api/webhooks/${owned.id}`, { key })).body.event_count).toBe(40);
});

it("A full public inbox refuses, drops nothing, and may get room", async ({
  server: { api },
  db,
  key,
}) => {
  const { body: inbox } = await api("POST", "/api/inboxes", { body: { name: "x" } });
  // An event of an inbox counts as many bytes more.
  const raw = EVENT.slice(300);
  const send = (id = inbox.id) => api("POST", `/api/inboxes/${id}/events`, { raw });
  const responses = await Promise.all(Array.from({ length: 40 }, () => send()));
  const refused = responses.filter(({ status }) => status !== 201);
  const taken = responses.length - refused.length;
  expect(taken).toBeGreaterThanOrEqual(20);
  expect(taken * EVENT.length).toBeLessThanOrEqual(MAX);
  for (const response of refused) {
    expectError(response, 429, "inbox_full");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await api("GET", `/api/inboxes/${inbox.id}`)).body.event_count).toBe(taken);
  expectError(await send(), 429, "inbox_full");
  const { body: oldest } = await api("GET", `/api/inboxes/${inbox.id}/events?limit=3`);
  for (const { id } of oldest.data) {
    expectStatus(await api("DELETE", `/api/inboxes/${inbox.id}/events/${id}`), 204);
  }
  // Also for the reply of a question, whose answer is never refused.
  const reply_to = { inbox_id: inbox.id };
  const question = await ask(api, undefined, { ...APPROVE, reply_to });
  expectStatus(await question.answer("approve"), 200);
  await expect
    .poll(async () => {
      await sweep(api, db);
      return (await api("GET", `/api/inboxes/${inbox.id}/events?limit=100`)).text;
    })
    .toContain("questions.answered");
  for (let i = 0; i < 2; i += 1) expectStatus(await send(), 201);
  expectError(await send(), 429, "inbox_full");
  const claim = { key, body: { claim_token: inbox.claim_token } };
  expectStatus(await api("POST", `/api/claim/${inbox.id}`, claim), 200);
  expectStatus(await send(), 201);
});

it("The errors of nacks count against the bytes of a public inbox, as long as they are kept", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api);
  for (let n = 0; n < 20; n += 1) await inbox.ingest();
  const nackAll = async (error: string | null) => {
    const events = await inbox.receive({ limit: 20 });
    const nacks = events.map(({ id, lease_id }) => ({ event_id: id, lease_id, error }));
    expectStatus(await inbox.settle({ nacks }), 200);
  };
  const used = "SELECT FROM inbox_state WHERE inbox_id = $1 AND bytes_used > $2";
  await nackAll("x".repeat(MAX / 20));
  await expect.poll(async () => (await db.query(used, [inbox.id, MAX])).rowCount).toBe(1);
  expectError(await inbox.tryIngest(), 429, "inbox_full");
  await nackAll(null);
  // It is recounted once senders should try again.
  await expect.poll(async () => (await inbox.tryIngest()).status).toBe(201);
});

it("A full public inbox is not recounted for each event that it refuses", async ({
  server: { api },
  db,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest();
  await db.query("UPDATE inbox_events SET size_bytes = $2 WHERE inbox_id = $1", [inbox.id, MAX]);
  let recounts = 0;
  for (let n = 0; n < 20; n += 1) {
    // A recount would find less.
    const values = [inbox.id, 2 * MAX + n];
    await db.query("UPDATE inbox_state SET bytes_used = $2 WHERE inbox_id = $1", values);
    expectError(await inbox.tryIngest(), 429, "inbox_full");
    const unchanged = "SELECT FROM inbox_state WHERE inbox_id = $1 AND bytes_used = $2";
    recounts += (await db.query(unchanged, values)).rowCount === 1 ? 0 : 1;
  }
  expect(recounts).toBeGreaterThan(0);
  expect(recounts).toBeLessThan(10);
});

test("A repeat gets its recorded response once the network's storage is used up, and a new request 429", async ({
  start,
}) => {
  const { api } = await start({
    ...PUBLIC,
    RATE_LIMIT_ANONYMOUS_CREATES: "100000",
    PUBLIC_BYTES_PER_NETWORK: "300000",
  });
  const send = (path: string, body: object, key = randomText(20)) =>
    api("POST", path, { body, headers: { "idempotency-key": key } });
  const artifact = { name: "x", content: "x".repeat(50_000) };
  const { body: task } = await send("/api/tasks", { name: "x" });
  const requests: [path: string, body: object, status: number][] = [
    ["/api/artifacts", artifact, 201],
    [`/api/tasks/${task.id}/notes`, { body: "x" }, 200],
  ];
  const key = randomText(20);
  const recorded: string[] = [];
  for (const [path, body, status] of requests) {
    const first = await send(path, body, key);
    expectStatus(first, status);
    recorded.push(first.text);
  }
  const create = async () => (await send("/api/artifacts", artifact)).status;
  await expect.poll(create, { intervals: [20] }).toBe(429);
  for (const [index, [path, body, status]] of requests.entries()) {
    expectError(await send(path, body), 429, "rate_limited");
    const repeat = await send(path, body, key);
    expectStatus(repeat, status);
    expect(repeat.text).toBe(recorded[index]);
    expect(repeat.headers.get("idempotency-replayed")).toBe("true");
  }
});

test("What targets answer uses up what a network and all of them may store, and then is kept no more", async ({
  start,
  startDns,
  startTarget,
  db,
}) => {
  const body = "\u{1f600}".repeat(1000);
  const target = await startTarget((response) => {
    response.writeHead(503, { "x-long": "x".repeat(10_000) }).end(body);
  });
  const dns = await startDns({ "svc.example": { A: ["127.0.0.1"] } });
  // The responses of other targets in a private network are not recorded.
  const url = `http://svc.example:${target.port}`;
  const { api } = await start({
    ...PUBLIC,
    ...QUIET,
    BASE_URL: url,
    DNS_SERVERS: dns.address,
    RATE_LIMIT_ANONYMOUS_CREATES: "100000",
    PUBLIC_BYTES_PER_NETWORK: "200000",
    PUBLIC_BYTES_MAX: "600000",
  });
  /** What is kept of the answer to a new message of this network. */
  const answerTo = async (network: string) => {
    const [id] = await insertMessages(db, { url, count: 1, network });
    await dispatch(api);
    const { rows } = await db.query(
      `SELECT response_status AS status, response_headers AS headers, response_body AS body
       FROM message_attempts WHERE message_id = $1`,
      [id],
    );
    return rows[0];
  };
  const nothing = { status: 503, headers: null, body: null };
  // The first measurement comes before the answers, so that none counts twice.
  expectStatus(await api("POST", "/api/tasks", { body: { name: "x" } }), 201);
  const measured = "SELECT FROM stored_bytes WHERE measure_after > 0";
  await expect.poll(async () => (await db.query(measured)).rowCount).toBe(1);
  const one = "198.51.100.1";
  expect(await answerTo(one)).toMatchObject({ status: 503, body });
  await expect.poll(() => answerTo(one), { intervals: [20] }).toEqual(nothing);
  const headers = { "x-forwarded-for": one };
  const create = await api("POST", "/api/tasks", { body: { name: "x" }, headers });
  expectError(create, 429, "rate_limited");

  let networks = 0;
  const answerToAnother = () => answerTo(`2001:db8:${(++networks).toString(16)}::/48`);
  expect(await answerToAnother()).toMatchObject({ body });
  await expect.poll(answerToAnother, { intervals: [20] }).toEqual(nothing);
  // As after the pause between two measurements, and with a byte too much, to see when it is done.
  const bytesAfter = async (statement: string) =>
    (await db.query<{ bytes: string }>(statement)).rows[0]?.bytes;
  const counted = await bytesAfter(
    "UPDATE stored_bytes SET measure_after = 1, bytes = bytes + 1 RETURNING bytes",
  );
  await expect
    .poll(async () => {
      expect(await answerToAnother()).toEqual(nothing);
      return bytesAfter("SELECT bytes FROM stored_bytes");
    })
    .not.toBe(counted);
  expect(await answerToAnother()).toEqual(nothing);
});
