import { kindNamed } from "@/lib/resources/kinds";
import { makeOrganization } from "../support/accounts";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { jsonOf } from "../support/http";
import { inboxClient, makeInbox, whileLocked } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { APPROVE, ask } from "../support/questions";
import { rowsOf } from "../support/rows";
import { makeSchedule, type Run, rewind, runsAfterDispatch, runsOf } from "../support/schedules";
import { startTarget } from "../support/target";

/** Schedules and their runs. */

const TASK = { task: { name: "Scheduled", labels: ["daily"] } };

test("A schedule shows its next five runs, and its defaults", async ({
  api,
  organization,
  key,
}) => {
  const response = await api("POST", "/api/schedules", {
    key,
    body: { name: "Report", cron: "0 9 * * *", timezone: "Europe/Berlin", target: TASK },
  });
  expectStatus(response, 201);
  expect(response.body).toEqual({
    id: expect.stringMatching(/^sch_/),
    object: "schedule",
    name: "Report",
    cron: "0 9 * * *",
    timezone: "Europe/Berlin",
    every_seconds: null,
    starts_at: null,
    ends_at: null,
    paused: false,
    catch_up: "skip",
    target: TASK,
    next_runs: expect.any(Array),
    last_run_at: null,
    organization_id: organization.id,
    external_id: null,
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
  });
  const { next_runs, created_at } = JSON.parse(response.text);
  expect(next_runs).toHaveLength(5);
  expect(next_runs[0]).toBeGreaterThan(created_at);
  expect((await api("GET", `/api/schedules/${response.body.id}`, { key })).body).toEqual(
    response.body,
  );
  const plain = await makeSchedule(api, key, { every_seconds: 90 });
  expect(plain.next_runs).toEqual([1, 2, 3, 4, 5].map((n) => plain.created_at + n * 90));
});

test("A task of a run is like any other, and names its schedule and nominal time", async ({
  api,
  db,
  organization,
  key,
}) => {
  const { id } = await makeSchedule(api, key, { target: TASK });
  await rewind(db, id, 70);
  const [run] = await runsAfterDispatch({ api, db }, id, key);
  expect(run).toMatchObject({ manual: false, status: "created", reason: null });
  const task = await api("GET", `/api/tasks/${run?.resource_id}`, { key });
  expectStatus(task, 200);
  expect(task.body).toMatchObject({
    ...TASK.task,
    organization_id: organization.id,
    priority: "low",
  });
  expect(task.headers.get("schedule-id")).toBe(id);
  expect(task.headers.get("schedule-time")).toBe(String(run?.scheduled_for));
  const plain = await api("POST", "/api/tasks", { key, body: { name: "Plain" } });
  expect(Object.keys(task.body).sort()).toEqual(Object.keys(plain.body).sort());
  const read = await api("GET", `/api/tasks/${plain.body.id}`, { key });
  expect(read.headers.get("schedule-id")).toBeNull();
  const schedule = await api("GET", `/api/schedules/${id}`, { key });
  expect(schedule.body).toMatchObject({ last_run_at: run?.scheduled_for });
  const headers = { "if-none-match": task.headers.need("etag") };
  expectStatus(await api("GET", `/api/tasks/${run?.resource_id}`, { key, headers }), 304);
});

test("A waiting worker gets the task of a run", async ({ api, db, key }) => {
  const { id } = await makeSchedule(api, key, { target: TASK });
  const waiting = api("POST", "/api/tasks/lease-next", {
    key,
    body: { holder: "A worker", wait_seconds: 20 },
  });
  await rewind(db, id, 70);
  const [run] = await runsAfterDispatch({ api, db }, id, key);
  expect(JSON.parse((await waiting).text).task.id).toBe(run?.resource_id);
});

