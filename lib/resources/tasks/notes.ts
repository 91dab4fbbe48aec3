import { mayReach, shownName } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { invalidParam } from "@/lib/platform/errors";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { toResource } from "@/lib/resources/to-resource";
import { NOTES_MAX, type NoteCreate, TaskNote } from "./notes-contract";
import { findTask } from "./service";

/** The notes of a task, newest first. Throws 404 and 403. */
export async function listNotes(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<TaskNote>> {
  await findTask(caller, id);
  return listNewest<NoteRow, TaskNote>(
    {
      table: sql`task_notes`,
      columns: NOTE_COLUMNS,
      longTexts: ["body"],
      // Checks the owner again: the task may have been claimed since `findTask` read it.
      conditions: [sql`task_id = (SELECT id FROM tasks WHERE id = ${id} AND ${mayReach(caller)})`],
      serialize: (row) => toResource(TaskNote, row, { author: shownName(caller, row.author) }),
    },
    listQuery,
  );
}

/** Adds a note to a task. Throws 404, 403, and 400 if the task has too many notes. */
export async function addNote(
  caller: Caller,
  id: string,
  input: NoteCreate,
  commit: Commit,
): Promise<TaskNote> {
  const note = await commit(async (db) => {
    const row = await insertCounted(caller, id, input, db);
    return row ? toResource(TaskNote, row, {}) : UNRECORDED;
  });
  if (note !== UNRECORDED) return note;
  await findTask(caller, id); // throws the reason
  throw tooManyNotes("body");
}

/** Undefined if the caller may not write to the task, or if it has too many notes. */
function insertCounted(caller: Caller, id: string, input: NoteCreate, db?: Transaction) {
  // The row lock of the count keeps concurrent notes within the maximum.
  return queryOne<NoteRow>(
    sql`
    WITH task AS (
      UPDATE tasks SET note_count = note_count + 1
      WHERE id = ${id} AND ${mayReach(caller)} AND note_count < ${NOTES_MAX}
      RETURNING id, organization_id
    ), recorded AS (
      ${recordChanges("tasks", "note_added", sql`task`, actorOf(caller))}
    )
    ${insertNote(caller, input.body, sql`task`)}
    RETURNING ${NOTE_COLUMNS}`,
    db,
  );
}

/** An `INSERT` of a note for each task of the `WITH` query `tasks`, which counts it. */
export function insertNote(caller: Caller, body: string | null, tasks: Sql): Sql {
  return sql`
    INSERT INTO task_notes (task_id, id, author, author_id, body)
    SELECT task.id, ${newId("note")}, ${authorOf(caller)}, ${body} FROM ${tasks} AS task`;
}

export function tooManyNotes(param: string) {
  return invalidParam(param, `A task can have at most ${NOTES_MAX} notes.`);
}

/** The key's name and the person's ID, unless the task is public: strangers read its notes. */
function authorOf(caller: Caller): Sql {
  if (caller.kind === "anonymous") return sql`NULL, NULL`;
  const isOwn = sql`task.organization_id = ${caller.organizationId}`;
  return caller.kind === "key"
    ? sql`CASE WHEN ${isOwn} THEN (SELECT name FROM api_keys WHERE id = ${caller.keyId}) END, NULL`
    : sql`NULL, CASE WHEN ${isOwn} THEN ${caller.userId}::text END`;
}

const STORED = columns("TaskNote", "id, task_id, body, created_at");

/** A person is named by their address, as long as they have an account. */
const NOTE_COLUMNS = sql`${STORED},
  coalesce(author, (SELECT email FROM users WHERE users.id = author_id)) AS author`;

type NoteRow = RowOf<typeof STORED> & Row<"TaskNote", "author">;
