import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { CHECKED_MS } from "@/lib/identity/credential";
import { CHANNEL } from "@/lib/platform/wakeups/listener";
import { makeKey } from "../support/accounts";
import { finishClient } from "../support/blockers";
import { countStatuses, expectError, expectStatus } from "../support/expectations";
import { expect, QUIET } from "../support/fault-fixtures";
import { type Api, type ApiResponse, jsonOf } from "../support/http";
import { sha256 } from "../support/keys";
import { leaseClient, type Next } from "../support/leases";
import { lockWaits, whileHeld } from "../support/locks";
import { waitingRequests } from "../support/metrics";
import { withOneServer } from "../support/one-server";
import { pause } from "../support/servers";
import { capture, makeEndpoint } from "../support/webhooks";

/** Workers that find no task, each after reading all of them, and writes that wait for the lock of a name. */

const test = withOneServer(QUIET);
const WORKERS = 10;

test("Workers look for a task two at a time, and captures find a connection", async ({
  server: { api },
  db,
  key,
}) => {
  const looks = await whileLocked(api, db, () =>
    Array.from({ length: WORKERS }, (_, n) =>
      api("POST", "/api/tasks/lease-next", {
        key,
        body: { holder: "worker", labels: [`${n}`] },
        headers: n % 2 === 0 ? { "idempotency-key": randomUUID() } : {},
      }),
    ),
  );
  for (const look of looks) {
    expectStatus(look, 200);
    expect(jsonOf<Next>(look).task).toBeNull();
  }
});

test("A worker whose key ends before its turn gets no task", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const { id } = await task();
  const ending = await makeKey(db, organization.id);
  let late: Promise<ApiResponse>[] = [];
  const looks = () => ["a", "b"].map((label) => next({ labels: [label] }));
  const whileTheyWait = async () => {
    const lease = (headers: Record<string, string>) =>
      api("POST", "/api/tasks/lease-next", { key: ending, body: { holder: "late" }, headers });
    late = [lease({}), lease({ "idempotency-key": randomUUID() })];
    // By its end, the others have asked for their turn.
    expectStatus(await api("GET", "/api/me", { key: ending }), 200);
    await pause(CHECKED_MS + 500);
    await db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [
      sha256(ending),
    ]);
  };
  await whileLocked(api, db, looks, { whileTheyWait });
  for (const response of await Promise.all(late)) expectError(response, 401, "invalid_api_key");
  expect((await next()).task?.id).toBe(id);
});

test("Waiting workers that are woken together look for a task two at a time", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const { task, next } = leaseClient(api, key);
  const labels = Array.from({ length: WORKERS }, (_, n) => [`${n}`]);
  const waits = labels.map((wanted) => next({ labels: wanted, wait_seconds: 20 }));
  await expect.poll(() => waitingRequests(api, "poll")).toBe(WORKERS);
  await whileLocked(api, db, () => {
    const woken = db.query("SELECT pg_notify($1, $2)", [CHANNEL, `tasks:${organization.id}`]);
    return [woken];
  });
  await Promise.all(labels.map((wanted) => task({ labels: wanted })));
  const found = await Promise.all(waits);
  expect(found.map((one) => one.task?.labels)).toEqual(labels);
});

test("A change of labels wakes waiting workers, and another change does not", async ({
  server: { api },
  db,
  organization: { id: organizationId },
  key,
}) => {
  const { id } = await leaseClient(api, key).task();
  await db.query("UPDATE organizations SET tasks_awaited_until = unix_now() + 60 WHERE id = $1", [
    organizationId,
  ]);
  const heard: unknown[] = [];
  const listener = await db.connect();
  listener.on("notification", ({ payload }) => heard.push(payload));
  await listener.query(`LISTEN ${CHANNEL}`);
  for (const body of [{ priority: "high", name: "Renamed", due_at: null }, { labels: ["a"] }]) {
    expectStatus(await api("PATCH", `/api/tasks/${id}`, { key, body }), 200);
    await db.query("SELECT pg_notify($1, 'changed')", [CHANNEL]);
  }
  const topic = `tasks:${organizationId}`;
  const own = () => heard.filter((payload) => payload === topic || payload === "changed");
  await expect.poll(own).toEqual(["changed", topic, "changed"]);
  listener.release(true);
});

test("Blockers of one owner are added one at a time, and captures find a connection", async ({
  server: { api },
  db,
}) => {
  const { task } = leaseClient(api);
  const { id: blocker } = await task();
  const tasks = await Promise.all(Array.from({ length: WORKERS }, () => task()));
  const lock = "SELECT pg_advisory_xact_lock(hashtextextended('task_blockers:public', 4))";
  const added = await whileLocked(
    api,
    db,
    () => tasks.map(({ id }) => finishClient(api).tryBlock(id, blocker)),
    { lock, turns: 1 },
  );
  for (const response of added) expectStatus(response, 204);
});

test("Creates with one external ID, or one claim token, run one at a time, and captures find a connection", async ({
  server: { api },
  db,
  organization,
  key,
}) => {
  const external = JSON.stringify(["task", organization.id, "same"]);
  const puts = await whileLocked(
    api,
    db,
    () =>
      Array.from({ length: WORKERS }, () =>
        api("PUT", "/api/tasks/external/same", { key, body: { name: "Same" } }),
      ),
    { lock: `SELECT pg_advisory_xact_lock(hashtextextended('${external}', 0))`, turns: 1 },
  );
  expect(countStatuses(puts)).toEqual({ 200: WORKERS - 1, 201: 1 });

  const { claim_token: token = "" } = await leaseClient(api).task();
  const joined = await whileLocked(
    api,
    db,
    () =>
      Array.from({ length: WORKERS }, () =>
        api("POST", "/api/tasks", { body: { name: "More" }, headers: { "claim-with": token } }),
      ),
    { lock: `SELECT pg_advisory_xact_lock(hashtextextended('${sha256(token)}', 5))`, turns: 1 },
  );
  for (const response of joined) expectStatus(response, 201);
});

/** Begins requests of which so many wait for the lock: no more hold a connection, and captures are answered. */
async function whileLocked<Result>(
  api: Api,
  db: Pool,
  begin: () => Promise<Result>[],
  {
    lock = "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE",
    turns = 2,
    whileTheyWait = async () => {},
  } = {},
): Promise<Result[]> {
  const { id } = await makeEndpoint(api);
  return whileHeld(db, lock, async (end) => {
    const begun = begin();
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBe(turns);
    await Promise.all(Array.from({ length: 20 }, () => capture(api, id, { raw: "x" })));
    expect(await lockWaits(db)).toBe(turns);
    await whileTheyWait();
    await end();
    return Promise.all(begun);
  });
}