test("An event of a run reaches the inbox with its schedule in its headers", async ({
  api,
  db,
  key,
}) => {
  const inbox = await makeInbox(api, {}, key);
  const { id } = await makeSchedule(api, key, {
    target: { inbox_event: { inbox_id: inbox.id, body: '{"job": 1}', ttl_seconds: 600 } },
  });
  await rewind(db, id, 70);
  const [run] = await runsAfterDispatch({ api, db }, id, key);
  expect(run).toMatchObject({ status: "created", inbox_id: inbox.id });
  const [event] = await inboxClient(api, inbox.id, key).receive({});
  expect(event).toMatchObject({
    id: run?.resource_id,
    content_type: "application/json",
    parsed_body: { job: 1 },
    headers: {
      "content-type": "application/json",
      "schedule-id": id,
      "schedule-time": String(run?.scheduled_for),
    },
  });
  expect((event?.expires_at ?? 0) - (event?.received_at ?? 0)).toBe(600);
  const path = `/api/inboxes/${inbox.id}/events/${event?.id}`;
  const read = await api("GET", path, { key });
  expect(read.headers.get("schedule-id")).toBe(id);
  expect(read.headers.get("schedule-time")).toBe(String(run?.scheduled_for));
});

test("A message of a run is sent with its schedule in its request headers, which nobody can forge", async ({
  api,
  db,
  key,
}) => {
  const target = await startTarget((response) => void response.end("ok"));
  const { id } = await makeSchedule(api, key, {
    target: {
      message: {
        url: target.url,
        body: "hello",
        headers: { "Schedule-Id": "forged", "x-own": "1" },
      },
    },
  });
  await rewind(db, id, 70);
  const [run] = await runsAfterDispatch({ api, db }, id, key);
  await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(1);
  expect(target.received[0]?.headers).toMatchObject({
    "schedule-id": id,
    "schedule-time": String(run?.scheduled_for),
    "x-own": "1",
    "webhook-id": run?.resource_id,
  });
  const message = await api("GET", `/api/messages/${run?.resource_id}`, { key });
  expect(message.body).toMatchObject({ scheduled_at: run?.scheduled_for });
  expect(message.headers.get("schedule-id")).toBe(id);
  await target.stop();
});

test("Without a key a run has the claim token of its schedule, and shows only a digest of its ID", async ({
  api,
  db,
  key,
}) => {
  const inbox = await makeInbox(api, {});
  const { id, claim_token } = await makeSchedule(api, undefined);
  const other = await makeSchedule(api, undefined, {
    target: { inbox_event: { inbox_id: inbox.id } },
  });
  await rewind(db, id, 70);
  await rewind(db, other.id, 70);
  const [run] = await runsAfterDispatch({ api, db }, id);
  const task = await api("GET", `/api/tasks/${run?.resource_id}`);
  // The ID itself would let readers of the task change the schedule.
  expect(task.headers.get("schedule-id")).toBe(`sha256_${sha256(id)}`);
  expectStatus(
    await api("POST", `/api/claim/${run?.resource_id}`, { key, body: { claim_token } }),
    200,
  );
  await runsAfterDispatch({ api, db }, other.id);
  const [event] = await inboxClient(api, inbox.id).receive({});
  expect(event?.headers["schedule-id"]).toBe(`sha256_${sha256(other.id)}`);
});

test("Times late by over 300 seconds are skipped, or run once with catch_up", async ({
  api,
  db,
  key,
}) => {
  const skipping = await makeSchedule(api, key, { every_seconds: 3600 });
  const once = await makeSchedule(api, key, { every_seconds: 3600, catch_up: "once" });
  for (const { id } of [skipping, once]) await rewind(db, id, 3 * 3600 + 1800);
  expect(await runsAfterDispatch({ api, db }, skipping.id, key)).toEqual([]);
  const caught = await runsAfterDispatch({ api, db }, once.id, key);
  const first = await rowsOf(db).schedule.findUniqueOrThrow({ where: { id: once.id } });
  expect(caught.map(({ scheduled_for }) => scheduled_for)).toEqual([first.created_at + 3600]);
  expect(await runsAfterDispatch({ api, db }, once.id, key)).toHaveLength(1);
});

test("Times late by less all run, in order", async ({ api, db, key }) => {
  const { id } = await makeSchedule(api, key);
  await rewind(db, id, 200);
  const runs = await runsAfterDispatch({ api, db }, id, key);
  const times = runs.map(({ scheduled_for }) => scheduled_for);
  expect(times).toHaveLength(3);
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 60, 120]);
});

