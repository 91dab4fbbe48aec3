import type { Pool } from "pg";
import { makeKey, makeOrganization } from "../support/accounts";
import { age, DAY } from "../support/age";
import { bodyOf } from "../support/agents";
import { replayEnded, startReplay } from "../support/bulk-replays";
import { changesOf } from "../support/changes";
import { expectError, expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test } from "../support/fault-fixtures";
import { type ApiResponse, type CallOptions, jsonOf } from "../support/http";
import { type Event, inboxClient } from "../support/inboxes";
import { randomText } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { makePerson } from "../support/people";
import { ask } from "../support/questions";
import { rowsOf } from "../support/rows";
import { makeSchedule, type Run, rewind, runsAfterDispatch } from "../support/schedules";
import type { RunningServer } from "../support/servers";
import { stripeHeaders } from "../support/signatures";
import { sweep } from "../support/sweep";

/** How much strangers, and organizations, may store. */

const UNLIMITED = { ...PUBLIC, RATE_LIMIT_ANONYMOUS_CREATES: "100000" };
const CONTENT = "x".repeat(50_000);
const TEXT = "x".repeat(9000);

/** For what a network may store. Each test has networks of its own. */
const it = withOneServer({ ...UNLIMITED, PUBLIC_BYTES_PER_NETWORK: "300000" });
/** For what is recorded for an organization. */
const recorded = withOneServer({ ...UNLIMITED, ORGANIZATION_BYTES_MAX: "1500000" });
/** For what an organization may store. */
const owned = withOneServer({
  ...UNLIMITED,
  ORGANIZATION_BYTES_MAX: "500000",
  DELIVERY_ALLOW_CIDRS: "127.0.0.0/8",
});

it("A network without bytes left is refused, not others or owners", async ({ server, key }) => {
  const stranger = from(server, "198.51.100.1");
  const neighbour = from(server, "198.51.100.2");
  const made = await makeOfEachOwner(server, key);
  const { body: task } = await neighbour("POST", "/api/tasks", { body: { name: "x" } });
  const { artifacts, refusal } = await storeUntilRefused(stranger);
  expectError(refusal, 429, "rate_limited");
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
  await expectOnlyOwnersStore(stranger, made, key);
  const label = (add: string) =>
    stranger("POST", `/api/tasks/${task.id}/labels`, { body: { add: [add] } });
  expectError(await label("late"), 429, "rate_limited");
  for (const progress of ["in-progress", "done"]) expectStatus(await label(progress), 200);
  const put = { raw: "x" };
  // It may make room, and a key stores as much as before.
  expectStatus(await stranger("DELETE", `/api/artifacts/${artifacts[0]}`), 204);
  expectStatus(await stranger("POST", "/api/tasks", { key, body: { name: "x" } }), 201);
  expectStatus(await neighbour("POST", "/api/tasks", { body: { name: "x" } }), 201);
  expectStatus(await neighbour("POST", `/api/catch/${made.endpoint}`, put), 200);
  expectStatus(await neighbour("POST", `/api/inboxes/${made.inbox}/events`, put), 201);
});

it("Captures, also of unknown endpoints, and events use up what a network may store", async ({
  server,
  key,
}) => {
  const made = await makeOfEachOwner(server, key);
  const paths = [`/api/catch/${made.endpoint}`, `/api/inboxes/${made.inbox}/events`];
  for (const [index, path] of paths.entries()) {
    const sender = from(server, `198.51.100.${10 + index}`);
    await untilRefused(() => sender("POST", path, { raw: CONTENT }));
    const owned = from(server, `198.51.100.${20 + index}`);
    const ownPath = path
      .replace(made.endpoint, made.ownEndpoint)
      .replace(made.inbox, made.ownInbox);
    for (let sent = 0; sent < 10; sent += 1) await owned("POST", ownPath, { raw: CONTENT });
    expectStatus(await owned("POST", "/api/tasks", { body: { name: "x" } }), 201);
  }
  // What is sent to no endpoint costs as much, and is refused like the rest.
  const guesser = from(server, "198.51.100.12");
  await untilRefused(() => guesser("POST", "/api/catch/wh_unknown", { raw: CONTENT }));
  await expectOnlyOwnersStore(guesser, made, key);
  const withoutBody = from(server, "198.51.100.13");
  await untilRefused(() => withoutBody("POST", `/api/catch/${made.endpoint}/${CONTENT}`));
  // Also those that are small.
  const counts = await Promise.all(
    [made.endpoint, "wh_unknown"].map(async (id, index) => {
      const sender = from(server, `198.51.100.${14 + index}`);
      for (let sent = 0; ; sent += 20) {
        const one = () => sender("POST", `/api/catch/${id}`, { raw: "x" });
        const sending = await Promise.all(Array.from({ length: 20 }, one));
        if (sending.some(({ status }) => status !== 200)) return sent;
      }
    }),
  );
  const [known = 0, unknown = 0] = counts;
  expect(Math.abs(known - unknown), counts.join()).toBeLessThan(known / 4);
});

