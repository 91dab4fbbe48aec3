import { nextRange } from "@/app/(dashboard)/_shared/listing";
import type { Caller } from "@/lib/platform/caller";
import type { List } from "@/lib/platform/lists/list";
import { priorities, type Task } from "@/lib/resources/tasks/contract";
import { listHeldLeases } from "@/lib/resources/tasks/lease";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { type Progress, progresses } from "@/lib/resources/tasks/progress";
import { hrefOf, readTasks, type TaskFilters } from "./task-filters";

/** Tasks under one heading. */
export interface TaskGroup {
  /** What the tasks have in common; empty if the list is not divided. */
  of: { progress?: Progress; priority?: Task["priority"]; holder?: string | null };
  list: List<Task>;
}

interface TaskGroups {
  groups: TaskGroup[];
  /** The number of tasks, including those that are not shown. */
  total: number;
  leases: Map<string, TaskLease>;
}

/** What the list and the board show. */
export interface TaskView {
  groups: TaskGroup[];
  filters: TaskFilters;
  leases: Map<string, TaskLease>;
  /** The IDs of tasks with an open blocker. */
  blocked: Set<string>;
  hrefOf(task: Task): string;
  hrefOfLabel(label: string): string;
  hrefOfHolder(holder: string): string;
  canWrite: boolean;
}

/** The tasks that the filters select, divided as the board or the chosen grouping wants. */
export async function readGroups(
  caller: Caller,
  filters: TaskFilters,
  isBoard: boolean,
): Promise<TaskGroups> {
  const by = isBoard ? "progress" : filters.group;
  if (by === "holder") return byHolder(caller, filters);
  const groups = await Promise.all(
    partsOf(by, filters, isBoard).map(async (of) => ({
      of,
      list: await readTasks(caller, filters, of),
    })),
  );
  const ids = groups.flatMap(({ list }) => list.data.map(({ id }) => id));
  return {
    groups,
    total: groups.reduce((sum, { list }) => sum + totalOf(list), 0),
    leases: await listHeldLeases(caller, ids),
  };
}

function partsOf(
  by: "progress" | "priority" | undefined,
  { progress, priority }: TaskFilters,
  isBoard: boolean,
): Pick<TaskGroup["of"], "progress" | "priority">[] {
  if (by === undefined) return [{}];
  if (by === "priority") {
    const wanted = priorities.filter((one) => !priority || one === priority);
    return wanted.toReversed().map((one) => ({ priority: one }));
  }
  const isWanted = (one: Progress) => (progress === "open" ? one !== "done" : one === progress);
  const wanted = progresses.filter((one) => isBoard || !progress || isWanted(one));
  return wanted.map((one) => ({ progress: one }));
}

/** The open tasks of each holder, by name, and then those that nobody holds. */
async function byHolder(caller: Caller, filters: TaskFilters): Promise<TaskGroups> {
  const [held, free] = await Promise.all([
    readTasks(caller, filters, { held: "anyone" }),
    filters.holder ? undefined : readTasks(caller, filters, { held: "nobody" }),
  ]);
  const leases = await listHeldLeases(
    caller,
    held.data.map(({ id }) => id),
  );
  // A lease may have ended since its task was read.
  const byName = new Map<string | null, Task[]>();
  for (const task of held.data) {
    const holder = leases.get(task.id)?.holder ?? null;
    byName.set(holder, [...(byName.get(holder) ?? []), task]);
  }
  const ended = byName.get(null) ?? [];
  byName.delete(null);
  const groups: TaskGroup[] = [...byName]
    .toSorted(([one], [other]) => String(one).localeCompare(String(other), "en"))
    // If there are more tasks than are shown, any holder may have more.
    .map(([holder, data]) => ({
      of: { holder },
      list: held.has_more ? { ...held, data } : { ...held, data, total_count: data.length },
    }));
  if (free) {
    const data = [...ended, ...free.data];
    const total_count = totalOf(free) + ended.length;
    groups.push({ of: { holder: null }, list: { ...free, data, total_count } });
  }
  return { groups, total: totalOf(held) + (free ? totalOf(free) : 0), leases };
}

/** A group grows as far as a list does, and then links to its own list. */
export function moreOf(filters: TaskFilters, { of, list }: TaskGroup) {
  const next = nextRange(filters, list);
  if (!next) return undefined;
  if (next.shown) return { href: hrefOf("/tasks", filters, next), words: "Load more" };
  const { holder, ...others } = of;
  const whole = { view: undefined, group: undefined, ...others, ...(holder && { holder }) };
  const words = `All ${holder ? "" : `${totalOf(list).toLocaleString("en")} `}as a list`;
  return { href: hrefOf("/tasks", filters, whole), words };
}

function totalOf({ data, total_count }: List<unknown>): number {
  return total_count ?? data.length;
}
