import { hash } from "node:crypto";
import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators, markChange } from "@/lib/resources/claim-token";
import { tooManyLabels } from "./change-labels";
import { LABELS_MAX, type Task } from "./contract";
import { LOCKED_LEASE, type LockedTask, leaseLost } from "./lease";
import { insertNote, tooManyNotes } from "./notes";
import { NOTES_MAX, type TaskCompletion } from "./notes-contract";
import { publishReady } from "./ready-topic";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { findTask } from "./service";

interface Completed extends LockedTask {
  is_holder: boolean;
  label_count: number;
}

/**
 * Labels a task `done`, removes `in-progress`, releases its lease and adds a note. A repeat changes
 * nothing. With `lease_id` it throws 409 `lease_lost` unless that is the task's last lease and was
 * not released. Throws 404, 403, and 400 for too many labels or notes.
 */
export async function complete(
  caller: Caller,
  id: string,
  input: TaskCompletion,
  commit: Commit,
): Promise<Task> {
  const byCreator = await isCreators(caller, id);
  const task = await commit(async (db) => {
    const row = await writeCompletion(caller, id, { ...input, byCreator }, db);
    if (!row) return UNRECORDED;
    if (row.done) return serializeTask(row);
    if (!row.is_holder) throw leaseLost(row);
    if (row.label_count > LABELS_MAX) throw tooManyLabels(undefined, row.label_count);
    throw tooManyNotes("note");
  });
  if (task !== UNRECORDED) return task;
  await findTask(caller, id); // throws the reason
  return complete(caller, id, input, commit);
}

/** The locked task and, if it could be completed, the task afterwards; undefined without access. */
function writeCompletion(
  caller: Caller,
  id: string,
  input: TaskCompletion & { byCreator: boolean },
  db?: Transaction,
) {
  const { lease_id: leaseId, note, byCreator } = input;
  // The same note of another caller or under another lease is not a repeat.
  const request = JSON.stringify([actorOf(caller), leaseId ?? null, note]);
  const digest = note === undefined ? null : hash("sha256", request, "hex");
  // Decided on the locked row, so that a concurrent repeat finds the task done with this note.
  return queryOne<Completed & (({ done: true } & TaskRow) | { done: false })>(
    sql`
    WITH task AS (
      SELECT id, organization_id, labels, note_count, ${LOCKED_LEASE},
             ${leaseId ?? null}::text IS NULL OR (
               lease_id = ${leaseId ?? null} AND (lease_holder IS NOT NULL OR labels @> '{done}')
             ) AS is_holder,
             ${digest}::text IS NOT NULL AND NOT (
               labels @> '{done}' AND coalesce(strpos(completion_digest, ${digest}), 0) > 0
             ) AS is_noted
      FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE
    ), wanted AS (
      SELECT ARRAY(SELECT label FROM unnest(task.labels) WITH ORDINALITY AS kept (label, place)
                   WHERE label <> 'in-progress' ORDER BY place)
          || CASE WHEN task.labels @> '{done}' THEN '{}' ELSE '{done}'::text[] END AS labels
      FROM task
    ), written AS (
      UPDATE tasks SET labels = wanted.labels, lease_holder = NULL, lease_expires_at = NULL,
        note_count = tasks.note_count + is_noted::int,
        completion_digest = nullif(concat(
          CASE WHEN task.labels @> '{done}' THEN completion_digest END,
          CASE WHEN is_noted THEN ${digest}::text END), ''),
        updated_at = CASE WHEN wanted.labels = task.labels THEN updated_at ELSE unix_now() END,
        revision = revision + (wanted.labels <> task.labels)::int,
        ${markChange(sql`tasks`, byCreator)}
      FROM task CROSS JOIN wanted
      WHERE tasks.id = task.id AND is_holder AND cardinality(wanted.labels) <= ${LABELS_MAX}
        AND tasks.note_count + is_noted::int <= ${NOTES_MAX}
      RETURNING tasks.*, is_noted, wanted.labels <> task.labels AS is_changed,
        task.holder IS NOT NULL AS was_leased
    ), recorded AS (
      ${recordChanges(
        "tasks",
        sql`CASE WHEN changed.is_changed THEN 'completed' ELSE 'note_added' END`,
        sql`(SELECT * FROM written WHERE is_changed OR is_noted)`,
        actorOf(caller),
      )}
    ), released AS (
      ${recordChanges(
        "tasks",
        "released",
        sql`(SELECT * FROM written WHERE was_leased AND NOT is_changed)`,
        actorOf(caller),
      )}
    ), noted AS (
      ${insertNote(caller, note ?? null, sql`(SELECT * FROM written WHERE is_noted)`)}
    )
    SELECT held, holder, expires_at, seconds_left, is_holder,
           cardinality(wanted.labels) AS label_count, done.id IS NOT NULL AS done, done.*,
           ${publishReady(sql`done.organization_id`)}
    FROM task CROSS JOIN wanted LEFT JOIN (SELECT ${TASK_COLUMNS} FROM written) AS done ON true`,
    db,
  );
}
