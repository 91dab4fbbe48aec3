import { hash } from "node:crypto";
import { expectError, expectStatus } from "../support/expectations";
import { expect, PUBLIC, QUIET, test } from "../support/fault-fixtures";
import type { Api } from "../support/http";
import { whileHeld } from "../support/locks";
import { withOneServer } from "../support/one-server";
import { startHour } from "../support/windows";

/** Batches of which a part fails for reasons of the server. */

interface Result {
  data: { status: number; id: string | null; error: { code: string } | null }[];
  claim_token?: string;
}

const task = { method: "POST", path: "/api/tasks", body: { name: "One" } };
const gone = { method: "DELETE", path: "/api/tasks/tsk_gone" };
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
  await whileHeld(db, "LOCK TABLE artifacts IN EXCLUSIVE MODE", async () => {
    const cut = send(killed.api).catch(() => undefined);
    await expect.poll(tasks).toHaveLength(1);
    killed.kill("SIGKILL");
    await killed.exited;
    await cut;
  });
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

test("A batch whose database fails in the middle is 503, and its repeat creates nothing twice", async ({
  db,
  start,
}) => {
  // The first try uses four of six. The repeat uses two: creates that are already done are not counted again.
  const { api } = await start({ ...PUBLIC, ...QUIET, RATE_LIMIT_ANONYMOUS_CREATES: "6" });
  await startHour(db);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const send = () =>
    api("POST", "/api/batch", { headers, body: { operations: [gone, task, task, artifact] } });
  await whileHeld(db, "LOCK TABLE artifacts IN EXCLUSIVE MODE", async () => {
    const cut = send();
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await db.query(end)).rowCount).toBeGreaterThan(0);
    expectError(await cut, 503, "service_unavailable");
  });
  const response = await send();
  expectStatus(response, 200);
  const { data }: Result = JSON.parse(response.text);
  expect(data.map(({ status }) => status)).toEqual([404, 201, 201, 201]);
  expect((await db.query("SELECT id FROM tasks")).rowCount).toBe(2);
});

test("A repeat of a batch whose first create failed makes one claim token for all", async ({
  db,
  start,
}) => {
  const { api } = await start({ ...PUBLIC, ...QUIET });
  const headers = { "idempotency-key": crypto.randomUUID() };
  const send = () =>
    api("POST", "/api/batch", {
      headers,
      body: {
        operations: [
          task,
          artifact,
          task,
          { ...artifact, body: { ...artifact.body, name: "Three" } },
        ],
      },
    });
  const refuse = (table: string, name: string, code: string) =>
    db.query(`CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'refused' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW WHEN (NEW.name = '${name}')
      EXECUTE FUNCTION refuse_${table}()`);
  await refuse("tasks", "One", "XX000");
  await refuse("artifacts", "Three", "40001");
  expectError(await send(), 503, "service_unavailable");
  await db.query("DROP FUNCTION refuse_tasks, refuse_artifacts CASCADE");
  const response = await send();
  expectStatus(response, 200);
  const { data }: Result = JSON.parse(response.text);
  expect(data.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const { rows } = await db.query(
    "SELECT claim_token_digest FROM tasks UNION SELECT claim_token_digest FROM artifacts",
  );
  expect(rows).toHaveLength(1);
});

it("A repeat of a stopped batch gets the same response, and a batch of the rest with the claim token joins it", async ({
  db,
  server: { api },
}) => {
  await startHour(db);
  const old = await api("POST", "/api/tasks", { body: { name: "Old" } });
  const steps = [{ method: "DELETE", path: `/api/tasks/${old.body.id}` }, ...Array(5).fill(task)];
  const sent = async (operations: object[], headers: Record<string, string>) => {
    await startHour(db);
    return api("POST", "/api/batch", { headers, body: { operations } });
  };
  const statusesOf = ({ data }: Result) => data.map(({ status }) => status);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const first = await sent(steps, headers);
  expectStatus(first, 200);
  const stopped: Result = JSON.parse(first.text);
  expect(statusesOf(stopped)).toEqual([204, 201, 201, 201, 429, 429]);
  expect(Number(first.headers.need("retry-after"))).toBeGreaterThan(0);
  expectError(await sent(steps.slice(1), headers), 422, "idempotency_key_reused");
  const again = await sent(steps, headers);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.text).toBe(first.text);
  const rest = await sent(steps.slice(4), { "claim-with": stopped.claim_token ?? "" });
  expectStatus(rest, 200);
  const joined: Result = JSON.parse(rest.text);
  expect(statusesOf(joined)).toEqual([201, 201]);
  const { rows } = await db.query<{ id: string; claim_token_digest: string }>(
    "SELECT id, claim_token_digest FROM tasks",
  );
  const made = [...stopped.data.slice(1, 4), ...joined.data].map(({ id }) => id);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
  expect(new Set(rows.map((row) => row.claim_token_digest)).size).toBe(1);
});

it("After an operation that is a repeat, a batch counts all that are not", async ({
  db,
  server: { api },
}) => {
  await startHour(db);
  const key = crypto.randomUUID();
  const keyed = (value: string) => ({ "idempotency-key": value });
  // That of the batch's first operation.
  const first = hash("sha256", `batch 0 ${key}`, "base64url");
  const { body } = await api("POST", "/api/tasks", { body: task.body, headers: keyed(first) });
  const refused = { ...task, body: {} };
  const operations = [task, refused, gone, artifact, gone];
  const response = await api("POST", "/api/batch", { body: { operations }, headers: keyed(key) });
  expectStatus(response, 200);
  const { data }: Result = JSON.parse(response.text);
  expect(data[0]?.id).toBe(body.id);
  expect(data.map(({ status }) => status)).toEqual([201, 400, 404, 429, 429]);
});

it("Each operation of a batch counts against the rate limit, and after the limit none is tried", async ({
  db,
  server: { api },
}) => {
  await startHour(db);
  const send = (length: number) =>
    api("POST", "/api/batch", { body: { operations: Array.from({ length }, () => task) } });
  // The batch counts as the first.
  const small = await send(2);
  expect(small.headers.get("ratelimit")).toMatch(/^"default";r=2;t=\d+$/);
  const response = await send(4);
  expectStatus(response, 200);
  const { data }: Result = JSON.parse(response.text);
  expect(data.map(({ status }) => status)).toEqual([201, 201, 429, 429]);
  const codes = [undefined, undefined, "rate_limited", undefined];
  expect(data.map(({ error }) => error?.code)).toEqual(codes);
  const refused = await send(1);
  expectError(refused, 429, "rate_limited");
  for (const { headers } of [response, refused]) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
    expect(headers.get("ratelimit-policy")).toMatch(/^"default";q=4;w=\d+$/);
  }
});