it("Notes, errors, replies, changes, answers, recorded responses and runs use up what a network may store, also with a key", async ({
  server,
  key,
}) => {
  const { inbox, ownInbox } = await makeOfEachOwner(server, key);
  const neighbour = from(server, "198.51.100.3");
  const schedule = { every_seconds: 60, target: { task: { name: "x", description: TEXT } } };
  const attempts: Record<string, (stranger: Send) => Promise<() => Promise<ApiResponse>>> = {
    notes: async (stranger) => {
      const { body: task } = await neighbour("POST", "/api/tasks", { body: { name: "x" } });
      return () => stranger("POST", `/api/tasks/${task.id}/notes`, { body: { body: TEXT } });
    },
    errors: async (stranger) => {
      await fill(neighbour, inbox, 50, "x");
      const { receive, settle } = inboxClient(stranger, inbox);
      return async () => {
        const leases = (await receive({ limit: 10 })).map(leaseOf);
        const response = await settle({ nacks: leases.map((one) => ({ ...one, error: TEXT })) });
        if (response.status !== 200) expectStatus(await settle({ nacks: leases }), 200);
        return response;
      };
    },
    replies: async (stranger) => async () => {
      await fill(neighbour, inbox, 1, "x");
      const { id, lease_id } = await inboxClient(stranger, inbox).receiveOne();
      const path = `/api/inboxes/${inbox}/events/${id}/reply`;
      return stranger("POST", path, { raw: CONTENT, query: { lease_id } });
    },
    changes: async (stranger) => {
      const body = { name: "x", content: "" };
      const { body: artifact } = await neighbour("POST", "/api/artifacts", { body });
      const path = `/api/artifacts/${artifact.id}`;
      return () => stranger("PATCH", path, { body: { content: CONTENT } });
    },
    answers: async (stranger) => async () => {
      const body = { prompt: "Why?", kind: "text" };
      const { path, answer_token } = await ask(neighbour, undefined, body);
      return stranger("POST", `${path}/answer`, { body: { answer: TEXT, answer_token } });
    },
    "recorded responses": async (stranger) => {
      await fill(neighbour, inbox, 1, CONTENT);
      const { id, lease_id } = await inboxClient(stranger, inbox).receiveOne();
      const path = `/api/inboxes/${inbox}/events/${id}`;
      const keyed = () => ({ headers: { "idempotency-key": randomText(20) } });
      return async () => {
        const body = { lease_id, lease_seconds: 60 };
        const response = await stranger("POST", `${path}/extend`, { body, ...keyed() });
        if (response.status !== 200) {
          expectStatus(await stranger("POST", `${path}/extend`, { body }), 200);
          expectStatus(
            await stranger("POST", `${path}/ack`, { body: { lease_id }, ...keyed() }),
            204,
          );
        }
        return response;
      };
    },
    "dry runs of an agent": async (stranger) => {
      const agent = await stranger("POST", "/api/agent/auth", { body: { type: "anonymous" } });
      const message = { url: `https://x.example/${"x".repeat(1900)}`, delay_seconds: 86_400 };
      const make = (headers = {}) => neighbour("POST", "/api/messages", { body: message, headers });
      const { claim_token } = (await make()).body;
      for (let more = 0; more < 9; more += 1) await make({ "claim-with": claim_token });
      const body = { claim_token, dry_run: true };
      return () => {
        const headers = { "idempotency-key": randomText(20) };
        return stranger("POST", "/api/claims", { key: bodyOf(agent).credential, body, headers });
      };
    },
    runs: async (stranger) => {
      const { body: made } = await stranger("POST", "/api/schedules", { body: schedule });
      return async () => {
        const { status, reason } = await runNow(stranger, made.id);
        expect(reason).toBe(status === "failed" ? "storage_full" : null);
        return stranger("POST", "/api/tasks", { body: { name: "x" } });
      };
    },
  };
  // A key may change what is public, too.
  const cases = Object.entries(attempts).flatMap(([what, make]) =>
    ["notes", "errors", "replies", "changes"].includes(what)
      ? [
          { what, make, by: undefined },
          { what: `${what} with a key`, make, by: key },
        ]
      : [{ what, make, by: undefined }],
  );
  for (const [index, { what, make, by }] of cases.entries()) {
    await test.step(what, async () => {
      const address = `198.51.100.${30 + index}`;
      const attempt = await make(from(server, address, by));
      expectError(await untilRefused(attempt), 429, "rate_limited");
      const stranger = from(server, address);
      const create = await stranger("POST", "/api/tasks", { body: { name: "x" } });
      expectError(create, 429, "rate_limited");
      await inboxClient(server.api, inbox).purge();
    });
  }
  const own = inboxClient(server.api, ownInbox, key);
  await own.ingest({ raw: "x" });
  expectStatus(await own.nack(await own.receiveOne(), { error: TEXT }), 200);
});

