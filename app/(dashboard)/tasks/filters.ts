import { address, one, type SearchParams } from "@/app/address";
import type { Caller } from "@/lib/accounts/caller";
import type { List } from "@/lib/http/list";
import { type Task, TaskListQuery } from "@/lib/tasks/contract";
import { filterOf, isProgress, type Progress } from "@/lib/tasks/progress";
import * as tasks from "@/lib/tasks/service";

const PAGE = 50;
/** Beyond this "Load more" begins a new page, so that no page grows without end. */
const SHOWN_MAX = 500;

/** What the address says of the list: every filter is in it, and nothing else is. */
export interface TaskFilters {
  view: "list" | "board";
  progress: Progress | undefined;
  priority: string | undefined;
  label: string | undefined;
  q: string;
  after: string | undefined;
  shown: number;
}

export function filtersOf(params: SearchParams): TaskFilters {
  const progress = one(params, "progress");
  const shown = Number(one(params, "shown"));
  return {
    view: one(params, "view") === "board" ? "board" : "list",
    progress: isProgress(progress) ? progress : undefined,
    priority: one(params, "priority"),
    label: one(params, "label"),
    q: one(params, "q") ?? "",
    after: one(params, "after"),
    shown: Number.isInteger(shown) ? Math.min(Math.max(shown, PAGE), SHOWN_MAX) : PAGE,
  };
}

/** The address of this list with some of its filters changed. */
export function hrefOf(
  path: string,
  filters: TaskFilters,
  changes: Partial<Record<keyof TaskFilters | "new" | "edit", string | number | undefined>> = {},
): string {
  const { view, shown, ...others } = filters;
  return address(path, {
    view: view === "board" ? view : undefined,
    shown: shown > PAGE ? shown : undefined,
    ...others,
    ...changes,
  });
}

/** The tasks that the filters let through. A filter that means nothing finds nothing. */
export async function readTasks(
  caller: Caller,
  filters: TaskFilters,
): Promise<{ list: List<Task>; more: string | undefined }> {
  const parsed = TaskListQuery.safeParse({
    q: filters.q || undefined,
    label: filters.label ? [filters.label] : undefined,
    priority: filters.priority ? [filters.priority] : undefined,
    after: filters.after,
    include: "total_count",
  });
  if (!parsed.success) return { list: await tasks.list(caller, NOTHING), more: undefined };
  const within = filters.progress ? filterOf(filters.progress) : {};
  const query = {
    ...parsed.data,
    label: [...(parsed.data.label ?? []), ...(within.label ?? [])],
    ...(within.not_label && { not_label: within.not_label }),
  };
  const list = await tasks.list(caller, { ...query, limit: Math.min(filters.shown, 100) });
  while (list.next_cursor && list.data.length < filters.shown) {
    const next = await tasks.list(caller, {
      ...query,
      include: undefined,
      limit: Math.min(filters.shown - list.data.length, 100),
      after: list.next_cursor,
    });
    list.data.push(...next.data);
    list.has_more = next.has_more;
    list.next_cursor = next.next_cursor;
  }
  if (!list.next_cursor) return { list, more: undefined };
  const more =
    filters.shown < SHOWN_MAX
      ? hrefOf("/tasks", filters, { shown: filters.shown + PAGE })
      : hrefOf("/tasks", filters, { shown: undefined, after: list.next_cursor });
  return { list, more };
}

/** A filter that no task passes, for an address that somebody made up. */
const NOTHING: TaskListQuery = {
  limit: 1,
  include: "total_count",
  external_id: " ",
  after: "tsk_",
};
