import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import {
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { ApiError, invalidParam, quote } from "@/lib/platform/errors";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators, markChange } from "@/lib/resources/claim-token";
import { IS_BLOCKED } from "./blocked";
import type { Task } from "./contract";
import { publishReady } from "./ready-topic";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { findTask } from "./service";

export const BLOCKERS_MAX = 100;
/** The maximum number of tasks that the search for a cycle reads. */
const SEARCHED_MAX = 10_000;

/** The blockers of a task, newest first. Throws 404 and 403. */
export async function listBlockers(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<Task>> {
  const task = await findTask(caller, id);
  return listNewest<TaskRow, Task>(
    {
      table: sql`tasks`,
      columns: TASK_COLUMNS,
      longTexts: [sql`description`, sql`external_id`],
      conditions: [
        sql`id IN (SELECT blocker_id FROM task_blockers WHERE task_id = ${id})`,
        sql`(organization_id IS NULL OR organization_id = ${task.organization_id})`,
      ],
      serialize: serializeTask,
    },
    listQuery,
  );
}

/**
 * Makes a task wait until another is done. Idempotent. Throws 404 and 403 for either task, 400 if
 * they have different owners or the task has too many blockers, and 409 `blocker_cycle`.
 */
export async function addBlocker(caller: Caller, id: string, blockerId: string): Promise<void> {
  const [task, blocker] = await Promise.all([findTask(caller, id), findTask(caller, blockerId)]);
  if (task.organization_id !== blocker.organization_id) {
    throw invalidParam("blockerId", "Both tasks must be public, or both belong to you.");
  }
  const byCreator = await isCreators(caller, sql`tasks`, id);
  const found = await transaction(async (db) => {
    // Two requests together could close a cycle. So each owner's blockers are added one at a time,
    // and the statement after the lock sees the earlier links.
    const lock = `task_blockers:${task.organization_id ?? "public"}`;
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 4))`, db);
    return insert(caller, { id, blockerId, byCreator }, db);
  });
  if (!found) {
    await addBlocker(caller, id, blockerId); // one was deleted or claimed: throws the reason
  } else if (found.closes_cycle) {
    throw new ApiError("blocker_cycle", cycleMessage(id, blockerId), { param: "blockerId" });
  } else if (found.blockers >= BLOCKERS_MAX && !found.exists) {
    throw invalidParam("blockerId", `A task can have at most ${BLOCKERS_MAX} blockers.`);
  } else if (found.searched > SEARCHED_MAX) {
    const many = `More than ${SEARCHED_MAX} tasks block ${quote(blockerId)}`;
    throw invalidParam("blockerId", `${many}, too many to rule out a cycle.`);
  }
}

/** Removes a blocker. Idempotent. Throws 404 and 403 for the task. */
export async function removeBlocker(caller: Caller, id: string, blockerId: string): Promise<void> {
  const byCreator = await isCreators(caller, sql`tasks`, id);
  const found = await queryOne(sql`
    WITH task AS (
      -- Lock the task before the link, in the order that deletion uses.
      SELECT id, organization_id FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR NO KEY UPDATE
    ), removed AS (
      DELETE FROM task_blockers AS link USING task
      WHERE link.task_id = task.id AND link.blocker_id = ${blockerId}
      RETURNING task.id, task.organization_id
    ), recorded AS (
      ${recordChanges("tasks", "blocker_removed", sql`removed`, actorOf(caller))}
    ), marked AS (${mark(sql`removed`, byCreator)})
    SELECT id, ${publishReady(sql`(SELECT organization_id FROM task)`)} FROM task`);
  if (found) return;
  await findTask(caller, id); // throws the reason
  await removeBlocker(caller, id, blockerId);
}

/** Which of these tasks wait for a blocker, of those that are open and the caller's to reach. */
export async function listBlocked(caller: Caller, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(sql`
    SELECT id FROM tasks
    WHERE id = ANY (${ids}::text[]) AND ${mayReach(caller)} AND NOT labels @> '{done}'::text[]
      AND ${IS_BLOCKED}`);
  return new Set(rows.map(({ id }) => id));
}

/** An `UPDATE` of public tasks whose blockers anyone but the creator changed. */
function mark(changed: Sql, byCreator: boolean): Sql {
  return sql`UPDATE tasks SET ${markChange(sql`tasks`, byCreator)}
    WHERE id IN (SELECT id FROM ${changed}) AND organization_id IS NULL AND NOT ${byCreator}`;
}

interface Found {
  exists: boolean;
  blockers: number;
  searched: number;
  closes_cycle: boolean;
}

/** Inserts the link, unless a rule forbids it. Undefined if a task is gone or not the caller's. */
function insert(
  caller: Caller,
  { id, blockerId, byCreator }: { id: string; blockerId: string; byCreator: boolean },
  db: Transaction,
): Promise<Found | undefined> {
  return queryOne<Found>(
    sql`
    WITH RECURSIVE pair AS (
      -- The lock keeps the foreign keys valid: a deletion waits.
      SELECT task.id AS task_id, task.organization_id, blocker.id AS blocker_id
      FROM (SELECT id, organization_id FROM tasks WHERE id = ${id} AND ${mayReach(caller)}
            FOR KEY SHARE) AS task
      JOIN (SELECT id, organization_id FROM tasks WHERE id = ${blockerId} AND ${mayReach(caller)}
            FOR KEY SHARE) AS blocker
        ON blocker.organization_id IS NOT DISTINCT FROM task.organization_id
    ), upstream (id) AS (
      -- A task that blocks nothing is on no cycle, which avoids most searches.
      SELECT blocker_id FROM pair
      WHERE task_id = blocker_id
         OR EXISTS (SELECT FROM task_blockers AS link WHERE link.blocker_id = pair.task_id)
      UNION
      SELECT link.blocker_id FROM upstream JOIN task_blockers AS link ON link.task_id = upstream.id
    ), searched AS (
      -- The limit ends the recursion.
      SELECT id FROM upstream LIMIT ${SEARCHED_MAX + 1}
    ), found AS (
      SELECT pair.*, (SELECT count(*) FROM searched) AS searched,
             EXISTS (SELECT FROM searched WHERE id = task_id) AS closes_cycle,
             (SELECT count(*) FROM task_blockers AS link WHERE link.task_id = pair.task_id) AS blockers,
             EXISTS (SELECT FROM task_blockers AS link
                     WHERE link.task_id = pair.task_id AND link.blocker_id = pair.blocker_id) AS exists
      FROM pair
    ), written AS (
      INSERT INTO task_blockers (task_id, blocker_id)
      SELECT task_id, blocker_id FROM found
      WHERE NOT closes_cycle AND searched <= ${SEARCHED_MAX} AND blockers < ${BLOCKERS_MAX}
      ON CONFLICT DO NOTHING
      RETURNING task_id AS id
    ), recorded AS (
      ${recordChanges(
        "tasks",
        "blocker_added",
        sql`(SELECT written.id, organization_id FROM written CROSS JOIN pair)`,
        actorOf(caller),
      )}
    ), marked AS (${mark(sql`written`, byCreator)})
    SELECT exists, blockers, searched, closes_cycle FROM found`,
    db,
  );
}

function cycleMessage(id: string, blockerId: string): string {
  if (id === blockerId) return "A task cannot block itself.";
  return `The task already blocks ${quote(blockerId)}, directly or through other tasks.`;
}
