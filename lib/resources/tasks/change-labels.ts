import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators, markChange } from "@/lib/resources/claim-token";
import { LABELS_MAX, type LabelsChange, type Task } from "./contract";
import { FORGET_COMPLETIONS, progressMade } from "./labels";
import { publishReady } from "./ready-topic";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { findTask } from "./service";

/** Adds and removes labels, and touches no others. Throws 404, 403, and 400 for too many. */
export async function changeLabels(
  caller: Caller,
  id: string,
  change: LabelsChange,
  commit: Commit,
): Promise<Task> {
  const byCreator = await isCreators(caller, id);
  const task = await commit(async (db) => {
    const row = await writeLabels(caller, id, { ...change, byCreator }, db);
    if (!row) return UNRECORDED;
    if (row.label_count > LABELS_MAX) throw tooManyLabels("add", row.label_count);
    return serializeTask(row);
  });
  if (task !== UNRECORDED) return task;
  await findTask(caller, id); // throws the reason
  return changeLabels(caller, id, change, commit);
}

/** The task after the change; undefined if the caller may not write to it. */
function writeLabels(
  caller: Caller,
  id: string,
  { add = [], remove = [], byCreator }: LabelsChange & { byCreator: boolean },
  db?: Transaction,
) {
  // The row lock makes a concurrent writer wait and then change the labels just written. It is
  // taken only if the caller may write, so that strangers cannot hold it.
  return queryOne<TaskRow & { label_count: number }>(
    sql`
    WITH task AS (
      SELECT ${TASK_COLUMNS} FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE
    ), wanted AS (
      SELECT ARRAY(SELECT label FROM unnest(task.labels) WITH ORDINALITY AS kept (label, place)
                   WHERE label <> ALL (${remove}::text[]) ORDER BY place)
          || ARRAY(SELECT label FROM unnest(${[...new Set(add)]}::text[])
                     WITH ORDINALITY AS added (label, place)
                   WHERE label <> ALL (task.labels) ORDER BY place) AS labels
      FROM task
    ), written AS (
      UPDATE tasks SET labels = wanted.labels, updated_at = unix_now(), revision = tasks.revision + 1,
        ${FORGET_COMPLETIONS}, ${markChange(sql`tasks`, byCreator)}
      FROM task CROSS JOIN wanted
      WHERE tasks.id = task.id AND wanted.labels <> task.labels
        AND cardinality(wanted.labels) <= ${LABELS_MAX}
      RETURNING tasks.*, ${progressMade(sql`task.labels`)} AS progress
    ), recorded AS (
      ${recordChanges("tasks", "updated", sql`written`, actorOf(caller), sql`changed.progress`)}
    ), now_is AS (
      SELECT ${TASK_COLUMNS} FROM written
      UNION ALL SELECT ${TASK_COLUMNS} FROM task WHERE NOT EXISTS (SELECT FROM written)
    )
    SELECT now_is.*, cardinality(wanted.labels) AS label_count,
           ${publishReady(sql`(SELECT organization_id FROM written)`)}
    FROM now_is CROSS JOIN wanted`,
    db,
  );
}

export function tooManyLabels(param: string | undefined, count: number): ApiError {
  return new ApiError(
    "invalid_param",
    `A task can have at most ${LABELS_MAX} labels; this one would have ${count}.`,
    { param },
  );
}
