import { BufferedView } from "@/components/ui/buffered-view";
import { Link } from "@/components/ui/link";
import type { Task } from "@/lib/resources/tasks/contract";
import { type Order, rankOf } from "@/lib/resources/tasks/sort-cursor";
import { Arrows } from "./board-column";
import type { BoardColumn } from "./board-columns";
import { CardMoves } from "./card-moves";
import { LeaseHolder } from "./lease-holder";
import { SelectTask } from "./select-task";
import { BlockedMark, Due, Labels, Priority } from "./task-badges";
import { moreOf, type TaskGroup, type TaskView } from "./task-groups";

/** A column each for the tasks to do, in progress and done. */
export function TaskBoard({ groups, ...view }: TaskView) {
  const { filters, canWrite } = view;
  return (
    <BufferedView
      view={{
        ids: groups.flatMap(({ list }) => list.data.map(({ id }) => id)),
        content: (
          <CardMoves
            columns={groups.map((group) => columnOf(group, view))}
            sort={filters.sort}
            canMove={canWrite}
          />
        ),
      }}
    />
  );
}

function columnOf(group: TaskGroup, view: Omit<TaskView, "groups">): BoardColumn {
  const { data, has_more, total_count } = group.list;
  const { progress = "todo" } = group.of;
  const more = moreOf(view.filters, group);
  return {
    progress,
    cards: data.map((task) => ({
      id: task.id,
      place: placeOf(task, view.filters.sort),
      content: <Card task={task} {...view} />,
    })),
    counts: { has_more, ...(total_count !== undefined && { total_count }) },
    more: more && (
      <Link href={more.href} scroll={false} className="button mt-2 w-full">
        {more.words}
      </Link>
    ),
  };
}

function placeOf({ priority, due_at }: Task, sort: Order | undefined): number[] {
  const due = due_at ?? Number.MAX_SAFE_INTEGER;
  if (sort === "priority") return [rankOf(priority), due];
  return sort === "due" ? [due] : [];
}

function Card({ task, ...view }: Omit<TaskView, "groups"> & { task: Task }) {
  const { leases, blocked, hrefOf, hrefOfLabel, hrefOfHolder, canWrite } = view;
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <Link
          href={hrefOf(task)}
          data-row
          draggable={false}
          className="row-link line-clamp-2 min-w-0 font-medium wrap-anywhere"
        >
          {task.name}
        </Link>
        {canWrite && <Arrows id={task.id} name={task.name} />}
      </div>
      <div className="mt-1 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        <Priority {...task} />
        <Labels labels={task.labels} hrefOf={hrefOfLabel} />
        <Due task={task} isNamed />
        {blocked.has(task.id) && <BlockedMark />}
      </div>
      <LeaseHolder lease={leases.get(task.id)} words="sm:max-lg:sr-only" hrefOf={hrefOfHolder} />
      {canWrite && <SelectTask task={task} className="right-1 bottom-1 size-6" />}
    </>
  );
}
