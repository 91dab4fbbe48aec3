import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { Time } from "@/components/ui/time";
import type { Task } from "@/lib/resources/tasks/contract";
import { type Progress, progressOf } from "@/lib/resources/tasks/progress";

const LABELS_SHOWN = 4;

// Made once: React sends a reference instead of an element that it has already sent.
const BARS = {
  low: bars(1),
  medium: bars(2),
  high: bars(3),
  critical: bars(4, "bg-failed"),
  criticalDone: bars(4),
};
const SHAPES = {
  todo: shape(),
  "in-progress": shape(<path d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />),
  done: shape(
    <path d="M5 8.2l2.1 2.1L11 6.2" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  ),
};

/** A priority as a small bar, without an urgent colour for a task that is done, and a word. */
export function Priority({ priority, labels = [] }: Pick<Task, "priority"> & Partial<Task>) {
  const isDone = progressOf({ labels }) === "done";
  return (
    <span className="inline-flex items-center gap-1.5 text-small text-muted">
      {BARS[isDone && priority === "critical" ? "criticalDone" : priority]}
      <span className="first-letter:uppercase">{priority}</span>
    </span>
  );
}

function bars(level: number, colour = "bg-ink") {
  return (
    <span aria-hidden="true" className="flex items-end gap-0.5">
      {[1, 2, 3, 4].map((step) => (
        <span
          key={step}
          style={{ height: `${3 + step * 2}px` }}
          className={`w-0.75 rounded-[1px] ${step > level ? "bg-line" : colour}`}
        />
      ))}
    </span>
  );
}

const PROGRESS_LABELS: Record<Progress, string> = {
  todo: "To do",
  "in-progress": "In progress",
  done: "Done",
};

export function progressLabel(progress: Progress): string {
  return PROGRESS_LABELS[progress];
}

/** The progress of a task: a shape, with a word if there is space. */
export function ProgressBadge({ labels, word = false }: Pick<Task, "labels"> & { word?: boolean }) {
  const progress = progressOf({ labels });
  const colour = { todo: "text-line-strong", "in-progress": "text-waiting", done: "text-ok" };
  return (
    <span className={`inline-flex items-center gap-1.5 ${colour[progress]}`}>
      {SHAPES[progress]}
      <span className={word ? "text-ink" : "sr-only"}>{PROGRESS_LABELS[progress]}</span>
    </span>
  );
}

function shape(inside?: ReactNode) {
  return (
    <svg viewBox="0 0 16 16" className="size-3.5 shrink-0" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.6" />
      {inside}
    </svg>
  );
}

/** The sign of a task that waits for another. */
export function BlockedMark() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-small text-muted">
      <Icon name="blocked" className="size-3.5" />
      Blocked
    </span>
  );
}

/** Whether a task should be done by now. */
export function isOverdue(task: Task): boolean {
  return task.due_at !== null && task.due_at < Date.now() / 1000 && progressOf(task) !== "done";
}

/** When a task is due, highlighted when overdue. `isNamed`: nothing beside it says what the time is. */
export function Due({ task, isNamed = false }: { task: Task; isNamed?: boolean }) {
  if (task.due_at === null) return null;
  const late = isOverdue(task);
  return (
    <span className={`text-small tabular-nums ${late ? "font-medium text-failed" : "text-muted"}`}>
      {late ? "overdue, " : isNamed && "due "}
      <Time unix={task.due_at} />
    </span>
  );
}

interface LabelsProps extends Pick<Task, "labels"> {
  /** The list of the tasks with a label. */
  hrefOf(label: string): string;
}

/** Some of a task's labels as links, without the two that mean progress. */
export function Labels({ labels, hrefOf }: LabelsProps) {
  const others = labels.filter((label) => !isProgressLabel(label));
  return others.slice(0, LABELS_SHOWN).map((label) => (
    <a key={label} href={hrefOf(label)} data-follow className="relative z-1 min-w-0 py-0.5">
      <Label>{label}</Label>
    </a>
  ));
}

/** Whether a label only says what the progress says. */
export function isProgressLabel(label: string): boolean {
  return label === "in-progress" || label === "done";
}

/** A label as a small tag. */
export function Label({ children }: { children: string }) {
  return (
    <span
      title={children}
      className="block max-w-40 shrink-0 truncate rounded border border-line px-1.5 text-small leading-4.5 text-muted [a:hover>&]:border-line-strong [a:hover>&]:text-ink"
    >
      {children}
    </span>
  );
}
