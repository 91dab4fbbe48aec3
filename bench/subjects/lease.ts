import { type Contender, compare } from "../compare";
import type { Request } from "../load";
import { makeKey, type Stage } from "../stage";
import type { Table } from "../table";

const MANY = 100_000;

/** `lease-next` of an organization with many open tasks, by 50 workers beside one; and of one with many that are done. */
export async function lease(stage: Stage, table: Table) {
  const service = await stage.service();
  const keys = {
    few: await organization(stage, "few", 5000, 0),
    open: await organization(stage, "open", MANY, 0),
    done: await organization(stage, "done", 5000, MANY),
  };
  const release = async () => {
    await stage.db.query(
      "UPDATE tasks SET lease_id = NULL, lease_holder = NULL, lease_expires_at = NULL WHERE lease_id IS NOT NULL",
    );
    await stage.db.query("VACUUM ANALYZE tasks");
  };
  const leasing = (name: string, key: string, workers: number): Contender => ({
    ...stage.repeating(service, workers, leaseNext(key), name),
    before: release,
  });
  const [one, fifty, few, done] = await compare([
    leasing("1 worker", keys.open, 1),
    leasing("50 workers", keys.open, 50),
    leasing("1 worker over 5000 tasks", keys.few, 1),
    leasing("done", keys.done, 1),
  ]);
  table.row("lease-next, 50 workers over 100 000 tasks", fifty, one);
  table.row("lease-next, 1 worker over 100 000 tasks", one, few);
  table.row("lease-next, 1 worker over 5000 tasks and 100 000 done", done, few);
}

function leaseNext(key: string): Request {
  return {
    method: "POST",
    path: "/api/tasks/lease-next",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: '{"holder":"bench","labels":["x"],"not_labels":["done"]}',
  };
}

/** Creates tasks of every priority, the done ones more urgent. Returns a key. */
async function organization(stage: Stage, name: string, open: number, done: number) {
  const key = await makeKey(stage.db, name);
  await stage.db.query(
    `INSERT INTO tasks (id, organization_id, name, priority, due_at, labels)
     SELECT 'tsk_' || $1::text || n, 'org_' || $1, 'Task ' || n,
            CASE WHEN n > $2 THEN 'critical' ELSE ('{low,medium,high}'::task_priority[])[1 + n % 3] END,
            CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n > $2 THEN '{x,done}' ELSE '{x}'::text[] END
     FROM generate_series(1, $2::int + $3::int) AS n`,
    [name, open, done],
  );
  return key;
}
