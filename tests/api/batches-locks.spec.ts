import type { Pool } from "pg";
import { insertTasks, makeKey, makeOrganization } from "../support/accounts";
import { burst, DEADLOCK_SECONDS, expect, type LoneServer, test } from "../support/batch-fixtures";
import { expectError, expectStatus } from "../support/expectations";
import type { ApiResponse } from "../support/http";
import { randomText } from "../support/keys";
import { lockWaits } from "../support/locks";
import { rowsOf } from "../support/rows";
import { pause } from "../support/servers";

/** Batches that change a row several times, wait for a lock, or lose their connection. */

test.describe.configure({ mode: "default" });

test("A change takes effect once, even if a later one of the same row in its batch is refused", async ({
  lone,
}) => {
  const { api, rawApi, db } = lone;
  const { key } = await makeOrganization(db);
  await db.query("ALTER TABLE tasks ADD CONSTRAINT poison CHECK (name <> 'poison')");
  try {
    const first = await api("POST", "/api/tasks", { key, body: { name: "First" } });
    const tag = (await api("GET", `/api/tasks/${first.body.id}`, { key })).headers.get("etag");
    const path = `/api/tasks/${first.body.id}`;
    const { responses } = await sendTogether(lone, key, [
      () => rawApi("PATCH", path, { key, headers: { "if-match": tag ?? "" }, body: { name: "A" } }),
      () => rawApi("PATCH", path, { key, body: { name: "poison" } }),
    ]);
    expect((await responses).map(({ status }) => status)).toEqual([200, 500]);
    const { rows } = await db.query("SELECT name, revision FROM tasks WHERE id = $1", [
      first.body.id,
    ]);
    expect(rows).toEqual([{ name: "A", revision: 2 }]);
  } finally {
    await db.query("ALTER TABLE tasks DROP CONSTRAINT poison");
  }
});

test("Changes of the same public tasks by two organizations do not deadlock", async ({ lone }) => {
  const { api, db } = lone;
  const [one, other] = [await makeOrganization(db), await makeOrganization(db)];
  const ids = await Promise.all(
    ["a", "b"].map(async (name) => (await api("POST", "/api/tasks", { body: { name } })).body.id),
  );
  // In a table of this size, rows are locked in the order of the changes.
  await insertTasks(db, one.id, 50_000);
  await db.query("ANALYZE tasks");
  const unlocks = await Promise.all(ids.map((id) => lockRows(db, "tasks", `id = '${id}'`)));
  const change = (key: string, order: string[]) =>
    sendTogether(
      lone,
      key,
      order.map((id) => () => api("PATCH", `/api/tasks/${id}`, { key, body: { name: "x" } })),
    );
  const sent = [];
  for (const [index, { key }] of [one, other].entries()) {
    sent.push(await change(key, index === 0 ? ids : ids.toReversed()));
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBe(index + 1);
  }
  const released = performance.now();
  for (const unlock of unlocks) {
    await unlock();
    await pause(100);
  }
  for (const { responses } of sent)
    for (const response of await responses) expectStatus(response, 200);
  expect(performance.now() - released).toBeLessThan(DEADLOCK_SECONDS * 1000);
});

test("Concurrent changes of different fields of one task all take effect", async ({ lone }) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  const fields = {
    name: "Changed",
    description: "Changed",
    priority: "high",
    due_at: 2_000_000_000,
    labels: ["changed"],
    external_id: randomText(10),
  };
  const changes = Array.from({ length: 4 }, () => Object.entries(fields)).flat();
  const responses = await burst(changes, (change) =>
    api("PATCH", `/api/tasks/${task.id}`, { key, body: Object.fromEntries([change]) }),
  );
  for (const [index, response] of responses.entries()) {
    expectStatus(response, 200);
    expect(response.body).toMatchObject(Object.fromEntries([changes[index] ?? ["", ""]]));
  }
  expect((await api("GET", `/api/tasks/${task.id}`, { key })).body).toMatchObject(fields);
  const { rows } = await db.query("SELECT revision FROM tasks WHERE id = $1", [task.id]);
  expect(rows).toEqual([{ revision: 1 + changes.length }]);
});