it("A run by hand uses up what the network of who asks for it may store, not that of who made the schedule", async ({
  server,
}) => {
  const [maker, stranger] = [from(server, "198.51.100.70"), from(server, "198.51.100.71")];
  const body = { every_seconds: 60, target: { task: { name: "x", description: TEXT } } };
  const { id } = (await maker("POST", "/api/schedules", { body })).body;
  const reason = async () => (await runNow(stranger, id)).reason;
  await expect.poll(reason, { intervals: [20] }).toBe("storage_full");
  const create = (send: Send) => send("POST", "/api/tasks", { body: { name: "x" } });
  expectError(await create(stranger), 429, "rate_limited");
  expectStatus(await create(maker), 201);
  expect(await runNow(maker, id)).toMatchObject({ status: "created" });
});

it("The reply to a question uses up what the network of who asked may store", async ({
  server,
}) => {
  const replies = { "198.51.100.74": "url", "198.51.100.75": "inbox_id" };
  for (const [address, to] of Object.entries(replies)) {
    const asker = from(server, address);
    const { id: inbox_id } = (await asker("POST", "/api/inboxes", { body: { name: "x" } })).body;
    const reply_to = to === "url" ? { url: "https://example.invalid/" } : { inbox_id };
    const paths: string[] = [];
    for (let asked = 0; asked < 18; asked += 1) {
      const body = { prompt: "Why?", kind: "text", context: TEXT, reply_to };
      paths.push((await ask(asker, undefined, body)).path);
    }
    const create = async () => (await asker("POST", "/api/tasks", { body: { name: "x" } })).status;
    expect(await create(), to).toBe(201);
    for (const path of paths) expectStatus(await asker("POST", `${path}/withdraw`), 200);
    await expect.poll(create, to).toBe(429);
  }
});

test("The messages of a forward count for the network of who set it, not of who made the endpoint", async ({
  start,
  db,
}) => {
  const allowed = { DELIVERY_ALLOW_CIDRS: "127.0.0.0/8" };
  const server = await start({ ...UNLIMITED, ...QUIET, ...allowed });
  const [maker, stranger] = [from(server, "198.51.100.72"), from(server, "198.51.100.73")];
  const { id } = (await maker("POST", "/api/webhooks", { body: { name: "x" } })).body;
  const networkAfter = async (by: Send) => {
    const body = { url: "http://127.0.0.1:9/" };
    expectStatus(await by("PUT", `/api/webhooks/${id}/forward`, { body }), 200);
    const { event_id: webhook_event_id } = (await maker("POST", `/api/catch/${id}`)).body;
    const find = () => rowsOf(db).scheduledMessage.findFirst({ where: { webhook_event_id } });
    await expect.poll(find).not.toBeNull();
    return (await find())?.network;
  };
  expect(await networkAfter(stranger)).toBe("198.51.100.73");
  expect(await networkAfter(maker)).toBe("198.51.100.72");
});

