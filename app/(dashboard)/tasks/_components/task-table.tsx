import { countOf } from "@/app/(dashboard)/_shared/listing";
import { BufferedView } from "@/components/ui/buffered-view";
import {
  GroupedTable,
  idColumn,
  ListTable,
  type Sort,
  type TableProps,
  timeColumn,
} from "@/components/ui/list-table";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Task } from "@/lib/resources/tasks/contract";
import type { Order } from "@/lib/resources/tasks/sort-cursor";
import { LeaseHolder } from "./lease-holder";
import { SelectTask } from "./select-task";
import { BlockedMark, Due, isOverdue, Labels, Priority, ProgressBadge } from "./task-badges";
import { moreOf, type TaskGroup, type TaskView } from "./task-groups";

interface Props extends TaskView {
  hrefOfSort(sort: Order | undefined): string;
  /** The task that is open beside the list, which then has fewer columns. */
  openId?: string | undefined;
}

export function TaskTable(props: Props) {
  const { groups, filters, leases, blocked, hrefOf, hrefOfLabel, openId, canWrite } = props;
  const narrow = openId !== undefined;
  const sortBy = (order: Order | undefined, direction: Sort["direction"]): Sort => ({
    isOn: filters.sort === order,
    direction,
    href: props.hrefOfSort(order),
  });
  const holderOf = ({ id }: Task) => (
    <LeaseHolder lease={leases.get(id)} words="sr-only" hrefOf={props.hrefOfHolder} />
  );
  const table = {
    columns: [
      {
        name: "Task",
        look: `list-main ${narrow ? "sm:py-1.5" : "sm:max-lg:py-1.5"}`,
        cell: (task: Task) => (
          <>
            {canWrite && !narrow && (
              <SelectTask
                task={task}
                className="inset-y-0 left-0 w-6 max-sm:inset-y-auto max-sm:top-2 max-sm:size-6 max-sm:justify-items-start"
              />
            )}
            <span className="flex min-w-0 items-center gap-2">
              <ProgressBadge labels={task.labels} />
              <RowLink href={hrefOf(task)} keepScroll className="min-w-0 truncate font-medium">
                {task.name}
              </RowLink>
              {blocked.has(task.id) && <BlockedMark />}
              <span className="flex min-w-0 gap-1 overflow-hidden max-lg:hidden">
                {!narrow && <Labels labels={task.labels} hrefOf={hrefOfLabel} />}
              </span>
            </span>
            {leases.has(task.id) && (
              <span className={`min-w-0 pl-5.5 ${narrow ? "flex" : "hidden sm:max-lg:flex"}`}>
                {holderOf(task)}
              </span>
            )}
          </>
        ),
      },
      !narrow && {
        name: "Priority",
        sort: sortBy("priority", "descending"),
        look: "",
        cell: (task) => <Priority {...task} />,
      },
      !narrow &&
        leases.size > 0 && {
          name: "Held by",
          look: "max-sm:order-last max-sm:max-w-full",
          hidden: "sm:max-lg:hidden",
          cell: holderOf,
        },
      {
        name: "Due",
        sort: sortBy("due", "ascending"),
        look: "text-small",
        cell: (task) => <Due task={task} />,
        isLabelled: (task) => !isOverdue(task),
      },
      !narrow && {
        name: "Updated",
        sort: sortBy("updated", "descending"),
        look: ({ id }) =>
          `text-small text-muted tabular-nums ${leases.has(id) ? "max-sm:hidden" : ""}`,
        hidden: "sm:max-lg:hidden",
        cell: ({ updated_at }) => <Time unix={updated_at} />,
      },
      !narrow &&
        timeColumn("Created", "created_at", "max-xl:hidden", sortBy(undefined, "descending")),
      !narrow && idColumn("max-lg:hidden"),
    ],
    openId,
    attributes: ({ id }: Task) => ({ "data-task": id, className: "group" }),
  } satisfies Omit<TableProps<Task>, "rows">;
  if (!filters.group)
    return <ListTable {...table} rows={groups.flatMap(({ list }) => list.data)} />;
  return (
    <BufferedView
      view={{
        ids: groups.flatMap(({ list }) => list.data.map(({ id }) => id)),
        content: (
          <GroupedTable
            {...table}
            groups={groups
              .filter(({ list }) => list.data.length > 0)
              .map((group) => ({
                key: JSON.stringify(group.of),
                rows: group.list.data,
                heading: <Heading group={group} />,
                more: moreOf(filters, group),
              }))}
          />
        ),
      }}
    />
  );
}

/** What the tasks of a group have in common, and how many there are. */
function Heading({ group: { of, list } }: { group: TaskGroup }) {
  const { progress, priority, holder } = of;
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      {progress && <ProgressBadge labels={[progress]} word />}
      {priority && <Priority priority={priority} />}
      {holder !== undefined && (
        <bdi className="min-w-0 truncate text-body">{holder ?? "Held by nobody"}</bdi>
      )}
      <span className="text-small font-normal text-muted tabular-nums">{countOf(list)}</span>
    </span>
  );
}
