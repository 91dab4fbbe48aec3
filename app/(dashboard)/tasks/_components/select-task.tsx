import type { Task } from "@/lib/resources/tasks/contract";

interface Props {
  task: Task;
  /** Its place in the row. */
  className: string;
}

/** Selects a task for `TaskKeys`. Visible under the pointer, during a selection, and on touch. */
export function SelectTask({ task, className }: Props) {
  return (
    <label
      className={`absolute z-1 grid cursor-pointer place-items-center noscript:hidden ${className}`}
    >
      <span className="sr-only">Select {task.name}</span>
      <input
        type="checkbox"
        data-select={task.id}
        autoComplete="off"
        className="select-task size-3.5 cursor-pointer accent-accent"
      />
    </label>
  );
}