it("What an unclaimed agent owns counts as public data, until a person joins it", async ({
  server,
  db,
}) => {
  const sender = from(server, "198.51.100.60");
  const { endpoint, key, organizationId } = await makeOfAgent(server);
  const { id, claim_token } = await makeSchedule(server.api, undefined);
  const claim = { key, body: { claim_token } };
  expectStatus(await server.api("POST", `/api/claim/${id}`, claim), 200);
  await db.query("UPDATE schedules SET run_count = 100 WHERE id = $1", [id]);
  const reasonOfRun = async () => {
    await rewind(db, id, 65);
    return (await runsAfterDispatch({ api: server.api, db }, id, key)).at(-1)?.reason;
  };
  const capture = () => sender("POST", `/api/catch/${endpoint}`, { raw: CONTENT });
  // Not for its number of requests.
  expect((await untilRefused(capture)).text).toContain("as much public data as it may");
  expectError(await sender("POST", "/api/tasks", { body: { name: "x" } }), 429, "rate_limited");
  await expect.poll(reasonOfRun).toBe("public_limit");
  await makePerson(db, organizationId);
  expect(await reasonOfRun()).toBeNull();
  await expect.poll(async () => (await capture()).status).toBe(200);
});

it("What an organization owns does not count as public data once the operator makes it a key", async ({
  server,
  db,
}) => {
  const { endpoint, organizationId } = await makeOfAgent(server);
  const sender = from(server, "198.51.100.61");
  const capture = () => sender("POST", `/api/catch/${endpoint}`, { raw: CONTENT });
  await untilRefused(capture);
  await makeKey(db, organizationId);
  await expect.poll(async () => (await capture()).status).toBe(200);
});

test("When public data has used up its bytes, only owners store, until there is room again", async ({
  start,
  db,
  key,
}) => {
  const server = await start({ ...UNLIMITED, PUBLIC_BYTES_MAX: "500000" });
  const made = await makeOfEachOwner(server, key);
  const [schedule, ownSchedule] = [
    await makeSchedule(server.api, undefined),
    await makeSchedule(server.api, key),
  ];
  const { endpoint } = await makeOfAgent(server);
  const { artifacts } = await storeUntilRefused(from(server, "198.51.100.1"));
  const other = from(server, "198.51.100.2");
  await expectOnlyOwnersStore(other, made, key);
  const ofAgent = await untilRefused(() => other("POST", `/api/catch/${endpoint}`, { raw: "x" }));
  expect(ofAgent.text).toContain("The storage for public data is used up.");
  expect(await runNow(other, schedule.id)).toMatchObject({ reason: "storage_full" });
  expect(await runNow(other, ownSchedule.id, key)).toMatchObject({ status: "created" });
  for (const id of artifacts) expectStatus(await other("DELETE", `/api/artifacts/${id}`), 204);
  // As after the pause between two measurements.
  await db.query("UPDATE stored_bytes SET measure_after = 1");
  const create = () => other("POST", "/api/tasks", { body: { name: "x" } });
  await expect.poll(async () => (await create()).status).toBe(201);
});

test("What an unclaimed agent owns takes up the bytes of public data, until a person joins it", async ({
  start,
  db,
}) => {
  const server = await start({ ...UNLIMITED, PUBLIC_BYTES_MAX: "500000" });
  const create = () => server.api("POST", "/api/tasks", { body: { name: "x" } });
  expectStatus(await create(), 201);
  const { endpoint, organizationId } = await makeOfAgent(server);
  const full = await untilRefused(() =>
    server.api("POST", `/api/catch/${endpoint}`, { raw: CONTENT }),
  );
  expect(full.text).toContain("The storage for public data is used up.");
  await measuredAgain(db, create);
  expectError(await create(), 429, "rate_limited");
  await makePerson(db, organizationId);
  await db.query("UPDATE stored_bytes SET measure_after = 1");
  await expect.poll(async () => (await create()).status).toBe(201);
});

test("What an unclaimed agent has not used for 30 days is deleted, and its key works on", async ({
  start,
  db,
}) => {
  const server = await start({ ...UNLIMITED, ...QUIET });
  const make = async (days: number) => {
    const { endpoint, key, organizationId } = await makeOfAgent(server);
    expectStatus(await server.api("POST", `/api/catch/${endpoint}`, { raw: "x" }), 200);
    await db.query("UPDATE endpoint_state SET last_event_micros = 1 WHERE endpoint_id = $1", [
      endpoint,
    ]);
    const id = await age(db, "webhook_endpoints", endpoint, { made: days, written: days });
    return {
      id,
      key,
      organizationId,
      read: () => server.api("GET", `/api/webhooks/${id}`, { key }),
    };
  };
  const [old, young, joined] = [await make(31), await make(29), await make(31)];
  const claimed = await make(31);
  await makePerson(db, joined.organizationId);
  const message = { url: "https://svc.example/", delay_seconds: 90 * DAY };
  const { body: due } = await server.api("POST", "/api/messages", { body: message });
  const claim = { key: old.key, body: { claim_token: due.claim_token } };
  expectStatus(await server.api("POST", `/api/claim/${due.id}`, claim), 200);
  const waiting = await age(db, "scheduled_messages", due.id, { made: 31, written: 31 });

  // As by a person who claims the agent while the sweep is at work.
  const claiming = [
    `SELECT FROM organizations WHERE id = '${claimed.organizationId}' FOR NO KEY UPDATE`,
    `UPDATE agent_registrations SET claimed_at = unix_now()
     WHERE organization_id = '${claimed.organizationId}'`,
  ];
  await whileUncommitted(db, claiming, "FROM organizations", () => sweep(server.api, db));
  expectError(await old.read(), 404, "resource_not_found");
  for (const { read } of [young, joined, claimed]) expectStatus(await read(), 200);
  const { key } = old;
  expectStatus(await server.api("GET", `/api/messages/${waiting}`, { key }), 200);
  await expect
    .poll(async () => (await changesOf(server.api, key)).at(-1))
    .toMatchObject({ action: "deleted", resource_id: old.id });
});

