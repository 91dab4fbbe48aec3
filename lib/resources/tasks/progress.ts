import type { Task } from "./contract";

export const progresses = ["todo", "in-progress", "done"] as const;

/** Tasks have no status field: progress is derived from the labels `in-progress` and `done`. */
export type Progress = (typeof progresses)[number];

export function isProgress(text: unknown): text is Progress {
  return progresses.some((progress) => progress === text);
}

export function progressOf({ labels }: Pick<Task, "labels">): Progress {
  if (labels.includes("done")) return "done";
  return labels.includes("in-progress") ? "in-progress" : "todo";
}

/** The change of labels that gives a task this progress. */
export function labelsChangeTo(progress: Progress): { add: string[]; remove: string[] } {
  return {
    add: progress === "todo" ? [] : [progress],
    remove: ["in-progress", "done"].filter((label) => label !== progress),
  };
}

/** The list filter for tasks with this progress. */
export function filterOf(progress: Progress): { label?: string[]; not_label?: string[] } {
  if (progress === "done") return { label: ["done"] };
  if (progress === "in-progress") return { label: ["in-progress"], not_label: ["done"] };
  return { not_label: ["in-progress", "done"] };
}
