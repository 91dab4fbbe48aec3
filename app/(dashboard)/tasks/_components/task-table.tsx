import { BufferedTable } from "@/components/ui/buffered-table";
import { CopyText } from "@/components/ui/copy";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Task } from "@/lib/resources/tasks/contract";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { BlockedMark } from "./blocked-mark";
import { LeaseHolder } from "./lease-holder";
import { SelectTask } from "./select-task";
import { Due, Labels, Priority, ProgressBadge } from "./task-badges";

interface Props {
  tasks: Task[];
  /** The active leases by task ID. */
  leases: Map<string, TaskLease>;
  /** The IDs of tasks with an open blocker. */
  blocked: Set<string>;
  hrefOf(task: Task): string;
  hrefOfLabel(label: string): string;
  /** Whether the caller may change tasks. */
  canSelect: boolean;
  /** The task that is open beside the list, which then has fewer columns. */
  openId?: string | undefined;
}

/** One task per row; cards of two lines at 640 px and below. */
export function TaskTable(props: Props) {
  const { tasks, leases, blocked, hrefOf, hrefOfLabel, openId, canSelect } = props;
  const narrow = openId !== undefined;
  const withLeases = !narrow && leases.size > 0;
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Task</th>
          {!narrow && <th scope="col">Priority</th>}
          {withLeases && (
            <th scope="col" className="sm:max-lg:hidden">
              Held by
            </th>
          )}
          <th scope="col">Due</th>
          {!narrow && (
            <th scope="col" className="max-lg:hidden">
              Updated
            </th>
          )}
          {!narrow && (
            <th scope="col" className="max-lg:hidden">
              ID
            </th>
          )}
        </tr>
      }
      rows={tasks.map((task) => ({
        id: task.id,
        row: (
          <tr
            key={task.id}
            data-task={task.id}
            aria-current={task.id === openId ? "true" : undefined}
            className="group"
          >
            <td className={`list-main ${narrow ? "sm:py-1.5" : "sm:max-lg:py-1.5"}`}>
              {canSelect && !narrow && (
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
                  <LeaseHolder lease={leases.get(task.id)} words="sr-only" />
                </span>
              )}
            </td>
            {!narrow && (
              <td>
                <Priority priority={task.priority} />
              </td>
            )}
            {withLeases && (
              <td className="max-sm:order-last max-sm:max-w-full sm:max-lg:hidden">
                <LeaseHolder lease={leases.get(task.id)} words="sr-only" />
              </td>
            )}
            <td className="text-small">
              <Due task={task} />
            </td>
            {!narrow && (
              <td
                className={`text-small text-muted tabular-nums ${leases.has(task.id) ? "max-lg:hidden" : "sm:max-lg:hidden"}`}
              >
                <Time unix={task.updated_at} />
              </td>
            )}
            {!narrow && (
              <td className="max-lg:hidden">
                <CopyText text={task.id} shown={`…${task.id.slice(-6)}`} />
              </td>
            )}
          </tr>
        ),
      }))}
    />
  );
}