owned(
  "An organization without bytes left is refused, alone, and its bulk replay and pushes wait",
  async ({ server, db, organization: { id: own, key }, target }) => {
    const { api } = server;
    const others = await makeOrganization(db);
    const full = await makeOfEachOwner(server, key);
    const other = await makeOfEachOwner(server, others.key);
    const capture = (id: string) => api("POST", `/api/catch/${id}`, { raw: "x" });
    expectStatus(await capture(full.ownEndpoint), 200);
    const subscription = { url: target.url, kinds: ["artifacts"], actions: ["deleted"] };
    expectStatus(await api("POST", "/api/subscriptions", { key, body: subscription }), 200);
    const { artifacts, refusal } = await storeUntilRefused(api, key);
    expectError(refusal, 429, "rate_limited");
    expectError(await capture(full.ownEndpoint), 429, "rate_limited");
    for (const id of [other.ownEndpoint, other.endpoint, "wh_unknown"]) {
      expectStatus(await capture(id), 200);
    }
    expectStatus(await api("POST", "/api/tasks", { key: others.key, body: { name: "x" } }), 201);
    expectStatus(await api("GET", `/api/webhooks/${full.ownEndpoint}`, { key }), 200);

    const body = { url: target.url };
    const waiting = await startReplay(api, full.ownEndpoint, body, key);
    const ran = await startReplay(api, other.ownEndpoint, body, others.key);
    await replayEnded(api, other.ownEndpoint, ran.id, others.key);
    const path = `/api/webhooks/${full.ownEndpoint}/replays/${waiting.id}`;
    const read = () => api("GET", path, { key });
    expect((await read()).body).toMatchObject({ status: "running", searched: 0 });
    for (const id of artifacts)
      expectStatus(await api("DELETE", `/api/artifacts/${id}`, { key }), 204);
    const visible = "/api/changes?kind=artifacts&action=deleted&limit=100";
    await expect
      .poll(async () => (await api("GET", visible, { key })).body.data.length)
      .toBe(artifacts.length);
    for (let round = 0; round < 2; round += 1) await api("POST", "/api/messages/dispatch");
    expect(await pushedTo(db, own)).toEqual({ messages: 0, bytes: 0 });
    // As after the pause between two measurements.
    await db.query("UPDATE stored_bytes SET measure_after = 1");
    const statusOfReplay = async () => {
      expectStatus(await api("POST", "/api/messages/dispatch"), 200);
      return (await read()).body.status;
    };
    await expect.poll(statusOfReplay).toBe("completed");
    await expect.poll(async () => (await pushedTo(db, own)).messages).toBe(artifacts.length);
  },
);

test("A measurement includes everything that strangers may make long", async ({ start, db }) => {
  const server = await start({ ...UNLIMITED, PUBLIC_BYTES_MAX: "500000" });
  const external_id = () => `${randomText(20)}${"x".repeat(60_000)}`;
  const create = () =>
    server.api("POST", "/api/tasks", { body: { name: "x", external_id: external_id() } });
  await untilRefused(create);
  await measuredAgain(db, create);
  expectError(await create(), 429, "rate_limited");
});

