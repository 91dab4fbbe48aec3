import Link from "next/link";
import { ActionForm, type FormAction } from "@/components/ui/action-form";
import { Icon } from "@/components/ui/icon";
import type { Task } from "@/lib/tasks/contract";
import { type Progress, progresses } from "@/lib/tasks/progress";
import { Due, Labels, Priority, ProgressMark, progressWords } from "./marks";

interface Props {
  progress: Progress;
  total: number;
  tasks: Task[];
  hrefOf(task: Task): string;
  moreHref: string | undefined;
  /** undefined: whoever looks may not move tasks. */
  move: FormAction | undefined;
}

/** One column of the board; a card moves by dragging, by its arrows, or by ← and → on its name. */
export function BoardColumn({ progress, total, tasks, hrefOf, moreHref, move }: Props) {
  return (
    <section aria-label={progressWords(progress)} data-progress={progress} className="min-w-0">
      <h2 className="flex items-center gap-2 border-b border-line pb-2 font-medium">
        <ProgressMark labels={[progress]} />
        <span aria-hidden="true">{progressWords(progress)}</span>
        <span className="text-small font-normal text-muted tabular-nums">{total}</span>
      </h2>
      <ul className="mt-2 grid min-h-16 content-start gap-2 rounded-md">
        {tasks.map((task) => (
          <li
            key={task.id}
            data-card
            draggable={move !== undefined}
            className="group relative rounded-md border border-line bg-canvas px-3 py-2 hover:border-line-strong"
          >
            <Link
              href={hrefOf(task)}
              prefetch={false}
              data-row
              draggable={false}
              className="row-link line-clamp-2 font-medium wrap-anywhere"
            >
              {task.name}
            </Link>
            <div className="mt-1 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
              <Priority priority={task.priority} />
              <Due task={task} />
              <Labels labels={task.labels} />
              {move && <Arrows task={task} progress={progress} move={move} />}
            </div>
          </li>
        ))}
      </ul>
      {moreHref && (
        <Link href={moreHref} prefetch={false} className="link mt-2 inline-block text-small">
          All {total}
        </Link>
      )}
    </section>
  );
}

function Arrows({ task, progress, move }: { task: Task; progress: Progress; move: FormAction }) {
  const at = progresses.indexOf(progress);
  return (
    <ActionForm action={move} className="relative z-1 ml-auto flex">
      <input type="hidden" name="id" value={task.id} />
      <Arrow icon="left" to={progresses[at - 1]} name={task.name} />
      <Arrow icon="right" to={progresses[at + 1]} name={task.name} />
    </ActionForm>
  );
}

function Arrow(props: { icon: "left" | "right"; to: Progress | undefined; name: string }) {
  const { icon, to, name } = props;
  if (!to) return null;
  return (
    <button
      type="submit"
      name="progress"
      value={to}
      data-move={icon}
      aria-label={`Move ${name} to ${progressWords(to)}`}
      title={progressWords(to)}
      className="rounded p-1 text-muted hover:bg-surface hover:text-ink"
    >
      <Icon name={icon} className="size-3.5" />
    </button>
  );
}
