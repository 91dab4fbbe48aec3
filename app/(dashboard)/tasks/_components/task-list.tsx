import { countOf, moreHref } from "@/app/(dashboard)/_shared/listing";
import { Chips } from "@/components/ui/chips";
import { FilterMenu } from "@/components/ui/filter-menu";
import { capitalized } from "@/components/ui/label-of";
import type { Misread } from "@/components/ui/misread-filters";
import { NoMatches } from "@/components/ui/no-matches";
import { Pills } from "@/components/ui/pills";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { listBlocked } from "@/lib/resources/tasks/blockers";
import { priorities, type Task } from "@/lib/resources/tasks/contract";
import { usedLabels } from "@/lib/resources/tasks/labels";
import { progresses } from "@/lib/resources/tasks/progress";
import { type Order, orders } from "@/lib/resources/tasks/sort-cursor";
import { progressLabel } from "./task-badges";
import { TaskBoard } from "./task-board";
import { apiFiltersOf, type Grouping, groupings, hrefOf, type TaskFilters } from "./task-filters";
import { TaskForm } from "./task-form";
import { readGroups, type TaskView } from "./task-groups";
import { TaskKeys } from "./task-keys";
import { TaskTable } from "./task-table";
import { readVersion } from "./task-version";

interface Props {
  caller: Caller;
  filters: TaskFilters;
  /** Filters in the address whose values the list does not know. */
  misread: readonly Misread[];
  /** True if the form for a new task is open. */
  creating?: boolean;
  /** The task that is open beside the list. */
  open?: Task;
}

/** The list or board of tasks: the page of tasks, and the left side of a task's page. */
export async function TaskList(props: Props) {
  const { caller, filters, misread, creating = false, open } = props;
  const openId = open?.id;
  // Read before the rows, so that no later change is missed.
  const version = await readVersion(caller, filters, openId);
  const board = filters.view === "board" && openId === undefined;
  const { groups, total, leases } = await readGroups(caller, filters, board);
  const data = groups.flatMap(({ list }) => list.data);
  const { q, progress, priority, label, holder, group, after } = filters;
  const isFiltered = [q, progress, priority, label, holder, after].some(Boolean);
  const blocked = await listBlocked(
    caller,
    data.map(({ id }) => id),
  );
  const to = listHref(filters);
  const canWrite = mayWrite(caller);
  const shown: TaskView = {
    ...{ groups, filters, leases, blocked, canWrite },
    hrefOf: ({ id }) => hrefOf(`/tasks/${id}`, filters),
    hrefOfLabel: (label) => to({ label }),
    hrefOfHolder: (holder) => to({ holder }),
  };
  return (
    <ResourceIndex
      kind="tasks"
      exported={apiFiltersOf(filters)}
      count={board ? total.toLocaleString("en") : countOf({ data, total_count: total })}
      newHref={canWrite ? hrefOf("/tasks", filters, { new: 1 }) : undefined}
      isAside={openId !== undefined}
      form={
        creating && (
          <TaskForm closeHref={hrefOf("/tasks", filters)} knownLabels={await usedLabels(caller)} />
        )
      }
      search={
        <SearchBox
          label="Search tasks"
          hint="Search, or label:report priority:high"
          value={q ?? ""}
          action="/tasks"
          keep={{ ...filters, q: undefined, after: undefined, shown: undefined }}
        />
      }
      filters={<Filters filters={filters} isOpen={openId !== undefined} />}
      misread={misread}
      isEmpty={total === 0 && !isFiltered}
      about="A task is something to do, with a priority, a due date and labels."
      live={{
        href: creating ? undefined : hrefOf("/tasks/live", filters, { open: openId }),
        shown: version,
        topic: "tasks",
        isOpen: openId !== undefined,
      }}
      moreHref={
        groups[0] && !board && !group
          ? moreHref("/tasks", filters, filters, groups[0].list)
          : undefined
      }
    >
      {canWrite && (
        <TaskKeys
          openId={openId}
          labels={Object.fromEntries(
            [...data, ...(open ? [open] : [])].map(({ id, labels }) => [id, labels]),
          )}
        />
      )}
      {total > 0 && board && <TaskBoard {...shown} />}
      {total > 0 && !board && (
        <TaskTable {...shown} openId={openId} hrefOfSort={(sort) => to({ sort })} />
      )}
      {total === 0 && isFiltered && <NoMatches noun="tasks" allHref="/tasks" />}
    </ResourceIndex>
  );
}

function Filters({ filters, isOpen }: { filters: TaskFilters; isOpen: boolean }) {
  const to = listHref(filters);
  const { view, sort, group, progress, priority, label, holder } = filters;
  return (
    <>
      {!isOpen && (
        <Pills
          label="View"
          pills={[
            { name: "List", href: to({ view: undefined }), chosen: view === undefined },
            {
              name: "Board",
              href: to({ view: "board", progress: undefined }),
              chosen: view === "board",
            },
          ]}
        />
      )}
      {view === undefined && (
        <Pills
          label="By progress"
          pills={[
            { name: "All", href: to({ progress: undefined }), chosen: progress === undefined },
            ...progresses.map((one) => ({
              name: progressLabel(one),
              href: to({ progress: one }),
              chosen: progress === one,
            })),
          ]}
        />
      )}
      <FilterMenu
        groups={[
          {
            label: "By priority",
            options: [undefined, ...priorities].map((one) => ({
              name: one ? capitalized(one) : "Any priority",
              href: to({ priority: one }),
              chosen: priority === one,
            })),
          },
          ...(view === "board"
            ? []
            : [
                {
                  label: "Group by",
                  options: [undefined, ...groupings].map((one) => ({
                    name: GROUPINGS[one ?? "none"],
                    href: to({ group: one }),
                    chosen: group === one,
                  })),
                },
              ]),
          {
            label: "Sort",
            options: [undefined, ...orders].map((order) => ({
              name: SORTS[order ?? "newest"],
              href: to({ sort: order }),
              chosen: sort === order,
            })),
          },
        ]}
      />
      <Chips
        chips={[
          ["progress", "progress", !view && progress === "open" ? progress : undefined],
          ["priority", "priority", priority],
          ["label", "label", label],
          ["held by", "holder", holder],
        ]}
        without={(param) => to({ [param]: undefined })}
      />
    </>
  );
}

/** The list with some of its filters changed, from its first page. */
function listHref(filters: TaskFilters) {
  return (changes: Parameters<typeof hrefOf>[2]) =>
    hrefOf("/tasks", filters, { after: undefined, shown: undefined, ...changes });
}

const GROUPINGS: Record<Grouping | "none", string> = {
  none: "Nothing",
  progress: "Progress",
  priority: "Priority",
  holder: "Holder",
};

const SORTS: Record<Order | "newest", string> = {
  newest: "Newest",
  due: "Due",
  priority: "Urgent",
  updated: "Updated",
};