owned(
  "Rows take up bytes, however short their texts are",
  async ({ server, db, organization: { id, key } }) => {
    const send = from(server, "198.51.100.63", key);
    const create = () => send("POST", "/api/tasks", { body: { name: "x" } });
    await untilMeasured(db, id, create);
    const { body: task } = await create();
    for (let n = 0; n < 30; n += 1) {
      const note = await send("POST", `/api/tasks/${task.id}/notes`, { body: { body: "x" } });
      expectStatus(note, 200);
      const { body: blocker } = await create();
      const blocked = await send("PUT", `/api/tasks/${task.id}/blockers/${blocker.id}`);
      expectStatus(blocked, 204);
    }
    const besideTasks = async () =>
      (await countedBytes(db, id)) -
      1000 * (await rowsOf(db).task.count({ where: { organization_id: id } }));
    // The blockers are counted with the next measurement.
    await expect.poll(besideTasks).toBeGreaterThanOrEqual(30 * 300);
    // Measured like one that never was.
    await db.query(
      "UPDATE stored_bytes SET bytes = 0, measure_after = 0 WHERE organization_id = $1",
      [id],
    );
    await untilMeasured(db, id, create);
    await expect.poll(besideTasks).toBeGreaterThanOrEqual(60 * 300);
  },
);

it("Stored texts count as bytes, not as characters", async ({ server }) => {
  const stranger = from(server, "198.51.100.50");
  const body = { name: "x", content: "漢".repeat(50_000) };
  for (let n = 0; n < 2; n += 1) {
    expectStatus(await stranger("POST", "/api/artifacts", { body }), 201);
  }
  // Counted as characters, they would leave room for more of these than are made in that time.
  const create = () => stranger("POST", "/api/tasks", { body: { name: "x" } });
  await expect.poll(async () => (await create()).status).toBe(429);
});

owned(
  "What an organization claims counts as stored by it",
  async ({ server, db, organization: { id, key } }) => {
    const create = () => server.api("POST", "/api/tasks", { key, body: { name: "x" } });
    await untilMeasured(db, id, create);
    for (let made = 0; made < 11; made += 1) {
      const body = { name: "x", content: CONTENT };
      const { body: artifact } = await server.api("POST", "/api/artifacts", { body });
      const claim = { key, body: { claim_token: artifact.claim_token } };
      expectStatus(await server.api("POST", `/api/claim/${artifact.id}`, claim), 200);
    }
    // As after the pause between two measurements.
    await db.query("UPDATE stored_bytes SET measure_after = sign(measure_after)");
    expectError(await untilRefused(create), 429, "rate_limited");
  },
);

recorded(
  "Recorded long responses use up a daily amount of an organization, and short ones do not count",
  async ({ server, db, organization: { id, key } }) => {
    const send = from(server, "198.51.100.62", key);
    const makeTask = async (length: number) => {
      const body = { name: "x", description: "x".repeat(length) };
      return (await send("POST", "/api/tasks", { body })).body.id;
    };
    const keyed = (value = randomText(20)) => ({ "idempotency-key": value });
    const label = (task: string, headers: Record<string, string> = keyed()) =>
      send("POST", `/api/tasks/${task}/labels`, { body: { add: ["late"] }, headers });
    const [short, long, longer] = [
      await makeTask(8000),
      await makeTask(30_000),
      await makeTask(200_000),
    ];
    expectStatus(await label(short), 200);
    const { text } = await label(long);
    const uses = async () => {
      const counted = "SELECT uses FROM usage_windows WHERE id = $1";
      return (await db.query<{ uses: number }>(counted, [`bytes:${id}`])).rows[0]?.uses;
    };
    await expect.poll(uses).toBe(Math.ceil(text.length / 1000));

    const { body: endpoint } = await send("POST", "/api/webhooks", { body: { name: "x" } });
    const capture = await server.api("POST", `/api/catch/${endpoint.id}`, { raw: CONTENT });
    const replay = (headers = keyed()) =>
      send("POST", `/api/webhooks/${endpoint.id}/events/${capture.body.event_id}/replay`, {
        body: { url: "http://target.invalid/" },
        headers,
      });
    const headers = keyed();
    const first = await replay(headers);
    expectStatus(first, 201);
    const refusal = await untilRefused(() => label(longer));
    expectError(refusal, 429, "rate_limited");
    expect(refusal.text).toContain("Idempotency-Key");
    expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
    expectError(await replay(), 429, "rate_limited");
    expect((await send("GET", "/api/messages")).body.data).toHaveLength(1);
    const again = await replay(headers);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.text).toBe(first.text);

    const fresh = await makeTask(30_000);
    expectError(await label(fresh), 429, "rate_limited");
    expect((await send("GET", `/api/tasks/${fresh}`)).body.labels).toEqual([]);
    expectStatus(await label(fresh, {}), 200);
    expectStatus(await label(short), 200);
    expectStatus(await send("POST", `/api/tasks/${fresh}/complete`, { headers: keyed() }), 200);
    const create = { body: { name: "x", content: CONTENT }, headers: keyed() };
    expectStatus(await send("POST", "/api/artifacts", create), 201);
    const operations = Array(100).fill({ method: "POST", path: "/api/tasks", body: {} });
    const batch = await send("POST", "/api/batch", { body: { operations }, headers: keyed() });
    expectStatus(batch, 200);
    expect(batch.text.length).toBeGreaterThan(10_000);
  },
);

