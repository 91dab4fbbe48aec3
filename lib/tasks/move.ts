import type { Caller } from "@/lib/caller";
import { changeLabels } from "./change-labels";
import type { Task } from "./contract";
import type { Progress } from "./progress";

/** Moves a task to another progress and leaves its other labels as they are. Throws 404 and 403. */
export async function moveTo(caller: Caller, id: string, progress: Progress): Promise<Task> {
  return changeLabels(caller, id, {
    add: progress === "todo" ? [] : [progress],
    remove: ["in-progress", "done"].filter((label) => label !== progress),
  });
}
