import Link from "next/link";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { curl } from "@/components/ui/curl";
import { EmptyState } from "@/components/ui/empty-state";
import { FormId } from "@/components/ui/form-id";
import { Icon } from "@/components/ui/icon";
import { LoadMore } from "@/components/ui/load-more";
import { NewButton } from "@/components/ui/new-button";
import { NewForm } from "@/components/ui/new-form";
import { NoMatches } from "@/components/ui/no-matches";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { TabList, TabPanel, Tabs } from "@/components/ui/tabs";
import { type Caller, mayWrite } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { priorities } from "@/lib/tasks/contract";
import { usedLabels } from "@/lib/tasks/labels";
import * as leases from "@/lib/tasks/lease";
import { progresses } from "@/lib/tasks/progress";
import { createTask } from "../actions";
import { progressLabel } from "./task-badges";
import { TaskBoard } from "./task-board";
import { hrefOf, readTasks, type TaskFilters } from "./task-filters";
import { TaskForm } from "./task-form";
import { TaskTable } from "./task-table";

interface Props {
  caller: Caller;
  filters: TaskFilters;
  /** The form for a new task is open. */
  creating?: boolean;
  /** The task that stands open beside the list. */
  openId?: string;
}

/** The list, or the board, with its filters: the page of tasks, and the left side of a task's page. */
export async function TaskList({ caller, filters, creating = false, openId }: Props) {
  const board = filters.view === "board" && openId === undefined;
  const view = board ? "Board" : "List";
  const { list, more } = await readTasks(caller, filters);
  const total = list.total_count ?? list.data.length;
  const isFiltered = Boolean(
    filters.q || filters.progress || filters.priority || filters.label || filters.after,
  );
  const empty = total === 0 && !isFiltered;
  const canWrite = mayWrite(caller);
  return (
    <Tabs chosen={view}>
      <PageHeader
        title="Tasks"
        isBeside={openId !== undefined}
        count={board ? `${total}` : `${list.data.length} of ${total}`}
        action={
          canWrite && (
            <NewButton href={hrefOf("/tasks", filters, { new: 1 })} primary>
              New task
            </NewButton>
          )
        }
      >
        <Filters filters={filters} />
      </PageHeader>
      {creating && (
        <NewForm label="New task">
          <TaskForm
            action={createTask}
            formId={crypto.randomUUID()}
            closeHref={hrefOf("/tasks", filters)}
            knownLabels={await usedLabels(caller)}
          />
        </NewForm>
      )}
      <TabPanel of={view}>
        {empty && !creating && (
          <EmptyState
            title="No tasks yet"
            text="A task is a name with a priority, a due date and labels. An agent makes one with this call; the button makes the same one for you."
            command={curl(`${config().baseUrl}/api/tasks`, {
              body: { name: FIRST.name, labels: [FIRST.label] },
            })}
            action={canWrite && <FirstTask />}
          />
        )}
        {!empty && board && <TaskBoard caller={caller} filters={filters} />}
        {!empty && !board && total > 0 && (
          <TaskTable
            tasks={list.data}
            leases={
              await leases.listHeldLeases(
                caller,
                list.data.map(({ id }) => id),
              )
            }
            hrefOf={(task) => hrefOf(`/tasks/${task.id}`, filters)}
            openId={openId}
          />
        )}
        {total === 0 && isFiltered && <NoMatches noun="tasks" allHref="/tasks" />}
        {!board && <LoadMore href={more} />}
      </TabPanel>
    </Tabs>
  );
}

/** The task that the empty state's call creates. */
const FIRST = { name: "Say hello", label: "demo" };

function FirstTask() {
  return (
    <ActionForm action={createTask}>
      <FormId id={crypto.randomUUID()} />
      <input type="hidden" name="name" value={FIRST.name} />
      <input type="hidden" name="label" value={FIRST.label} />
      <Submit className="button">Create “{FIRST.name}”</Submit>
    </ActionForm>
  );
}

function Filters({ filters }: { filters: TaskFilters }) {
  const to = (changes: Parameters<typeof hrefOf>[2]) =>
    hrefOf("/tasks", filters, { after: undefined, shown: undefined, ...changes });
  const { view, progress, priority, label, q } = filters;
  return (
    <>
      <TabList
        label="View"
        tabs={[
          { name: "List", href: to({ view: undefined }) },
          { name: "Board", href: to({ view: "board", progress: undefined }) },
        ]}
      />
      {view === "list" && (
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
      <Pills
        label="By priority"
        pills={[
          {
            name: "Any priority",
            href: to({ priority: undefined }),
            chosen: priority === undefined,
          },
          ...priorities.map((one) => ({
            name: one,
            href: to({ priority: one }),
            chosen: priority === one,
          })),
        ]}
      />
      {label && (
        <Link
          href={to({ label: undefined })}
          prefetch={false}
          className="flex items-center gap-1 text-small text-muted"
        >
          label {label} <Icon name="close" className="size-3" />
        </Link>
      )}
      <SearchBox
        label="Search tasks"
        value={q}
        keep={{ view: view === "board" ? view : undefined, progress, priority, label }}
      />
    </>
  );
}