owned(
  "A run counts as more than the bytes of a small target",
  async ({ server, db, organization: { id, key } }) => {
    await untilMeasured(db, id, () =>
      server.api("POST", "/api/tasks", { key, body: { name: "x" } }),
    );
    const schedule = await makeSchedule(server.api, key);
    const before = await countedBytes(db, id);
    for (let runs = 0; runs < 5; runs += 1) await runNow(server.api, schedule.id, key);
    await expect.poll(() => countedBytes(db, id)).toBeGreaterThanOrEqual(before + 5000);
  },
);

owned(
  "What a subscription pushes counts as stored",
  async ({ server: { api }, db, organization: { id, key }, target }) => {
    const create = () => api("POST", "/api/tasks", { key, body: { name: "x" } });
    await untilMeasured(db, id, create);
    const tasks: string[] = [];
    for (let n = 0; n < 20; n += 1) tasks.push((await create()).body.id);
    const body = { url: target.url, kinds: ["tasks"], actions: ["deleted"] };
    expectStatus(await api("POST", "/api/subscriptions", { key, body }), 200);
    const before = await countedBytes(db, id);
    for (const task of tasks) expectStatus(await api("DELETE", `/api/tasks/${task}`, { key }), 204);
    const pushed = () => pushedTo(db, id);
    await expect.poll(async () => (await pushed()).messages).toBe(tasks.length);
    const { bytes } = await pushed();
    await expect.poll(() => countedBytes(db, id)).toBeGreaterThanOrEqual(before + bytes);
  },
);

owned(
  "A capture with a late signature is stored once, although its endpoint forwards",
  async ({ server, db, organization: { id, key } }) => {
    const { api } = server;
    const body = { name: "x" };
    await untilMeasured(db, id, () => api("POST", "/api/tasks", { key, body }));
    const { ownEndpoint, ownInbox } = await makeOfEachOwner(server, key);
    const settings = {
      verification: { scheme: "stripe", secret: "x" },
      forward: { inbox_id: ownInbox },
    };
    for (const [part, body] of Object.entries(settings)) {
      expectStatus(await api("PUT", `/api/webhooks/${ownEndpoint}/${part}`, { key, body }), 200);
    }
    const late = { raw: CONTENT, headers: stripeHeaders("x", CONTENT, 0) };
    expectStatus(await api("POST", `/api/catch/${ownEndpoint}`, late), 200);
    await expect.poll(() => countedBytes(db, id)).toBeGreaterThan(CONTENT.length);
    expect(await countedBytes(db, id)).toBeLessThan(2 * CONTENT.length);
  },
);

type Send = RunningServer["api"];

/** Creates something until what the organization stores has been measured. */
async function untilMeasured(db: Pool, id: string, create: () => Promise<ApiResponse>) {
  const measured = "SELECT FROM stored_bytes WHERE measure_after <> 0 AND organization_id = $1";
  await expect
    .poll(async () => {
      expectStatus(await create(), 201);
      return (await db.query(measured, [id])).rowCount;
    })
    .toBe(1);
}

/** Has the only row of stored bytes measured again while `create` is refused. */
async function measuredAgain(db: Pool, create: () => Promise<ApiResponse>) {
  const bytesAfter = async (statement: string) =>
    (await db.query<{ bytes: string }>(statement)).rows[0]?.bytes;
  // As after the pause between two measurements, and with a byte too much, to see when it is done.
  const counted = await bytesAfter(
    "UPDATE stored_bytes SET measure_after = 1, bytes = bytes + 1 RETURNING bytes",
  );
  await expect
    .poll(async () => {
      expectError(await create(), 429, "rate_limited");
      return bytesAfter("SELECT bytes FROM stored_bytes");
    })
    .not.toBe(counted);
}

