import type { Task } from "@/lib/resources/tasks/contract";
import { progressOf } from "@/lib/resources/tasks/progress";

/** Whether a task should be done by now. */
export function isOverdue(task: Task): boolean {
  return task.due_at !== null && task.due_at < Date.now() / 1000 && progressOf(task) !== "done";
}
