import type { Caller } from "@/lib/accounts/caller";
import { formTag, unchangedSince } from "@/lib/http/conditional";
import { ApiError } from "@/lib/http/errors";
import type { Task } from "./contract";
import { type Progress, progressOf } from "./progress";
import * as tasks from "./service";

const TRIES = 5;

/**
 * Moves a task to another progress and leaves its other labels as they are, also those that somebody
 * else adds meanwhile. Throws 404, 403, and 412 when the task never stands still.
 */
export async function moveTo(caller: Caller, id: string, progress: Progress): Promise<Task> {
  for (let tries = 1; ; tries += 1) {
    const task = await tasks.get(caller, id);
    if (progressOf(task) === progress) return task;
    const others = task.labels.filter((label) => label !== "in-progress" && label !== "done");
    const labels = progress === "todo" ? others : [...others, progress];
    try {
      return await tasks.update(caller, id, { labels }, unchangedSince(formTag(task)));
    } catch (error) {
      const changed = error instanceof ApiError && error.code === "precondition_failed";
      if (!changed || tries === TRIES) throw error;
    }
  }
}
