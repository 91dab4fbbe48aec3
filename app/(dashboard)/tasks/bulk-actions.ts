"use server";

import { revalidatePath } from "next/cache";
import * as z from "zod";
import { actor } from "@/app/_shared/act";
import { formAction, runAction } from "@/app/_shared/run-action";
import { requireAccount } from "@/app/_shared/session";
import { inTens } from "@/app/(dashboard)/_shared/in-tens";
import type { FormResult } from "@/components/ui/action-form";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { text } from "@/lib/platform/http/fields";
import { validate } from "@/lib/platform/http/validation";
import { logError } from "@/lib/platform/telemetry/log";
import { LabelsChange, type Task, TaskUpdate } from "@/lib/resources/tasks/contract";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";
import { stableTag } from "@/lib/resources/version";

/** How many tasks one call changes. */
const BULK_MAX = 100;

// A browser may send anything to an action.
const id = text({ min: 1, max: 100 });
const ids = z.array(id).min(1).max(BULK_MAX);
const { priority, due_at, labels } = TaskUpdate.shape;

const TasksChange = z.strictObject({ ids, priority, due_at, labels: LabelsChange.optional() });
export type TasksChange = z.infer<typeof TasksChange>;

/** How to undo a task's change: its earlier values, and the tag that it must still have. */
const Undo = z.strictObject({
  id,
  tag: text({ max: 200 }),
  before: z.strictObject({ priority, due_at, labels }),
});
export type Undo = z.infer<typeof Undo>;
const Undos = z.strictObject({ tasks: z.array(Undo).min(1).max(BULK_MAX) });

export interface BulkResult {
  /** The input of `undoChanges`, with one item for each changed task. In its own result, the items that are left. */
  undo: Undo[];
  /** The number of unchanged tasks: deleted, another owner's, changed at the same time, or not reached. */
  failed: number;
  /** Why some tasks were not reached, in words for the person. */
  stopped?: string | undefined;
}

/** Changes each of the tasks, unless someone else changes it at the same time. `owner` is the page's. */
export async function applyToTasks(
  wanted: TasksChange,
  owner?: string,
): Promise<FormResult | BulkResult> {
  return runAction(async () => {
    const change = validate(TasksChange, Object(wanted));
    await requireAccount();
    const get = await actor<Task>(tasks.get);
    const update = await actor<Task>(tasks.update);
    const read = await each(change.ids, async (id) => keptOf(await get({ params: { id } })));
    const found = read.results.filter((task) => task !== undefined);
    const changed = await each(found, async (task): Promise<Undo | null> => {
      const body = changesOf(task, change);
      const names = Object.keys(body) as (keyof Undo["before"])[];
      if (names.length === 0) return null;
      const params = { id: task.id };
      const after = await update({ params, body, tag: task.tag });
      const before = Object.fromEntries(names.map((name) => [name, task[name]]));
      return { id: task.id, tag: stableTag(after), before };
    });
    const done = changed.results.filter((one) => one !== undefined);
    revalidatePath("/tasks", "layout");
    return {
      undo: done.filter((one) => one !== null),
      failed: change.ids.length - done.length,
      stopped: wordsOf(changed.stop ?? read.stop),
    };
  }, owner);
}

/** Restores each task that nobody has changed since. */
export async function undoChanges(
  changed: Undo[],
  owner?: string,
): Promise<FormResult | BulkResult> {
  return runAction(async () => {
    const undo = validate(Undos, { tasks: changed }).tasks;
    await requireAccount();
    const update = await actor<Task>(tasks.update);
    const { results, left, stop } = await each(undo, ({ id, before, tag }) =>
      update({ params: { id }, body: before, tag }),
    );
    revalidatePath("/tasks", "layout");
    const failed = results.filter((task) => task === undefined).length - left.length;
    return { undo: left, failed, stopped: wordsOf(stop) };
  }, owner);
}

/** A task that no longer exists is not a failure. */
export const deleteTasks = formAction(async (data) => {
  const chosen = validate(z.strictObject({ ids }), { ids: String(data.get("ids")).split(" ") });
  await requireAccount();
  const remove = await actor(tasks.remove);
  const { stop } = await each(chosen.ids, (id) => remove({ params: { id } }));
  revalidatePath("/tasks", "layout");
  if (stop !== undefined) throw stop;
});

/** What a change needs of a task, whose other texts may have megabytes. */
function keptOf(task: Task) {
  const { id, priority, due_at, labels } = task;
  return { id, priority, due_at, labels, tag: stableTag(task) };
}

/** The fields whose values differ from the task's. */
function changesOf(
  task: ReturnType<typeof keptOf>,
  { priority, due_at, labels = {} }: TasksChange,
): Undo["before"] {
  const { add = [], remove = [] } = labels;
  const kept = task.labels.filter((label) => !remove.includes(label));
  const missing = add.filter((label) => !kept.includes(label));
  const isRelabelled = kept.length < task.labels.length || missing.length > 0;
  return {
    ...(priority !== undefined && priority !== task.priority && { priority }),
    ...(due_at !== undefined && due_at !== task.due_at && { due_at }),
    ...(isRelabelled && { labels: [...kept, ...missing] }),
  };
}

/**
 * The results in order; undefined for each that was refused. An error that concerns all of them, `stop`,
 * leaves some items, and is thrown if nothing was done.
 */
async function each<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  let stop: unknown;
  const left: Item[] = [];
  const results = await inTens(items, async (item) => {
    try {
      if (stop === undefined) return await work(item);
    } catch (thrown) {
      const { status } = toApiError(thrown);
      if (status < 500 && status !== 401 && status !== 429) return undefined;
      stop = thrown;
    }
    left.push(item);
    return undefined;
  });
  if (stop !== undefined && results.every((result) => result === undefined)) throw stop;
  return { results, left, stop };
}

function wordsOf(stop: unknown): string | undefined {
  if (stop === undefined) return undefined;
  const error = toApiError(stop);
  if (error.code === "internal_error") logError("A bulk change failed.", stop);
  return error.message;
}
