import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { LABELS_MAX } from "./contract";

/** Only the newest tasks are read, since an organization may have a hundred thousand. */
const TASKS_MAX = 1000;
const USED_LABELS_MAX = 100;
/** A label on this many tasks counts as common. */
const COMMON = 100;

/** The labels of the newest tasks of the caller's organization, most used first. */
export async function usedLabels(caller: Caller): Promise<string[]> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return [];
  const rows = await queryShown<{ label: string }>(sql`
    SELECT label
    FROM (SELECT labels FROM tasks WHERE ${ownedBy(organizationId)}
          ORDER BY ${NEWEST_OWNED} LIMIT ${TASKS_MAX}) AS newest, unnest(newest.labels) AS label
    GROUP BY label
    ORDER BY count(*) DESC, label
    LIMIT ${USED_LABELS_MAX}`);
  return rows.map(({ label }) => label);
}

/**
 * The tasks of an organization that have the rarest of the labels, ordered by `id`, written so that
 * the planner can use no other index. A row may name a label that the task no longer has.
 */
export function labelled(
  organizationId: string,
  labels: readonly string[],
): { source: Sql; id: Sql } {
  return {
    source: sql`
      (SELECT task_id FROM task_labels
       WHERE owner_id = ${organizationId} AND label = ${rarest(organizationId, labels)}) AS labelled
      CROSS JOIN LATERAL (SELECT * FROM tasks WHERE id = labelled.task_id OFFSET 0) AS tasks`,
    id: sql`labelled.task_id`,
  };
}

/** Few enough to sort. */
const RARE_MAX = 1000;

/** Whether few of the organization's tasks have one of the labels. */
export async function areRare(organizationId: string, labels: readonly string[]): Promise<boolean> {
  const counts = await queryShownOne<{ fewest: number }>(sql`
    SELECT min(count) AS fewest FROM unnest(${labels}::text[]) AS wanted (label), LATERAL (
      SELECT count(*) FROM (
        SELECT FROM task_labels AS one
        WHERE one.owner_id = ${organizationId} AND one.label = wanted.label
        ORDER BY one.task_id LIMIT ${RARE_MAX + 1}) AS counted) AS counts`);
  return counts !== undefined && counts.fewest <= RARE_MAX;
}

function rarest(organizationId: string, labels: readonly string[]): Sql {
  if (labels.length === 1) return sql`${labels[0]}`;
  // No task has more labels. Without the order, the planner may read all entries of a label.
  return sql`(
    SELECT wanted.label FROM unnest(${labels.slice(0, LABELS_MAX)}::text[]) AS wanted (label)
    ORDER BY (SELECT count(*) FROM (
      SELECT FROM task_labels AS one
      WHERE one.owner_id = ${organizationId} AND one.label = wanted.label
      ORDER BY one.task_id LIMIT ${COMMON}) AS counted)
    LIMIT 1)`;
}

/**
 * An assignment for every write of labels. It forgets the completions of a task that is not done, so that the next
 * completion adds its note, even if somebody else has labelled the task `done` by then.
 */
export const FORGET_COMPLETIONS = sql`completion_digest =
  CASE WHEN tasks.labels @> '{done}' THEN tasks.completion_digest END`;

/** The progress that an update of `tasks` gave the row, which had these labels; null if the same. */
export function progressMade(labelsBefore: Sql): Sql {
  return sql`nullif(${progressOf(sql`tasks.labels`)}, ${progressOf(labelsBefore)})`;
}

function progressOf(labels: Sql): Sql {
  return sql`CASE WHEN ${labels} @> '{done}' THEN 'done'
    WHEN ${labels} @> '{in-progress}' THEN 'in-progress' ELSE 'todo' END`;
}
