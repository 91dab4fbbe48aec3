import { type Sql, sql } from "@/lib/platform/db/sql";

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
