import { countOf, moreHref } from "@/app/(dashboard)/_shared/listing";
import { Chips } from "@/components/ui/chips";
import { FilterMenu } from "@/components/ui/filter-menu";
import { NoMatches } from "@/components/ui/no-matches";
import { Pills } from "@/components/ui/pills";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { listBlocked } from "@/lib/resources/tasks/blockers";
import { priorities, type Task } from "@/lib/resources/tasks/contract";
import { usedLabels } from "@/lib/resources/tasks/labels";
import * as leases from "@/lib/resources/tasks/lease";
import { progresses } from "@/lib/resources/tasks/progress";
import { type Order, orders } from "@/lib/resources/tasks/sort-cursor";
import { createTask } from "../actions";
import { changeTasks, deleteTasks, undoChanges } from "../bulk-actions";
import { progressLabel } from "./task-badges";
import { TaskBoard } from "./task-board";
import { apiFiltersOf, hrefOf, readTasks, type TaskFilters } from "./task-filters";
import { TaskForm } from "./task-form";
import { TaskKeys } from "./task-keys";
import { TaskTable } from "./task-table";
import { readVersion } from "./task-version";

interface Props {
  caller: Caller;
  filters: TaskFilters;
  /** True if the form for a new task is open. */
  creating?: boolean;
  /** The task that is open beside the list. */
  openId?: string;
}

/** The list or board of tasks: the page of tasks, and the left side of a task's page. */
export async function TaskList({ caller, filters, creating = false, openId }: Props) {
  // Read before the rows, so that no later change is missed.
  const version = await readVersion(caller, filters, openId);
  const board = filters.view === "board" && openId === undefined;
  const lists = board
    ? await Promise.all(progresses.map((progress) => readTasks(caller, filters, progress)))
    : [await readTasks(caller, filters)];
  const data = lists.flatMap((list) => list.data);
  const total = lists.reduce((sum, list) => sum + (list.total_count ?? 0), 0);
  const { q, progress, priority, label, after } = filters;
  const isFiltered = [q, progress, priority, label, after].some(Boolean);
  const ids = data.map(({ id }) => id);
  const [held, blocked] = await Promise.all([
    leases.listHeldLeases(caller, ids),
    listBlocked(caller, ids),
  ]);
  const hrefOfTask = ({ id }: Task) => hrefOf(`/tasks/${id}`, filters);
  const hrefOfLabel = (name: string) =>
    hrefOf("/tasks", filters, { label: name, after: undefined, shown: undefined });
  const view = board ? "Board" : "List";
  return (
    <Tabs chosen={view}>
      <ResourceIndex
        kind="tasks"
        exported={apiFiltersOf(filters)}
        count={board ? total.toLocaleString("en") : countOf({ data, total_count: total })}
        newHref={mayWrite(caller) ? hrefOf("/tasks", filters, { new: 1 }) : undefined}
        isAside={openId !== undefined}
        form={
          creating && (
            <TaskForm
              action={createTask}
              formId={crypto.randomUUID()}
              closeHref={hrefOf("/tasks", filters)}
              knownLabels={await usedLabels(caller)}
            />
          )
        }
        search={
          <SearchBox
            label="Search tasks"
            hint="Search, or label:report priority:high"
            value={q ?? ""}
            action="/tasks"
            keep={{ view: filters.view, sort: filters.sort, progress, priority, label }}
          />
        }
        filters={<Filters filters={filters} isOpen={openId !== undefined} />}
        isEmpty={total === 0 && !isFiltered}
        about="A task is a name with a priority, a due date and labels."
        live={{
          href: creating ? undefined : hrefOf("/tasks/live", filters, { open: openId }),
          shown: version,
          topic: "tasks",
          isOpen: openId !== undefined,
        }}
        moreHref={lists[0] && !board ? moreHref("/tasks", filters, filters, lists[0]) : undefined}
      >
        {mayWrite(caller) && (
          <TaskKeys
            openId={openId}
            actions={{ change: changeTasks, undo: undoChanges, remove: deleteTasks }}
          />
        )}
        <TabPanel of={view}>
          {total > 0 && board && (
            <TaskBoard
              lists={lists}
              filters={filters}
              leases={held}
              blocked={blocked}
              hrefOf={hrefOfTask}
              hrefOfLabel={hrefOfLabel}
              canMove={mayWrite(caller)}
            />
          )}
          {total > 0 && !board && (
            <TaskTable
              tasks={data}
              leases={held}
              blocked={blocked}
              hrefOf={hrefOfTask}
              hrefOfLabel={hrefOfLabel}
              openId={openId}
              sort={filters.sort}
              hrefOfSort={(sort) => listHref(filters)({ sort })}
              canSelect={mayWrite(caller)}
            />
          )}
          {total === 0 && isFiltered && <NoMatches noun="tasks" allHref="/tasks" />}
        </TabPanel>
      </ResourceIndex>
    </Tabs>
  );
}

function Filters({ filters, isOpen }: { filters: TaskFilters; isOpen: boolean }) {
  const to = listHref(filters);
  const { view, sort, progress, priority, label } = filters;
  return (
    <>
      {!isOpen && (
        <TabList
          label="View"
          tabs={[
            { name: "List", href: to({ view: undefined }) },
            { name: "Board", href: to({ view: "board", progress: undefined }) },
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
              name: one ?? "Any priority",
              href: to({ priority: one }),
              chosen: priority === one,
            })),
          },
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
          { name: "priority", value: priority, href: to({ priority: undefined }) },
          { name: "label", value: label, href: to({ label: undefined }) },
        ]}
      />
    </>
  );
}

/** The list with some of its filters changed, from its first page. */
function listHref(filters: TaskFilters) {
  return (changes: Parameters<typeof hrefOf>[2]) =>
    hrefOf("/tasks", filters, { after: undefined, shown: undefined, ...changes });
}

const SORTS: Record<Order | "newest", string> = {
  newest: "Newest",
  due: "Due",
  priority: "Urgent",
  updated: "Updated",
};
