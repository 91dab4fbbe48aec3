import type { ReactNode } from "react";
import type { Parts } from "@/app/(dashboard)/_shared/parts";
import { ActionForm } from "@/components/ui/action-form";
import { DeleteButton } from "@/components/ui/delete-button";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { ResourceFacts } from "@/components/ui/resource-facts";
import type { Task } from "@/lib/resources/tasks/contract";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { progresses, progressOf } from "@/lib/resources/tasks/progress";
import { deleteTask, moveTask } from "../actions";
import { Description } from "./description";
import { LeaseBar } from "./lease-holder";
import { Due, isProgressLabel, Label, Priority, ProgressBadge, progressLabel } from "./task-badges";

interface Props {
  task: Task;
  /** The fact that names its schedule. */
  schedule: ReactNode;
  lease: TaskLease | undefined;
  canWrite: boolean;
  editHref: string;
  /** undefined if there is no list beside it. */
  closeHref: string | undefined;
  /** The list of the tasks with a label; undefined if the visitor has no list. */
  labelHref: ((label: string) => string) | undefined;
  /** The form, when the task is being edited. */
  form?: ReactNode;
  parts: Parts;
  noteCount: number;
  blockers: ReactNode;
  notes: ReactNode;
  history: ReactNode;
}

export function TaskDetail(props: Props) {
  const { task, lease, canWrite, editHref, closeHref, form } = props;
  const { id, name, description } = task;
  const tabs = props.parts.tabs([
    { name: "Task" },
    (canWrite || props.noteCount > 0) && { name: "Notes", count: props.noteCount || undefined },
    { name: "History" },
  ]);
  const { chosen } = tabs;
  return (
    <Pane
      label={name}
      title={name}
      id={id}
      state={
        <>
          <ProgressBadge labels={task.labels} word />
          <Priority {...task} />
          <Due task={task} isNamed />
        </>
      }
      closeHref={closeHref}
      form={form}
      primary={canWrite && <EditLink href={editHref} />}
      more={
        <>
          <CopyCall path={`tasks/${id}`} of={task} />
          {canWrite && (
            <DeleteButton
              noun="task"
              consequence={
                lease
                  ? `Deletes the task, which ${lease.holder} holds. This cannot be undone.`
                  : "Deletes the task for every agent that works on it. This cannot be undone."
              }
              action={deleteTask}
              fields={{ id, back: closeHref ?? "" }}
            />
          )}
        </>
      }
      tabs={form ? undefined : tabs}
    >
      {!form && chosen === "Task" && (
        <>
          {canWrite && <Steps task={task} />}
          {lease && <LeaseBar lease={lease} canWrite={canWrite} />}
          {description && (
            <div className="my-5 max-w-[65ch]">
              <Description>{description}</Description>
            </div>
          )}
          <TaskFacts {...props} />
          {props.blockers}
        </>
      )}
      {!form && chosen === "Notes" && props.notes}
      {!form && chosen === "History" && props.history}
    </Pane>
  );
}

/**
 * The progress of a task, with a button for each. Beside a list `TaskKeys` takes the press, so that it
 * can be undone.
 */
function Steps({ task }: { task: Task }) {
  const now = progressOf(task);
  return (
    <ActionForm action={moveTask} fields={{ id: task.id }}>
      <div className="inline-flex gap-0.5 rounded-md bg-surface p-0.5">
        {progresses.map((progress) => (
          <button
            key={progress}
            type="submit"
            name="progress"
            value={progress}
            data-step={task.name}
            aria-pressed={progress === now}
            className="rounded px-2.5 py-0.5 text-small leading-6 text-muted hover:text-ink aria-pressed:bg-canvas aria-pressed:text-ink aria-pressed:shadow-[0_0_0_1px_var(--color-line)]"
          >
            {progressLabel(progress)}
          </button>
        ))}
      </div>
    </ActionForm>
  );
}

function TaskFacts({ task, schedule, labelHref }: Pick<Props, "task" | "schedule" | "labelHref">) {
  const labels = task.labels.filter((label) => !isProgressLabel(label));
  return (
    <div className="mt-4">
      <Facts>
        {labels.length > 0 && (
          <Fact name="Labels">
            <span className="flex flex-wrap gap-1">
              {labels.map((label) =>
                labelHref ? (
                  <Link key={label} href={labelHref(label)} className="max-w-full">
                    <Label>{label}</Label>
                  </Link>
                ) : (
                  <Label key={label}>{label}</Label>
                ),
              )}
            </span>
          </Fact>
        )}
        {schedule}
        <ResourceFacts of={task} />
      </Facts>
    </div>
  );
}
