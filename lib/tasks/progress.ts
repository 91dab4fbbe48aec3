import type { Task } from "./contract";

export const progresses = ["todo", "in-progress", "done"] as const;

/** A task has no status of its own: how far it is, its labels `in-progress` and `done` say. */
export type Progress = (typeof progresses)[number];

export function isProgress(text: unknown): text is Progress {
  return progresses.some((progress) => progress === text);
}

export function progressOf({ labels }: Pick<Task, "labels">): Progress {
  if (labels.includes("done")) return "done";
  return labels.includes("in-progress") ? "in-progress" : "todo";
}

/** The filter of a list that shows the tasks of one progress. */
export function filterOf(progress: Progress): { label?: string[]; not_label?: string[] } {
  if (progress === "done") return { label: ["done"] };
  if (progress === "in-progress") return { label: ["in-progress"], not_label: ["done"] };
  return { not_label: ["in-progress", "done"] };
}