test("Of concurrent changes with one ETag exactly one succeeds, among changes of other tasks", async ({
  lone,
}) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const made = await burst(Array.from({ length: 11 }), (_, index) =>
    api("POST", "/api/tasks", { key, body: { name: `${index}` } }),
  );
  const [path = "", ...others] = made.map(({ body }) => `/api/tasks/${body.id}`);
  const tag = (await api("GET", path, { key })).headers.need("etag");
  const sent = Array.from({ length: 40 }, (_, index) => ({
    path: index % 2 ? (others[index % others.length] ?? "") : path,
    isGuarded: index % 2 === 0,
  }));
  const responses = await burst(sent, ({ path, isGuarded }, index) =>
    api("PATCH", path, {
      key,
      headers: isGuarded ? { "if-match": tag } : {},
      body: { name: `By ${index}` },
    }),
  );
  const guarded = responses.filter((_, index) => sent[index]?.isGuarded);
  const winners = guarded.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  for (const response of guarded) {
    if (response.status !== 200) expectError(response, 412, "precondition_failed");
  }
  const now = await api("GET", path, { key });
  expect(now.body.name).toBe(winners[0]?.body.name);
  for (const [index, response] of responses.entries()) {
    if (!sent[index]?.isGuarded) expect(response.body.name).toBe(`By ${index}`);
  }
});

test("While one key's row is locked, the last use of other keys is recorded", async ({ lone }) => {
  const { api, db } = lone;
  const { id } = await makeOrganization(db);
  const [locked, free] = [await makeKey(db, id), await makeKey(db, id)];
  const unlock = await lockRows(db, "api_keys", `last_four = '${locked.slice(-4)}'`);
  for (const key of [locked, free]) expectStatus(await api("GET", "/api/me", { key }), 200);
  await expect
    .poll(async () => {
      const where = { last_four: free.slice(-4) };
      return (await rowsOf(db).apiKey.findFirstOrThrow({ where })).last_used_at;
    })
    .not.toBeNull();
  await unlock();
});

test("When the database ends connections during a burst, every request is answered and none leaks", async ({
  lone,
}) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Read" } });
  for (let round = 0; round < 3; round++) {
    const responses = burst(Array.from({ length: 50 }), () =>
      api("GET", `/api/tasks/${task.id}`, { key }),
    );
    for (let turn = 0; turn < 5; turn++) {
      await pause(10);
      await db.query(`SELECT pg_terminate_backend(pid) ${SHORT_READERS}`);
    }
    for (const response of await responses) {
      if (response.status !== 200) expectError(response, 503, "service_unavailable");
    }
    await expect
      .poll(async () => (await api("GET", `/api/tasks/${task.id}`, { key })).status)
      .toBe(200);
  }
  const readers = async () => (await db.query(`SELECT ${SHORT_READERS}`)).rowCount;
  await expect.poll(readers).toBeLessThanOrEqual(2);
});

/** The connections of the server for reads by key. */
const SHORT_READERS = `FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'agent-infrastructure' AND query ~ 'AS key|plan_cache_mode'`;

/** As many batches of changes as an organization may have at once. */
const BATCHES_AT_ONCE = 2;

/**
 * Sends requests while all batches of the organization wait for a lock, so that they are in the next
 * one together, in this order. Returns once that one runs.
 */
async function sendTogether(
  { api, db }: LoneServer,
  key: string,
  requests: Array<() => Promise<ApiResponse>>,
): Promise<{ responses: Promise<ApiResponse[]> }> {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Locked" } });
  const unlock = await lockRows(db, "tasks", `id = '${task.id}'`);
  const before = await lockWaits(db);
  const blocked = [];
  for (let batch = 1; batch <= BATCHES_AT_ONCE; batch++) {
    blocked.push(api("PATCH", `/api/tasks/${task.id}`, { key, body: { name: "Free" } }));
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBe(before + batch);
  }
  const responses = [];
  for (const send of requests) {
    responses.push(send());
    // It takes as many statements as a change before that waits in its queue.
    await api("GET", `/api/tasks/${task.id}`, { key });
  }
  await unlock();
  for (const response of await Promise.all(blocked)) expectStatus(response, 200);
  return { responses: Promise.all(responses) };
}

/** Locks rows until the returned function is called. */
async function lockRows(db: Pool, table: string, condition: string): Promise<() => Promise<void>> {
  const locker = await db.connect();
  await locker.query(`BEGIN; SELECT FROM ${table} WHERE ${condition} FOR UPDATE`);
  return async () => {
    await locker.query("COMMIT");
    locker.release();
  };
}