test("A paused schedule does not run, and does not catch up when it is resumed", async ({
  api,
  db,
  key,
}) => {
  const { id } = await makeSchedule(api, key, { catch_up: "once" });
  const path = `/api/schedules/${id}`;
  const paused = await api("PATCH", path, { key, body: { paused: true } });
  expect(paused.body).toMatchObject({ paused: true, next_runs: [] });
  // Its next time is 59 seconds off, so that none comes during the test.
  await db.query(
    "UPDATE schedules SET created_at = created_at - 7201, checked_until = checked_until - 7201 WHERE id = $1",
    [id],
  );
  expect(await runsAfterDispatch({ api, db }, id, key)).toEqual([]);
  const resumed = await api("PATCH", path, { key, body: { paused: false } });
  expect(JSON.parse(resumed.text).next_runs).toHaveLength(5);
  expect(await runsAfterDispatch({ api, db }, id, key)).toEqual([]);
});

test("A time that is due when the schedule changes still runs", async ({ api, db, key }) => {
  const { id } = await makeSchedule(api, key);
  await rewind(db, id, 70);
  const path = `/api/schedules/${id}`;
  expectStatus(await api("PATCH", path, { key, body: { cron: "0 0 29 2 *" } }), 200);
  expect(await runsOf(api, id, key)).toHaveLength(1);
  expect((await api("GET", path, { key })).body).toMatchObject({
    cron: "0 0 29 2 *",
    timezone: "UTC",
    every_seconds: null,
  });
  const reset = await api("PATCH", path, { key, body: { timezone: null } });
  expect(reset.body).toMatchObject({ timezone: "UTC" });
});

test("Of changes at the same time none undoes another, and a schedule that is not paused goes on", async ({
  api,
  key,
}) => {
  const { id } = await makeSchedule(api, key);
  const path = `/api/schedules/${id}`;
  const change = async (body: object) => expectStatus(await api("PATCH", path, { key, body }), 200);
  const year = 31_536_000;
  const now = Math.floor(Date.now() / 1000);
  for (let round = 1; round <= 5; round += 1) {
    const times = { starts_at: now + round * year, ends_at: now + (round + 20) * year };
    await Promise.all([
      change({ starts_at: times.starts_at }),
      change({ ends_at: times.ends_at }),
      change({ cron: `${round} * * * *` }),
    ]);
    const changed = (await api("GET", path, { key })).body;
    expect(changed).toMatchObject({ ...times, cron: `${round} * * * *`, every_seconds: null });

    await Promise.all([change({ paused: true }), change({ paused: false })]);
    const { paused, next_runs } = JSON.parse((await api("GET", path, { key })).text);
    expect(next_runs).toHaveLength(paused ? 0 : 5);
  }
});

test("A run by hand works while the schedule is paused, and once per Idempotency-Key", async ({
  api,
  key,
}) => {
  const { id } = await makeSchedule(api, key, { paused: true });
  const headers = { "idempotency-key": "2f0c1c1e-5a0f-4a6e-9a51-2b9f6d3e8c77" };
  const run = () => api("POST", `/api/schedules/${id}/run`, { key, headers });
  const first = await run();
  expectStatus(first, 200);
  expect(first.body).toMatchObject({ object: "schedule_run", manual: true, status: "created" });
  expect((await run()).text).toBe(first.text);
  expect(await runsOf(api, id, key)).toEqual([first.body]);
});

test("A message of a schedule does not run a schedule that sends messages, directly or through another", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeSchedule(api, undefined);
  const path = `/api/schedules/${id}`;
  const run = { url: `${baseUrl}${path}/run`, delay_seconds: 0 };
  const again = { url: `${baseUrl}/api/messages`, body: JSON.stringify(run) };
  const sent = async (message: object): Promise<string> => {
    expectStatus(await api("PATCH", path, { body: { target: { message } } }), 200);
    return jsonOf<Run>(await api("POST", `${path}/run`)).resource_id ?? "";
  };
  const ended = async (messageId: string) => {
    await api("POST", "/api/messages/dispatch");
    return (await api("GET", `/api/messages/${messageId}`)).body;
  };
  const refused = { status: "failed", response_status: 403, next_attempt_at: null };
  const direct = await sent(run);
  await expect.poll(() => ended(direct)).toMatchObject(refused);
  const first = await sent(again);
  await expect.poll(() => ended(first)).toMatchObject({ status: "delivered" });
  const attempts = await api("GET", `/api/messages/${first}/attempts`);
  // The response to the first is the second.
  const [second = ""] = /(?<=\\"id\\":\\")msg_\w+/.exec(attempts.text) ?? [];
  await expect.poll(() => ended(second)).toMatchObject(refused);
  expect(await runsOf(api, id)).toHaveLength(2);
});

