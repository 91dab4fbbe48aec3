import { countOf } from "@/app/(dashboard)/_shared/listing";
import { ActionForm } from "@/components/ui/action-form";
import { BufferedView } from "@/components/ui/buffered-view";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { Task } from "@/lib/resources/tasks/contract";
import { type Progress, progresses } from "@/lib/resources/tasks/progress";
import { moveTask } from "../actions";
import { CardMoves } from "./card-moves";
import { LeaseHolder } from "./lease-holder";
import { SelectTask } from "./select-task";
import { BlockedMark, Due, Labels, Priority, ProgressBadge, progressLabel } from "./task-badges";
import { moreOf, type TaskGroup, type TaskView } from "./task-groups";

/** A column each for the tasks to do, in progress and done. */
export function TaskBoard(view: TaskView) {
  const { groups } = view;
  return (
    <BufferedView
      view={{
        ids: groups.flatMap(({ list }) => list.data.map(({ id }) => id)),
        content: (
          <CardMoves>
            {groups.map((group) => (
              <Column key={group.of.progress} group={group} {...view} />
            ))}
          </CardMoves>
        ),
      }}
    />
  );
}

function Column({ group, ...view }: TaskView & { group: TaskGroup }) {
  const { filters, leases, blocked, hrefOf, hrefOfLabel, hrefOfHolder, canWrite } = view;
  const { list } = group;
  const { progress = "todo" } = group.of;
  const more = moreOf(filters, group);
  return (
    <section
      aria-label={progressLabel(progress)}
      data-progress={progress}
      className="-m-2 min-w-0 rounded-md p-2 transition data-over:bg-surface data-over:outline-2 data-over:-outline-offset-2 data-over:outline-accent data-over:outline-dashed max-sm:snap-start"
    >
      <h2 className="flex items-center gap-2 border-b border-line pb-2 font-medium">
        <ProgressBadge labels={[progress]} />
        <span aria-hidden="true">{progressLabel(progress)}</span>
        <span className="text-small font-normal text-muted tabular-nums">{countOf(list)}</span>
      </h2>
      <ul className="mt-2 grid min-h-16 content-start gap-2 rounded-md">
        {list.data.map((task) => (
          <li
            key={task.id}
            data-card={task.id}
            data-task={task.id}
            draggable={canWrite}
            className="group relative min-w-0 rounded-md border border-line bg-canvas px-3 py-2 hover:border-line-strong has-aria-busy:opacity-50 data-dragged:opacity-50"
          >
            <div className="flex items-start justify-between gap-2">
              <Link
                href={hrefOf(task)}
                data-row
                draggable={false}
                className="row-link line-clamp-2 min-w-0 font-medium wrap-anywhere"
              >
                {task.name}
              </Link>
              {canWrite && <Arrows task={task} progress={progress} />}
            </div>
            <div className="mt-1 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
              <Priority {...task} />
              <Labels labels={task.labels} hrefOf={hrefOfLabel} />
              <Due task={task} />
              {blocked.has(task.id) && <BlockedMark />}
            </div>
            <LeaseHolder
              lease={leases.get(task.id)}
              words="sm:max-lg:sr-only"
              hrefOf={hrefOfHolder}
            />
            {canWrite && <SelectTask task={task} className="right-1 bottom-1 size-6" />}
          </li>
        ))}
        {list.data.length === 0 && <li className="px-3 py-2 text-small text-muted">No tasks</li>}
      </ul>
      {more && (
        <Link href={more.href} scroll={false} className="button mt-2 w-full">
          {more.words}
        </Link>
      )}
    </section>
  );
}

function Arrows({ task, progress }: { task: Task; progress: Progress }) {
  const at = progresses.indexOf(progress);
  return (
    <ActionForm
      action={moveTask}
      isSmall
      className="relative z-1 -mr-1.5 flex shrink-0"
      fields={{ id: task.id }}
    >
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
      data-announce={`${name} moved to ${progressLabel(to)}`}
      aria-label={`Move ${name} to ${progressLabel(to)}`}
      title={progressLabel(to)}
      className="rounded p-1 text-muted hover:bg-surface hover:text-ink"
    >
      <Icon name={icon} className="size-3.5" />
    </button>
  );
}
