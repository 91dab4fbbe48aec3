import { sql } from "@/lib/platform/db/sql";
import { BLOCKING_QUESTIONS } from "@/lib/resources/questions/blocking";

/**
 * Whether a row of `tasks` waits for a task that is not done or for a question that blocks it. A
 * blocker that another organization has since claimed does not count. A scalar subquery runs row by
 * row, so a search in index order stops at its first match; the planner could turn an `EXISTS` into
 * a join of all rows.
 */
export const IS_BLOCKED = sql`coalesce((
  SELECT true FROM task_blockers AS link JOIN tasks AS blocker ON blocker.id = link.blocker_id
  WHERE link.task_id = tasks.id AND NOT blocker.labels @> '{done}'::text[]
    AND (blocker.organization_id IS NULL OR blocker.organization_id = tasks.organization_id)
  LIMIT 1
), (
  SELECT true FROM task_questions AS link JOIN ${BLOCKING_QUESTIONS} AS blocker ON blocker.id = link.blocker_id
  WHERE link.task_id = tasks.id AND blocker.blocks
    AND (blocker.organization_id IS NULL OR blocker.organization_id = tasks.organization_id)
  LIMIT 1), false)`;

/**
 * Which rows to read at all: an index of these omits most blocked tasks. `IS_BLOCKED` then decides.
 */
export const MAY_BE_READY = sql`tasks.waits_for IS NULL`;

/** The open tasks that `MAY_BE_READY` leaves out, which have an index of their own. */
export const WAITING = sql`NOT labels @> '{done}'::text[] AND waits_for IS NOT NULL`;

/** Whether tasks wait for a row of `questions`. */
export const BLOCKS_TASKS = sql`EXISTS (SELECT FROM task_questions WHERE blocker_id = questions.id)`;
