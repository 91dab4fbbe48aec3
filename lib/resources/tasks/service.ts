import type { Caller } from "@/lib/platform/caller";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { sql } from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import type { List } from "@/lib/platform/lists/list";
import { type Insertion, inserter } from "@/lib/resources/insertion";
import { resource } from "@/lib/resources/resource";
import { RUN_COLUMNS, type RunColumns } from "@/lib/resources/run-headers";
import { givenColumns } from "@/lib/resources/update";
import { type CreatedTask, Task, TaskCreate, type TaskListQuery, TaskUpdate } from "./contract";
import { type HeldFilter, taskConditions } from "./filters";
import { taskKind } from "./kind";
import { FORGET_COMPLETIONS, labelled, progressMade } from "./labels";
import { publishReady } from "./ready-topic";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";

export const tasks = resource(taskKind, {
  schema: Task,
  columns: TASK_COLUMNS,
  serialize: serializeTask,
  get,
  longTexts: ["description"],
  // A lease and a note are uses too, although they leave `updated_at` alone.
  lastUsedAt: sql`greatest(updated_at, lease_expires_at, (
    SELECT note.created_at FROM task_notes AS note WHERE note.task_id = tasks.id
    ORDER BY note.id DESC LIMIT 1))`,
  notify: publishReady(sql`tasks.organization_id`),
});

export const { remove } = tasks;

const OWNER_COLUMNS = columns("Task", "organization_id, revision");

/** Checks access without reading the texts. Throws 404 and 403. */
export const { find: findTask } = tasks.reader<RowOf<typeof OWNER_COLUMNS>>(OWNER_COLUMNS, {
  short: true,
});

const { load, find: findWithRun } = tasks.reader<TaskRow & RunColumns>(
  sql`${TASK_COLUMNS}, ${RUN_COLUMNS}`,
);

export { load };

/** The tasks of the caller's organization, newest first. Empty for anonymous callers. */
export function list(caller: Caller, listQuery: TaskListQuery & HeldFilter): Promise<List<Task>> {
  const { label, external_id } = listQuery;
  // Few tasks share an external ID.
  const through = (organizationId: string) =>
    label?.length && external_id === undefined ? labelled(organizationId, label) : undefined;
  const conditions = taskConditions(listQuery);
  return tasks.list(caller, listQuery, undefined, { conditions, through });
}

/** A new task of the caller's organization, or a public one with a claim token. */
export function creation(caller: Caller, input: TaskCreate): Insertion<CreatedTask> {
  const { identity, claim } = tasks.newIdentity(caller);
  const row = {
    name: input.name,
    description: input.description ?? null,
    priority: input.priority ?? "low",
    due_at: input.due_at ?? null,
    labels: input.labels ?? [],
    external_id: input.external_id ?? null,
    ...identity,
  };
  return insertion(caller, row, (made) => ({ ...serializeTask(made), ...claim }));
}

const insertion = inserter(taskKind, {
  columns: TaskCreate.keyof().options,
  others: ["schedule_id", "schedule_time"],
  computed: { changed_without_token: sql`coalesce(changed_without_token, false)` },
  returned: sql`, organization_id`,
  notify: publishReady(sql`written.organization_id`),
});

/** Throws 404, or 403 when another organization owns it. */
export async function get(
  caller: Caller,
  id: string,
  prefetched?: Promise<(TaskRow & RunColumns) | undefined>,
): Promise<Task> {
  return (await getWithRun(caller, id, prefetched)).task;
}

/** Like `get`, with the schedule that created it. */
export async function getWithRun(
  caller: Caller,
  id: string,
  prefetched?: Promise<(TaskRow & RunColumns) | undefined>,
): Promise<{ task: Task; run: RunColumns }> {
  const row = await findWithRun(caller, id, prefetched);
  return { task: serializeTask(row), run: row };
}

/** Throws 404, 403, and 412 when the precondition fails. */
export function update(
  caller: Caller,
  id: string,
  changes: TaskUpdate,
  precondition?: Precondition,
): Promise<Task> {
  const labels = changes.labels === null ? [] : changes.labels;
  return updateTask(caller, id, { ...changes, labels }, precondition);
}

const updateTask = tasks.updater({
  set: sql`${givenColumns("Task", TaskUpdate.keyof().options)}, ${FORGET_COMPLETIONS}`,
  // The labels as they were when the statement began.
  progress: sql`CASE WHEN item->'labels' IS NOT NULL THEN ${progressMade(
    sql`(SELECT before.labels FROM tasks AS before WHERE before.id = tasks.id)`,
  )} END`,
  // Nothing else that an update changes frees a task.
  notify: publishReady(sql`CASE WHEN item->'labels' IS NOT NULL THEN tasks.organization_id END`),
});