/** The messages of an organization's subscriptions. */
async function pushedTo(db: Pool, id: string) {
  const { rows } = await db.query<{ messages: number; bytes: number }>(
    `SELECT count(*)::int AS messages, coalesce(sum(octet_length(body)), 0)::int AS bytes
     FROM scheduled_messages
     WHERE subscription_id IS NOT NULL AND organization_id = $1`,
    [id],
  );
  return { messages: 0, bytes: 0, ...rows[0] };
}

/** What counts as stored by an organization. */
async function countedBytes(db: Pool, id: string): Promise<number> {
  const sum = "SELECT bytes::int FROM stored_bytes WHERE organization_id = $1";
  return (await db.query<{ bytes: number }>(sum, [id])).rows[0]?.bytes ?? 0;
}

function from(server: RunningServer, address: string, key?: string): Send {
  return (method, path, options: CallOptions = {}) =>
    server.api(method, path, {
      ...options,
      key: options.key ?? key,
      headers: { ...options.headers, "x-forwarded-for": address },
    });
}

async function fill(sender: Send, inbox: string, count: number, raw: string) {
  for (let sent = 0; sent < count; sent += 1) {
    expectStatus(await sender("POST", `/api/inboxes/${inbox}/events`, { raw }), 201);
  }
}

function leaseOf({ id, lease_id }: Event) {
  return { event_id: id, lease_id };
}

async function runNow(send: Send, id: string, key?: string): Promise<Run> {
  const response = await send("POST", `/api/schedules/${id}/run`, { key });
  expectStatus(response, 200);
  return jsonOf<Run>(response);
}

async function makeOfEachOwner(server: RunningServer, key: string) {
  const make = async (path: string, by?: string) => {
    const response = await server.api("POST", path, { key: by, body: { name: "x" } });
    expectStatus(response, 201);
    return response.body.id;
  };
  return {
    endpoint: await make("/api/webhooks"),
    ownEndpoint: await make("/api/webhooks", key),
    inbox: await make("/api/inboxes"),
    ownInbox: await make("/api/inboxes", key),
  };
}

/** An endpoint that an agent whom nobody has claimed has claimed. */
async function makeOfAgent({ api }: RunningServer) {
  const agent = await api("POST", "/api/agent/auth", { body: { type: "anonymous" } });
  expectStatus(agent, 201);
  const { credential: key } = jsonOf<{ credential: string }>(agent);
  const { body: made } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const claim = await api("POST", "/api/claims", { key, body: { claim_token: made.claim_token } });
  expectStatus(claim, 200);
  return { endpoint: made.id, key, organizationId: claim.body.organization_id ?? "" };
}

type Made = Awaited<ReturnType<typeof makeOfEachOwner>>;

async function storeUntilRefused(send: Send, key?: string) {
  const artifacts: string[] = [];
  const refusal = await untilRefused(async () => {
    const body = { name: "x", content: CONTENT };
    const response = await send("POST", "/api/artifacts", { key, body });
    if (response.status === 201) artifacts.push(response.body.id);
    return response;
  });
  return { artifacts, refusal };
}

async function untilRefused(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  let response = await send();
  const status = async () => {
    response = await send();
    return response.status;
  };
  await expect.poll(status, { intervals: [20] }).toBe(429);
  return response;
}

/** A capture is answered alike for an ID that is public and one that does not exist. */
async function expectOnlyOwnersStore(send: Send, made: Made, key: string) {
  const raw = "x";
  for (const id of [made.endpoint, "wh_unknown"]) {
    expectError(await send("POST", `/api/catch/${id}`, { raw }), 429, "rate_limited");
  }
  const event = await send("POST", `/api/inboxes/${made.inbox}/events`, { raw });
  expectError(event, 429, "rate_limited");
  const body = { name: "x" };
  expectError(await send("POST", "/api/tasks", { body }), 429, "rate_limited");
  for (const by of [undefined, key]) {
    const change = await send("PATCH", `/api/webhooks/${made.endpoint}`, { key: by, body });
    expectError(change, 429, "rate_limited");
  }
  expectStatus(await send("PATCH", `/api/webhooks/${made.ownEndpoint}`, { key, body }), 200);
  expectStatus(await send("POST", `/api/catch/${made.ownEndpoint}`, { raw }), 200);
  expectStatus(await send("POST", `/api/inboxes/${made.ownInbox}/events`, { raw }), 201);
  expectStatus(await send("POST", "/api/tasks", { key, body }), 201);
}
