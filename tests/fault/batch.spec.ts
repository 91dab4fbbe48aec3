import { expectError, expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { withOneServer } from "../support/one-server";
import { moveClock, startHour } from "../support/windows";

/** Batches of which a part fails for reasons of the server. */

interface Result {
  data: { status: number; id: string | null; error: { code: string } | null }[];
  claim_token?: string;
}

const task = { method: "POST", path: "/api/tasks", body: { name: "One" } };
const artifact = { method: "POST", path: "/api/artifacts", body: { name: "Two", content: "x" } };

const it = withOneServer({ ...PUBLIC, ...QUIET, RATE_LIMIT_ANONYMOUS_CREATES: "4" });

test("A repeat of a batch that a crash cut short creates nothing twice", async ({
  db,
  key,
  start,
}) => {
  const headers = { "idempotency-key": crypto.randomUUID() };
  const send = (api: Api) =>
    api("POST", "/api/batch", { key, headers, body: { operations: [task, artifact] } });
  const tasks = async () => (await db.query<{ id: string }>("SELECT id FROM tasks")).rows;
  const killed = await start(QUIET);
  const blocker = await db.connect();
  try {
    await blocker.query("BEGIN; LOCK TABLE artifacts IN EXCLUSIVE MODE");
    const cut = send(killed.api).catch(() => undefined);
    await expect.poll(tasks).toHaveLength(1);
    killed.kill("SIGKILL");
    await killed.exited;
    await cut;
  } finally {
    blocker.release(true);
  }
  // Until then a repeat gets 409.
  await db.query("UPDATE idempotency_records SET owned_until = 0 WHERE owner IS NOT NULL");
  const { api } = await start(QUIET);
  const response = await send(api);
  expectStatus(response, 200);
  const { data }: Result = JSON.parse(response.text);
  expect(data.map(({ status }) => status)).toEqual([201, 201]);
  expect(await tasks()).toEqual([{ id: data[0]?.id }]);
  expect((await db.query("SELECT id FROM artifacts")).rows).toEqual([{ id: data[1]?.id }]);
});

it("A repeat of a batch that a rate limit stopped does the rest once, and keeps what was done", async ({
  db,
  server: { api },
}) => {
  await startHour(db);
  const old = await api("POST", "/api/tasks", { body: { name: "Old" } });
  const steps = [{ method: "DELETE", path: `/api/tasks/${old.body.id}` }, ...Array(6).fill(task)];
  const headers = { "idempotency-key": crypto.randomUUID() };
  const send = async (operations: object[]) => {
    await startHour(db);
    return api("POST", "/api/batch", { headers, body: { operations } });
  };
  const sent = async () => {
    const response = await send(steps);
    expectStatus(response, 200);
    const { data, claim_token }: Result = JSON.parse(response.text);
    return { response, data, claim_token, statuses: data.map(({ status }) => status) };
  };
  const first = await sent();
  expect(first.statuses).toEqual([204, 201, 201, 429, 429, 429, 429]);
  expect(Number(first.response.headers.need("retry-after"))).toBeGreaterThan(0);
  expectError(await send(steps.slice(1)), 422, "idempotency_key_reused");
  const second = await sent();
  expect(second.statuses).toEqual([204, 201, 201, 201, 201, 201, 429]);
  const third = await sent();
  expect(third.statuses).toEqual([204, 201, 201, 201, 201, 201, 201]);
  expect(third.response.headers.get("retry-after")).toBeNull();
  expect(second.data.slice(0, 3)).toEqual(first.data.slice(0, 3));
  expect(third.data.slice(0, 6)).toEqual(second.data.slice(0, 6));
  expect(third.claim_token).toBe(first.claim_token);
  const last = await sent();
  expect(last.response.headers.get("idempotency-replayed")).toBe("true");
  expect(last.response.text).toBe(third.response.text);
  const { rows } = await db.query<{ id: string; claim_token_digest: string }>(
    "SELECT id, claim_token_digest FROM tasks",
  );
  const made = third.data.slice(1).map(({ id }) => id);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
  expect(new Set(rows.map((row) => row.claim_token_digest)).size).toBe(1);
});

test("After its Retry-After a batch has room for itself and what is left, and is over soon", async ({
  db,
  key,
  start,
}) => {
  const limits = { RATE_LIMIT_ANONYMOUS_CREATES: "60", RATE_LIMIT_KEY: "60" };
  const { api } = await start({ ...PUBLIC, ...QUIET, ...limits });
  for (const caller of [{}, { key }]) {
    const send = (count: number, once = crypto.randomUUID()) => {
      const headers = { "idempotency-key": once };
      const body = { operations: Array(count).fill(task) };
      return api("POST", "/api/batch", { ...caller, headers, body });
    };
    const once = crypto.randomUUID();
    const created = async () => {
      const { status, text, headers } = await send(80, once);
      const { data = [] }: Partial<Result> = JSON.parse(text);
      const seconds = Number(headers.get("retry-after"));
      // The client waits for no longer.
      expect(seconds).toBeLessThanOrEqual(120);
      await moveClock(db, seconds);
      return status === 200 ? data.filter((one) => one.status === 201).length : status;
    };
    await startHour(db);
    // Leaves room for one request, which is the batch itself.
    expectStatus(await send(58), 200);
    expect([await created(), await created(), await created()]).toEqual([429, 59, 80]);
  }
});

it("Each operation of a batch counts against the rate limit, and after the limit none is tried", async ({
  db,
  server: { api },
}) => {
  await startHour(db);
  const send = () =>
    api("POST", "/api/batch", { body: { operations: Array.from({ length: 6 }, () => task) } });
  const response = await send();
  expectStatus(response, 200);
  const { data }: Result = JSON.parse(response.text);
  // The batch counts, too.
  expect(data.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429, 429]);
  expect(data.map(({ error }) => error?.code)).toEqual([
    ...[undefined, undefined, undefined, "rate_limited"],
    ...[undefined, undefined],
  ]);
  const refused = await send();
  expectError(refused, 429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});
