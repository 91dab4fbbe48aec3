import Link from "next/link";
import { progressWords } from "@/components/tasks/marks";
import { TaskForm } from "@/components/tasks/task-form";
import { TaskTable } from "@/components/tasks/task-table";
import { curl } from "@/components/ui/curl";
import { Icon } from "@/components/ui/icon";
import { Lesson } from "@/components/ui/lesson";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { priorities } from "@/lib/tasks/contract";
import { progresses } from "@/lib/tasks/progress";
import { createTask } from "./actions";
import { hrefOf, readTasks, type TaskFilters } from "./filters";
import { TaskBoard } from "./task-board";

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
  const { list, more } = await readTasks(caller, filters);
  const total = list.total_count ?? list.data.length;
  const isFiltered = Boolean(
    filters.q || filters.progress || filters.priority || filters.label || filters.after,
  );
  const empty = total === 0 && !isFiltered;
  return (
    <>
      <PageHeader
        title="Tasks"
        count={board ? `${total}` : `${list.data.length} of ${total}`}
        action={
          <Link
            href={hrefOf("/tasks", filters, { new: 1 })}
            prefetch={false}
            className="button button-primary"
          >
            <Icon name="plus" />
            New task
          </Link>
        }
      >
        <Filters filters={filters} />
      </PageHeader>
      {creating && (
        <section
          aria-label="New task"
          className="border-b border-line bg-surface px-4 py-4 sm:px-6"
        >
          <div className="max-w-[46rem]">
            <TaskForm
              action={createTask}
              formId={crypto.randomUUID()}
              closeHref={hrefOf("/tasks", filters)}
            />
          </div>
        </section>
      )}
      {empty && !creating && (
        <Lesson
          title="No tasks yet"
          text="A task is a name with a priority, a due date and labels. An agent makes one with this call; you make one with the button."
          command={curl(`${config().baseUrl}/api/tasks`, {
            body: { name: "Say hello", labels: ["demo"] },
          })}
          action={
            <Link href="/tasks?new=1" prefetch={false} className="button">
              <Icon name="plus" />
              New task
            </Link>
          }
        />
      )}
      {!empty && board && <TaskBoard caller={caller} filters={filters} />}
      {!empty && !board && total > 0 && (
        <TaskTable
          tasks={list.data}
          hrefOf={(task) => hrefOf(`/tasks/${task.id}`, filters)}
          openId={openId}
        />
      )}
      {total === 0 && isFiltered && (
        <p className="px-4 py-10 text-muted sm:px-6">
          No task passes these filters.{" "}
          <Link href="/tasks" className="link">
            Show all
          </Link>
        </p>
      )}
      {!board && more && (
        <p className="px-4 py-4 sm:px-6">
          <Link href={more} prefetch={false} scroll={false} className="button">
            Load more
          </Link>
        </p>
      )}
    </>
  );
}

function Filters({ filters }: { filters: TaskFilters }) {
  const to = (changes: Parameters<typeof hrefOf>[2]) =>
    hrefOf("/tasks", filters, { after: undefined, shown: undefined, ...changes });
  const { view, progress, priority, label, q } = filters;
  return (
    <>
      <Pills
        label="View"
        pills={[
          { name: "List", href: to({ view: undefined }), chosen: view === "list" },
          {
            name: "Board",
            href: to({ view: "board", progress: undefined }),
            chosen: view === "board",
          },
        ]}
      />
      {view === "list" && (
        <Pills
          label="By progress"
          pills={[
            { name: "All", href: to({ progress: undefined }), chosen: progress === undefined },
            ...progresses.map((one) => ({
              name: progressWords(one),
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
