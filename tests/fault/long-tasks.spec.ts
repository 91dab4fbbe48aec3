import { expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { type ApiResponse, jsonOf } from "../support/http";
import type { Next } from "../support/leases";
import { whileHeld } from "../support/locks";
import { keyCookieOf } from "../support/people";
import { onResult } from "../support/sent-statements";
import { pause } from "../support/servers";

const TASKS = 40;
const BYTES = 200_000;
const LOCK = "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE";

test("Of tasks with long texts, a statement reads, changes or leases only a few", async ({
  databaseUrl,
  db,
  organization,
  key,
  start,
  startTcpProxy,
}) => {
  const results: number[] = [];
  const proxy = await startTcpProxy(
    databaseUrl,
    onResult((bytes) => results.push(bytes)),
  );
  const { api } = await start({ ...QUIET, DATABASE_URL: proxy.url });
  const ids = Array.from({ length: TASKS }, (_, index) => `tsk_${index}`);
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, description)
     SELECT id, $1, 'Long', repeat('x', $2) FROM unnest($3::text[]) AS id`,
    [organization.id, BYTES, ids],
  );

  /** Calls for all tasks at once, of which most arrive while the first wait for the table. */
  const together = async (call: (id: string) => Promise<ApiResponse>) => {
    results.length = 0;
    const responses = await whileHeld(db, LOCK, async (end) => {
      const calls = Promise.all(ids.map(call));
      await pause(300);
      await end();
      return calls;
    });
    for (const response of responses) expectStatus(response, 200);
    return { responses, most: Math.floor(Math.max(...results) / BYTES) };
  };

  const read = await together((id) => api("GET", `/api/tasks/${id}`, { key }));
  for (const { body } of read.responses) expect(body.description).toHaveLength(BYTES);
  expect(read.most).toBeLessThanOrEqual(4);
  const priority = { priority: "high" };
  const changed = await together((id) => api("PATCH", `/api/tasks/${id}`, { key, body: priority }));
  for (const { body } of changed.responses) expect(body).toMatchObject(priority);
  expect(changed.most).toBeGreaterThan(1);
  expect(changed.most).toBeLessThanOrEqual(20);
  const leased = await together(() =>
    api("POST", "/api/tasks/lease-next", { key, body: { holder: "worker" } }),
  );
  const found = leased.responses.map((response) => jsonOf<Next>(response).task?.id);
  expect(found.toSorted()).toEqual(ids.toSorted());
  expect(leased.most).toBeGreaterThan(1);
  expect(leased.most).toBeLessThanOrEqual(20);
});

test("A sorted list reads no long texts", async ({
  databaseUrl,
  db,
  organization,
  key,
  start,
  startTcpProxy,
}) => {
  const results: number[] = [];
  const proxy = await startTcpProxy(
    databaseUrl,
    onResult((bytes) => results.push(bytes)),
  );
  const { baseUrl } = await start({ ...QUIET, DATABASE_URL: proxy.url });
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, description, external_id)
     SELECT 'tsk_' || n, $1, 'Found', repeat('x', $2), repeat('x', $2) FROM generate_series(1, 3) AS n`,
    [organization.id, BYTES],
  );
  const headers = { cookie: await keyCookieOf(db, key) };
  for (const sort of ["due", "priority", "updated"]) {
    results.length = 0;
    const page = await fetch(`${baseUrl}/tasks?sort=${sort}`, { headers });
    expect(await page.text(), sort).toContain("Found");
    expect(Math.max(...results), sort).toBeLessThan(BYTES);
  }
});
