import * as z from "zod";
import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { text, unixSeconds } from "@/lib/platform/http/fields";
import { formPrecondition, stableTag } from "@/lib/resources/version";
import { LABELS_MAX, labels, priorities, type Task, type TaskUpdate } from "./contract";
import { progresses } from "./progress";
import { get, remove, update } from "./service";

/** How many tasks one call changes. */
const BULK_MAX = 100;
/** How many of them run concurrently. */
const TOGETHER = 10;

const ids = z
  .array(text({ min: 1, max: 100 }))
  .min(1)
  .max(BULK_MAX);

/** One change to several tasks. `label` is removed if all of them have it, and otherwise added. */
export const TasksChange = z.strictObject({
  ids,
  progress: z.enum(progresses).optional(),
  priority: z.enum(priorities).optional(),
  due_at: unixSeconds().nullable().optional(),
  label: text({ min: 1, max: 100 }).optional(),
});
export type TasksChange = z.infer<typeof TasksChange>;

export const TasksRemoval = z.strictObject({ ids });

/** How to undo a task's change: its earlier values, and the tag that it must still have. */
const Undo = z.strictObject({
  id: text({ min: 1, max: 100 }),
  tag: text({ max: 200 }),
  before: z.strictObject({
    priority: z.enum(priorities).optional(),
    due_at: unixSeconds().nullable().optional(),
    labels: labels.optional(),
  }),
});
export const TasksUndo = z.strictObject({ tasks: z.array(Undo).min(1).max(BULK_MAX) });
export type Undo = z.infer<typeof Undo>;

export interface BulkResult {
  /** For `undoChanges`, one for each task that was changed. */
  undo: Undo[];
  /** The number of unchanged tasks: deleted, another owner's, or changed at the same time. */
  failed: number;
}

/** Changes each of the tasks, unless someone else changes it at the same time. */
export async function changeTasks(caller: Caller, change: TasksChange): Promise<BulkResult> {
  const found = await each(change.ids, (id) => get(caller, id));
  const tasks = found.filter((task) => task !== undefined);
  const { label } = change;
  const removes = label !== undefined && tasks.every((task) => task.labels.includes(label));
  const undo = await each(tasks, async (task): Promise<Undo | null> => {
    const changes = changesOf(task, change, removes);
    const names = Object.keys(changes) as (keyof Undo["before"])[];
    if (names.length === 0) return null;
    const after = await update(caller, task.id, changes, formPrecondition(stableTag(task)));
    const before = Object.fromEntries(names.map((name) => [name, task[name]]));
    return { id: task.id, tag: stableTag(after), before };
  });
  const done = undo.filter((one) => one !== undefined);
  return {
    undo: done.filter((one) => one !== null),
    failed: change.ids.length - done.length,
  };
}

/** Restores each task that nobody has changed since. The result's `undo` is empty. */
export async function undoChanges(caller: Caller, undo: readonly Undo[]): Promise<BulkResult> {
  const restored = await each(undo, ({ id, before, tag }) =>
    update(caller, id, before, formPrecondition(tag)),
  );
  return { undo: [], failed: restored.filter((task) => task === undefined).length };
}

/** Deletes tasks. A task that no longer exists is not a failure. */
export async function removeTasks(caller: Caller, ids: readonly string[]): Promise<void> {
  await each(ids, async (id) => {
    await remove(caller, id);
  });
}

/** The fields whose values differ from the task's. */
function changesOf(task: Task, change: TasksChange, removes: boolean): TaskUpdate {
  const { progress, priority, due_at, label } = change;
  let kept = task.labels;
  if (progress !== undefined) {
    kept = kept.filter((one) => one !== "in-progress" && one !== "done");
    if (progress !== "todo") kept = [...kept, progress];
  }
  if (label !== undefined) {
    kept = kept.filter((one) => one !== label);
    if (!removes) kept = [...kept, label];
  }
  const isRelabelled =
    kept.length !== task.labels.length || kept.some((one) => !task.labels.includes(one));
  if (isRelabelled && kept.length > LABELS_MAX) {
    throw new ApiError("invalid_param", `A task can have at most ${LABELS_MAX} labels.`);
  }
  return {
    ...(priority !== undefined && priority !== task.priority && { priority }),
    ...(due_at !== undefined && due_at !== task.due_at && { due_at }),
    ...(isRelabelled && { labels: kept }),
  };
}

/** The results in order; undefined for each that the service refused. Throws all other errors. */
async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<(Result | undefined)[]> {
  const results: (Result | undefined)[] = [];
  for (let start = 0; start < items.length; start += TOGETHER) {
    const part = items.slice(start, start + TOGETHER);
    results.push(...(await Promise.all(part.map((item) => work(item).catch(refused)))));
  }
  return results;
}

function refused(thrown: unknown): undefined {
  const { status } = toApiError(thrown);
  // Other credential problems concern all of them.
  if (status >= 500 || status === 401 || status === 429) throw thrown;
}
