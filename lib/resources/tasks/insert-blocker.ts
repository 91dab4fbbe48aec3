import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { queryOne, raw, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { markChange } from "@/lib/resources/claim-token";
import { questionKind } from "@/lib/resources/questions/kind";
import { taskKind } from "./kind";

export const BLOCKERS_MAX = 100;
/**
 * The maximum number of tasks that wait for one blocker: the statement that ends it writes all of
 * them.
 */
export const WAITING_MAX = 10_000;
/** The maximum number of tasks and links, together, that the search for a cycle reads. */
export const SEARCHED_MAX = 20_000;

/** Whether a blocker is a question; otherwise it is a task. */
export function isQuestion(blockerId: string): boolean {
  return blockerId.startsWith(`${questionKind.prefix}_`);
}

/** The table of the links to blockers like this one. */
export function linksTo(blockerId: string): Sql {
  return isQuestion(blockerId) ? sql`task_questions` : sql`task_blockers`;
}

/** What an insert found, which decides whether it inserted the link. */
interface Found {
  exists: boolean;
  blockers: number;
  waiting: number;
  searched: number;
  closes_cycle: boolean;
}

/**
 * Inserts the link, unless a rule forbids it. Undefined if the task or the blocker is gone, not the
 * caller's, or not `owner`'s, whose lock the transaction has. Nothing blocks a question, so the search
 * ends there.
 */
export function insertBlocker(
  caller: Caller,
  {
    id,
    blockerId,
    owner,
    byCreator,
  }: { id: string; blockerId: string; owner: string | null; byCreator: boolean },
  db: Transaction,
): Promise<Found | undefined> {
  const links = linksTo(blockerId);
  const { table } = isQuestion(blockerId) ? questionKind : taskKind;
  return queryOne<Found>(
    sql`
    WITH RECURSIVE pair AS (
      -- A deletion of either waits for these locks. So does a claim of the task, after which its links belong
      -- under the lock of another owner. Blocker first, as everywhere.
      SELECT task.id AS task_id, task.organization_id, blocker.id AS blocker_id,
             EXISTS (SELECT FROM ${links} AS link
                     WHERE link.task_id = task.id AND link.blocker_id = blocker.id) AS exists
      FROM (SELECT id, organization_id FROM ${raw(table)} WHERE id = ${blockerId} AND ${mayReach(caller)}
            FOR KEY SHARE) AS blocker
      CROSS JOIN LATERAL (
        SELECT id, organization_id FROM tasks WHERE id = ${id} AND ${mayReach(caller)}
          AND organization_id IS NOT DISTINCT FROM ${owner}::text
          AND organization_id IS NOT DISTINCT FROM blocker.organization_id
        FOR NO KEY UPDATE
      ) AS task
    ), upstream (id, leads_to) AS (
      -- A row for each task and one for each link from it, so that the limit counts both. A task that
      -- blocks nothing is on no cycle, which avoids most searches.
      SELECT blocker_id, NULL::text COLLATE "C" FROM pair
      WHERE NOT pair.exists AND (task_id = blocker_id
         OR EXISTS (SELECT FROM task_blockers AS link WHERE link.blocker_id = pair.task_id))
      UNION
      SELECT next.* FROM upstream CROSS JOIN LATERAL (
        SELECT link.task_id, link.blocker_id FROM task_blockers AS link
        WHERE upstream.leads_to IS NULL AND link.task_id = upstream.id
        UNION ALL SELECT upstream.leads_to, NULL WHERE upstream.leads_to IS NOT NULL
      ) AS next
    ), searched AS (
      -- The limit ends the recursion.
      SELECT id FROM upstream LIMIT ${SEARCHED_MAX + 1}
    ), found AS (
      SELECT pair.*, (SELECT count(*) FROM searched) AS searched,
             EXISTS (SELECT FROM searched WHERE id = task_id) AS closes_cycle,
             (SELECT count(*) FROM (
                SELECT FROM task_blockers AS link WHERE link.task_id = pair.task_id
                UNION ALL SELECT FROM task_questions AS link WHERE link.task_id = pair.task_id
              ) AS links) AS blockers,
             -- Reads only entries of an index.
             (SELECT count(*) FROM (
                SELECT FROM ${links} AS link WHERE link.blocker_id = pair.blocker_id LIMIT ${WAITING_MAX}
              ) AS links) AS waiting
      FROM pair
    ), written AS (
      INSERT INTO ${links} (task_id, blocker_id)
      SELECT task_id, blocker_id FROM found
      WHERE NOT closes_cycle AND searched <= ${SEARCHED_MAX} AND blockers < ${BLOCKERS_MAX}
        AND waiting < ${WAITING_MAX}
      ON CONFLICT DO NOTHING
      RETURNING task_id AS id
    ), recorded AS (${recordChanges(
      "tasks",
      "blocker_added",
      sql`(SELECT written.id, organization_id FROM written CROSS JOIN pair)`,
      actorOf(caller),
    )}), marked AS (${markBlocked(sql`written`, byCreator)})
    SELECT exists, blockers, waiting, searched, closes_cycle FROM found`,
    db,
  );
}

/** An `UPDATE` of public tasks whose blockers anyone but the creator changed. */
export function markBlocked(changed: Sql, byCreator: boolean): Sql {
  return sql`UPDATE tasks SET ${markChange(sql`tasks`, byCreator)}
    WHERE id IN (SELECT id FROM ${changed}) AND organization_id IS NULL AND NOT ${byCreator}`;
}