test("A message of a schedule creates no schedule that sends messages, and changes none into one", async ({
  api,
  baseUrl,
}) => {
  const other = await makeSchedule(api, undefined);
  const target = { message: { url: "https://example.invalid/", delay_seconds: 0 } };
  const url = `${baseUrl}/api/schedules`;
  const create = { every_seconds: 60, target };
  const batch = { operations: [{ method: "POST", path: "/api/schedules", body: create }] };
  const requests = [
    { url, body: JSON.stringify(create) },
    { url: `${url}/${other.id}`, method: "PATCH", body: JSON.stringify({ target }) },
    { url: `${baseUrl}/api/batch`, body: JSON.stringify(batch) },
  ];
  const responses = async (messageId: string) => {
    await api("POST", "/api/messages/dispatch");
    return (await api("GET", `/api/messages/${messageId}/attempts`)).text;
  };
  for (const request of requests) {
    const message = { ...request, delay_seconds: 0 };
    const { id } = await makeSchedule(api, undefined, { target: { message } });
    const sent = jsonOf<Run>(await api("POST", `/api/schedules/${id}/run`)).resource_id ?? "";
    await expect.poll(() => responses(sent)).toContain("sends messages, or make one");
  }
  const { text } = await api("GET", `/api/schedules/${other.id}`);
  expect(JSON.parse(text).target).toEqual(other.target);
});

test("The reply of a question and a pushed change run no schedule that sends messages", async ({
  api,
  baseUrl,
  db,
  key,
}) => {
  const message = { url: "https://example.invalid/", delay_seconds: 0 };
  const { id } = await makeSchedule(api, undefined, { target: { message } });
  const url = `${baseUrl}/api/schedules/${id}/run`;
  for (const text_field of [null, "text"]) {
    const body = { url, text_field, kinds: ["questions"], actions: ["answered"] };
    expectStatus(await api("POST", "/api/subscriptions", { key, body }), 200);
  }
  const question = await ask(api, key, { ...APPROVE, reply_to: { url } });
  expectStatus(await question.answer("approve"), 200);
  const statuses = async () => {
    await api("POST", "/api/messages/dispatch");
    const text = "SELECT response_status AS status FROM scheduled_messages WHERE url = $1";
    return (await db.query<{ status: number }>(text, [url])).rows.map(({ status }) => status);
  };
  await expect.poll(statuses).toEqual([403, 403, 403]);
  expect(await runsOf(api, id)).toEqual([]);
});

test("A run into an inbox that is full, deleted or no longer of the same owner fails with the reason", async ({
  api,
  db,
  organization,
}) => {
  const { key } = organization;
  const full = await makeInbox(api, { max_events: 1 }, key);
  const deleted = await makeInbox(api, {}, key);
  const claimed = await makeInbox(api, {});
  const into = (inbox: { id: string }, owner?: string) =>
    makeSchedule(api, owner, { target: { inbox_event: { inbox_id: inbox.id } } });
  const schedules = [await into(full, key), await into(deleted, key), await into(claimed)];
  await api("POST", `/api/inboxes/${full.id}/events`, { raw: "x" });
  expectStatus(await api("DELETE", `/api/inboxes/${deleted.id}`, { key }), 204);
  await db.query("UPDATE inboxes SET organization_id = $1 WHERE id = $2", [
    organization.id,
    claimed.id,
  ]);
  for (const { id } of schedules) await rewind(db, id, 70);
  const reasons: unknown[] = [];
  for (const { id } of schedules) {
    const runs = await runsAfterDispatch({ api, db }, id, key);
    reasons.push(runs.map(({ status, reason }) => `${status}: ${reason}`));
  }
  expect(reasons).toEqual([
    ["failed: inbox_full"],
    ["failed: inbox_deleted"],
    ["failed: other_owner"],
  ]);
});

test("A full inbox whose events have expired takes the event of a run", async ({
  api,
  db,
  key,
}) => {
  const inbox = await makeInbox(api, { max_events: 1 }, key);
  await api("POST", `/api/inboxes/${inbox.id}/events`, { raw: "old" });
  await db.query(
    "UPDATE inbox_events SET expires_at = 1, lapses_at = to_timestamp(1) WHERE inbox_id = $1",
    [inbox.id],
  );
  const { id } = await makeSchedule(api, key, {
    target: { inbox_event: { inbox_id: inbox.id, body: "new" } },
  });
  const run = await api("POST", `/api/schedules/${id}/run`, { key });
  expect(run.body).toMatchObject({ status: "created" });
  const [event] = await inboxClient(api, inbox.id, key).receive({});
  expect(event?.body).toBe("new");
});

