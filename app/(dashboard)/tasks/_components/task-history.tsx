import { Step, Steps } from "@/components/ui/steps";
import type { PastChange } from "@/lib/resources/changes/history";
import type { Task } from "@/lib/resources/tasks/contract";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { isProgress, progressOf } from "@/lib/resources/tasks/progress";
import { progressLabel } from "./task-badges";

const WORDS: Partial<Record<PastChange["action"], string>> = {
  updated: "Changed",
  claimed: "Claimed",
  leased: "Leased",
  released: "Lease released",
  completed: "Completed",
  note_added: "Note added",
  blocker_added: "Blocker added",
  blocker_removed: "Blocker removed",
};

interface Props {
  task: Task;
  /** Oldest first; may begin after the creation. */
  changes: PastChange[];
  lease: TaskLease | undefined;
}

/** What happened to a task, by whom, and how long after its creation. */
export function TaskHistory({ task, changes, lease }: Props) {
  const creator = changes.find(({ action }) => action === "created")?.actor_name ?? null;
  return (
    <Steps since={task.created_at}>
      <Step tone="quiet" word={by("Created", creator)} at={task.created_at} />
      {changes
        .filter(({ action }) => action !== "created")
        .map(({ id, action, progress, actor_name, created_at }) => (
          <Step
            key={id}
            tone={action === "completed" || progress === "done" ? "ok" : "quiet"}
            word={by(
              isProgress(progress)
                ? `Moved to ${progressLabel(progress)}`
                : (WORDS[action] ?? action),
              actor_name,
            )}
            at={created_at}
          />
        ))}
      {lease && (
        <Step
          tone="waiting"
          word={`Held by ${lease.holder}, until`}
          at={lease.expires_at}
          words="countdown"
        />
      )}
      <Step
        tone={progressOf(task) === "done" ? "ok" : "waiting"}
        word={progressLabel(progressOf(task))}
        at={null}
      />
    </Steps>
  );
}

function by(word: string, actor: string | null): string {
  return actor === null ? word : `${word} by ${actor}`;
}
