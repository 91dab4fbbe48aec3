import { organizationOf, unchangedSinceRead } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { assignments, type Db, join, query, queryOne, sql } from "@/lib/db/sql";
import type { Precondition } from "@/lib/http/conditional";
import { emptyList, type List } from "@/lib/http/list";
import { listNewest } from "@/lib/http/newest";
import { claimableKind } from "@/lib/resources/kind";
import {
  type CreatedTask,
  Task,
  type TaskCreate,
  type TaskListQuery,
  type TaskUpdate,
} from "./contract";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { announceReady } from "./waiting";

export const claimableTask = claimableKind<TaskRow>({
  name: "tasks",
  schema: Task,
  table: sql`tasks`,
  columns: TASK_COLUMNS,
  serialize: serializeTask,
});

export const { find: findTask, remove } = claimableTask;

/** The tasks of the caller's organization, newest first. Empty for anonymous callers. */
export async function list(caller: Caller, listQuery: TaskListQuery): Promise<List<Task>> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return emptyList(listQuery);
  const conditions = [sql`organization_id = ${organizationId}`];
  if (listQuery.label) conditions.push(sql`labels @> ${listQuery.label}::text[]`);
  if (listQuery.not_label) conditions.push(sql`NOT labels && ${listQuery.not_label}::text[]`);
  if (listQuery.priority) conditions.push(sql`priority = ANY (${listQuery.priority}::text[])`);
  if (listQuery.due_before !== undefined) conditions.push(sql`due_at < ${listQuery.due_before}`);
  if (listQuery.due_after !== undefined) conditions.push(sql`due_at > ${listQuery.due_after}`);
  if (listQuery.q !== undefined) {
    const within = likePattern(listQuery.q);
    conditions.push(sql`(name ILIKE ${within} OR description ILIKE ${within})`);
  }
  if (listQuery.external_id !== undefined) {
    conditions.push(sql`external_id = ${listQuery.external_id}`);
  }
  return listNewest<TaskRow, Task>(
    {
      table: sql`tasks`,
      columns: TASK_COLUMNS,
      longTexts: [sql`description`, sql`external_id`],
      conditions,
      serialize: serializeTask,
    },
    listQuery,
  );
}

/** Creates a task in the caller's organization, or a public one with a claim token. */
export async function create(caller: Caller, input: TaskCreate, db?: Db): Promise<CreatedTask> {
  const { id, ...ticket } = claimableTask.newTicket(caller);
  const [row] = await query<TaskRow>(
    sql`INSERT INTO tasks (id, organization_id, claim_token_digest, name, description, priority,
                           due_at, labels, external_id)
        VALUES (${id}, ${organizationOf(caller)}, ${ticket.digest}, ${input.name},
                ${input.description ?? null}, ${input.priority ?? "low"}, ${input.due_at ?? null},
                ${input.labels ?? []}, ${input.external_id ?? null})
        RETURNING ${TASK_COLUMNS}, ${announceReady(sql`tasks.organization_id`)}`,
    db,
  );
  if (!row) throw new Error("An insert returned no row.");
  return { ...serializeTask(row), ...ticket.fields };
}

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Task> {
  return serializeTask(await findTask(caller, id));
}

/** Throws 404, 403, and 412 when the precondition fails. */
export async function update(
  caller: Caller,
  id: string,
  changes: TaskUpdate,
  precondition?: Precondition,
): Promise<Task> {
  const row = await findTask(caller, id);
  precondition?.(serializeTask(row));
  const changed = assignments({
    name: changes.name,
    description: changes.description,
    priority: changes.priority,
    due_at: changes.due_at,
    labels: changes.labels === null ? [] : changes.labels,
    external_id: changes.external_id,
  });
  if (changed.length === 0) return serializeTask(row);
  const updated = await queryOne<TaskRow>(sql`
    UPDATE tasks SET ${join(changed, ", ")}, updated_at = unix_now(), revision = revision + 1
    WHERE id = ${id} AND ${unchangedSinceRead(row, precondition)}
    RETURNING ${TASK_COLUMNS}, ${announceReady(sql`tasks.organization_id`)}`);
  return updated ? serializeTask(updated) : update(caller, id, changes, precondition);
}

/** A `LIKE` pattern that matches the literal text anywhere. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