test("A public schedule runs 100 times, and again after it is claimed", async ({
  api,
  db,
  key,
}) => {
  const { id, claim_token } = await makeSchedule(api, undefined);
  await db.query("UPDATE schedules SET run_count = 98 WHERE id = $1", [id]);
  const runNow = async () => (await api("POST", `/api/schedules/${id}/run`)).body;
  expect(await runNow()).toMatchObject({ status: "created" });
  await rewind(db, id, 130);
  const runs = await runsAfterDispatch({ api, db }, id);
  expect(runs.map(({ reason }) => reason)).toEqual([null, null, "public_limit"]);
  expect(await runNow()).toMatchObject({ reason: "public_limit" });
  // Then it costs nothing more.
  await rewind(db, id, 65);
  expect(await runsAfterDispatch({ api, db }, id)).toHaveLength(4);
  const due = async () => (await rowsOf(db).schedule.findUniqueOrThrow({ where: { id } })).due_at;
  expect(await due()).toBeNull();
  expect((await api("GET", `/api/schedules/${id}`)).body).toMatchObject({ next_runs: [] });
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  expect(await runsAfterDispatch({ api, db }, id, key)).toHaveLength(4);
  expect(Number(await due())).toBeGreaterThan(0);
  await rewind(db, id, 65);
  const last = (await runsAfterDispatch({ api, db }, id, key)).at(-1);
  expect(last).toMatchObject({ status: "created" });
});

test("A run into an inbox waits for a claim of it, and then fails", async ({
  api,
  db,
  organization,
}) => {
  const inbox = await makeInbox(api, {});
  const target = { inbox_event: { inbox_id: inbox.id } };
  const { id } = await makeSchedule(api, undefined, { paused: true, target });
  const claim = `UPDATE inboxes SET organization_id = '${organization.id}' WHERE id = '${inbox.id}'`;
  const run = await whileUncommitted(db, [claim], "FROM inbox_state", () =>
    api("POST", `/api/schedules/${id}/run`),
  );
  expect(JSON.parse(run.text)).toMatchObject({ status: "failed", reason: "other_owner" });
});

test("A run does not wait for an inbox that somebody else has claimed", async ({
  api,
  db,
  key,
}) => {
  const made = (await api("POST", "/api/inboxes", { body: { name: "Test" } })).body;
  const target = { inbox_event: { inbox_id: made.id } };
  const { id } = await makeSchedule(api, undefined, { paused: true, target });
  const { claim_token } = made;
  expectStatus(await api("POST", `/api/claim/${made.id}`, { key, body: { claim_token } }), 200);
  await whileLocked(db, made.id, async () => {
    const run = await api("POST", `/api/schedules/${id}/run`);
    expect(run.body).toMatchObject({ status: "failed", reason: "other_owner" });
  });
});

test("The newest 100 runs are listed, and end with their schedule; what they created stays", async ({
  api,
  db,
  key,
}) => {
  const { id } = await makeSchedule(api, key, { paused: true });
  await db.query(
    `INSERT INTO schedule_runs (schedule_id, id, scheduled_for, manual)
     SELECT $1, 'run_' || lpad(n::text, 25, '0'), n, false FROM generate_series(1, 120) AS n`,
    [id],
  );
  const run = await api("POST", `/api/schedules/${id}/run`, { key });
  const runs = await runsOf(api, id, key);
  expect(runs).toHaveLength(100);
  expect(runs.at(-1)).toEqual(run.body);
  const stored = await db.query("SELECT FROM schedule_runs WHERE schedule_id = $1", [id]);
  expect(stored.rowCount).toBe(100);
  expectStatus(await api("DELETE", `/api/schedules/${id}`, { key }), 204);
  const left = await db.query("SELECT FROM schedule_runs WHERE schedule_id = $1", [id]);
  expect(left.rowCount).toBe(0);
  const { resource_id } = JSON.parse(run.text);
  expectStatus(await api("GET", `/api/tasks/${resource_id}`, { key }), 200);
});

