import { Link } from "@/components/ui/link";
import { State, type Tone } from "@/components/ui/state";
import { Step } from "@/components/ui/steps";
import type { Task } from "@/lib/resources/tasks/contract";
import { type Progress, progressOf } from "@/lib/resources/tasks/progress";

const PROGRESS: Record<Progress, { word: string; tone: Tone }> = {
  todo: { word: "to do", tone: "quiet" },
  "in-progress": { word: "in progress", tone: "waiting" },
  done: { word: "done", tone: "ok" },
};

/** A task that names an event. */
export function FollowedTask({ task }: { task: Task }) {
  const { word, tone } = PROGRESS[progressOf(task)];
  return (
    <Step
      tone={tone}
      word={
        <>
          Task{" "}
          <Link href={`/tasks/${task.id}`} className="link wrap-anywhere">
            {task.name}
          </Link>
        </>
      }
      at={task.created_at}
    >
      <State word={word} tone={tone} />
    </Step>
  );
}
