import { expect, QUIET, test } from "../support/fault-fixtures";
import { leaseClient } from "../support/leases";
import { ask } from "../support/questions";

const BLOCKED = 5000;
const ROUNDS = 20;

test("Beside many blocked tasks that are more urgent, leasing the next one reads only a few rows", async ({
  db,
  key,
  start,
}) => {
  const server = await start(QUIET);
  const { task, next } = leaseClient(server.api, key);
  const blocker = await task({ name: "Last", priority: "low" });
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, priority)
     SELECT 'tsk_' || n, organization_id, 'Blocked', 'critical'
     FROM tasks, generate_series(1, $2::integer) AS n WHERE id = $1`,
    [blocker.id, BLOCKED],
  );
  await db.query("ANALYZE tasks");
  const question = await ask(server.api, key);
  const links = [
    ["task_blockers", blocker.id, 0],
    ["task_questions", question.id, 1],
  ] as const;
  for (const [table, by, rest] of links) {
    await db.query(
      `INSERT INTO ${table} SELECT id, $1 FROM tasks
       WHERE priority = 'critical' AND substr(id, 5)::integer % 2 = $2`,
      [by, rest],
    );
  }
  await db.query("SELECT pg_stat_force_next_flush()");
  const before = await entriesRead();
  for (let round = 0; round < ROUNDS; round += 1) {
    const free = await task({ name: "Free", priority: "medium" });
    expect((await next()).task?.id).toBe(free.id);
  }
  await server.stop(); // its connections report their statistics when they close
  await expect.poll(async () => (await entriesRead()) - before).toBeGreaterThan(ROUNDS);
  expect((await entriesRead()) - before).toBeLessThan(ROUNDS * BLOCKED * 0.1);

  async function entriesRead(): Promise<number> {
    const { rows } = await db.query<{ entries: number }>(
      "SELECT sum(idx_tup_read)::integer AS entries FROM pg_stat_user_indexes WHERE relname = 'tasks'",
    );
    return rows[0]?.entries ?? 0;
  }
});