test("A schedule that fails does not keep the others from running, and is not retried endlessly", async ({
  api,
  db,
  key,
}) => {
  const broken = await makeSchedule(api, key);
  const sound = await makeSchedule(api, key);
  await db.query("UPDATE schedules SET target = '{}' WHERE id = $1", [broken.id]);
  for (const { id } of [broken, sound]) await rewind(db, id, 70);
  expect(await runsAfterDispatch({ api, db }, sound.id, key)).toMatchObject([
    { status: "created" },
  ]);
  const failures = async () =>
    (await db.query("SELECT reason FROM schedule_runs WHERE schedule_id = $1", [broken.id])).rows;
  await expect.poll(failures).toEqual([{ reason: "internal_error" }]);
  await api("DELETE", `/api/schedules/${broken.id}`, { key });
});

test("Many due schedules of one organization do not delay another organization's", async ({
  api,
  db,
  key,
}) => {
  const other = await makeOrganization(db);
  const quiet = await makeSchedule(api, key);
  const first = await makeSchedule(api, other.key);
  // In one statement, so that no dispatch in between runs some of them.
  await db.query(
    `WITH copies AS (
       INSERT INTO schedules
       SELECT (json_populate_record(made, json_build_object(
         'id', left(made.id, 26) || lpad(n::text, 4, '0'),
         'created_at', created_at - 200, 'checked_until', unix_now() - 70, 'due_at', unix_now() - 60))).*
       FROM schedules AS made CROSS JOIN generate_series(1, 250) AS n WHERE made.id = $1)
     UPDATE schedules SET created_at = created_at - 70, checked_until = checked_until - 70,
       due_at = unix_now() WHERE id = $2`,
    [first.id, quiet.id],
  );
  const [run] = await runsAfterDispatch({ api, db }, quiet.id, key);
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int FROM schedule_runs JOIN schedules ON schedules.id = schedule_id
     WHERE organization_id = $1 AND schedule_runs.id < $2`,
    [other.id, run?.id],
  );
  expect(rows[0]?.count).toBeLessThan(200);
  await db.query("DELETE FROM schedules WHERE organization_id = $1", [other.id]);
});

test.describe("Bad input", () => {
  const target = TASK;
  const now = Math.floor(Date.now() / 1000);
  const valid = { every_seconds: 60, target };
  const CASES: [string, object, string][] = [
    ["a cron line that never occurs", { cron: "0 0 30 2 *", target }, "cron"],
    ["a cron line with seconds", { cron: "* * * * * *", target }, "cron"],
    ["a date as a cron line", { cron: "2030-01-01T00:00:00", target }, "cron"],
    ["a long cron line", { cron: `${"1,".repeat(200)}1 * * * *`, target }, "cron"],
    [
      "a cron line that its zone always skips",
      { cron: "* 2 * 3 +SUNL", timezone: "Europe/Berlin", target },
      "cron",
    ],
    ["an unknown time zone", { cron: "@daily", timezone: "Mars/Phobos", target }, "timezone"],
    ["an offset as a time zone", { cron: "@daily", timezone: "+05:00", target }, "timezone"],
    ["a time zone without cron", { ...valid, timezone: "UTC" }, "timezone"],
    ["both kinds of times", { cron: "@daily", every_seconds: 60, target }, "every_seconds"],
    ["less than a minute", { every_seconds: 59, target }, "every_seconds"],
    ["an end before the start", { ...valid, starts_at: now + 9, ends_at: now + 9 }, "ends_at"],
    ["an end in the past", { ...valid, ends_at: now - 5 }, "ends_at"],
    ["a start after the year 9999", { ...valid, starts_at: 253_402_300_800 }, "starts_at"],
    [
      "a start after the last time",
      { cron: "0 0 1 1 *", starts_at: 253_402_300_799, target },
      "starts_at",
    ],
    ["an unknown catch_up", { ...valid, catch_up: "all" }, "catch_up"],
    [
      "two targets",
      { ...valid, target: { ...TASK, message: { url: "https://example.com/" } } },
      "target",
    ],
    ["no target in target", { ...valid, target: {} }, "target"],
    [
      "a bad task",
      { ...valid, target: { task: { name: "x", priority: "x" } } },
      "target.task.priority",
    ],
    [
      "a message with its own time",
      { ...valid, target: { message: { url: "https://example.com/", scheduled_at: 1 } } },
      "target.message.scheduled_at",
    ],
    [
      "a content type with a line break",
      { ...valid, target: { inbox_event: { inbox_id: "inbox_1", content_type: "a\r\nb" } } },
      "target.inbox_event.content_type",
    ],
  ];
  test("A create refuses a value that a field cannot have, and names the field", async ({
    api,
    key,
  }) => {
    await eachOf(CASES, async ([_what, body, param]) => {
      expectError(await api("POST", "/api/schedules", { key, body }), 400, "invalid_param", param);
    });
  });

  test("Errors name what is missing", async ({ api, key }) => {
    const create = (body: object) => api("POST", "/api/schedules", { key, body });
    expectError(await create({ target }), 400, "missing_required_param", "cron");
    expectError(await create({ cron: "@daily" }), 400, "missing_required_param", "target");
    const refused = await create({ ...valid, target: { task: {} } });
    expectError(refused, 400, "missing_required_param", "target.task.name");
  });

  test("A message that could not be sent is refused as a target", async ({ api, key }) => {
    const { id } = await makeSchedule(api, key);
    await eachOf(
      [
        ["url_not_allowed", { url: "http://10.0.0.1/" }, "url"],
        ["header_not_allowed", { url: "https://example.com/", headers: { te: "x" } }, "headers.te"],
      ] as const,
      async ([code, message, field]) => {
        const body = { ...valid, target: { message } };
        for (const [method, path] of [
          ["POST", ""],
          ["PUT", "/external/refused"],
          ["PATCH", `/${id}`],
        ] as const) {
          const refused = await api(method, `/api/schedules${path}`, { key, body });
          expectError(refused, 400, code, `target.message.${field}`);
        }
      },
    );
  });

  test("An inbox that has another owner, or does not exist, is refused as a target", async ({
    api,
    db,
    key,
  }) => {
    const other = await makeOrganization(db);
    const param = "target.inbox_event.inbox_id";
    const create = (inbox_id: string, owner?: string) =>
      api("POST", "/api/schedules", {
        key: owner,
        body: { ...valid, target: { inbox_event: { inbox_id } } },
      });
    const foreign = await makeInbox(api, {}, other.key);
    const open = await makeInbox(api, {});
    expectError(await create(foreign.id, key), 403, "forbidden");
    expectError(await create(open.id, key), 400, "invalid_param", param);
    expectError(await create("inbox_none", key), 404, "resource_not_found", param);
    const { id } = await makeSchedule(api, key);
    const skipped = { cron: "* 2 * 3 +SUNL", timezone: "Europe/Berlin" };
    const moved = await api("PATCH", `/api/schedules/${id}`, { key, body: skipped });
    expectError(moved, 400, "invalid_param", "cron");
    const body = { target: { inbox_event: { inbox_id: foreign.id } } };
    expectError(await api("PATCH", `/api/schedules/${id}`, { key, body }), 403, "forbidden");
  });

  test("An event that would expire during its delay is refused as a target", async ({
    api,
    key,
  }) => {
    const { id: inbox_id } = await makeInbox(api, { default_ttl_seconds: 600 }, key);
    const create = (times: object) =>
      api("POST", "/api/schedules", {
        key,
        body: { ...valid, target: { inbox_event: { inbox_id, ...times } } },
      });
    const param = "target.inbox_event.delay_seconds";
    for (const times of [{ delay_seconds: 600 }, { delay_seconds: 100, ttl_seconds: 100 }]) {
      expectError(await create(times), 400, "invalid_param", param);
    }
    expectStatus(await create({ delay_seconds: 600, ttl_seconds: 601 }), 201);
  });

  test("A large target is refused without a key", async ({ api, key }) => {
    const body = { ...valid, target: { task: { name: "x", description: "x".repeat(10_000) } } };
    expectError(await api("POST", "/api/schedules", { body }), 400, "invalid_param", "target");
    expectStatus(await api("POST", "/api/schedules", { key, body }), 201);
  });
});

test("The first call of the documents creates a task", async ({ api }) => {
  const { body } = kindNamed("schedules").first;
  const { id } = (await api("POST", "/api/schedules", { body })).body;
  const run = await api("POST", `/api/schedules/${id}/run`);
  expect(run.body).toMatchObject({ status: "created" });
});
