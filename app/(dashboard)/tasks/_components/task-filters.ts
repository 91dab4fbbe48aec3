import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { moreOf, PAGE_SIZE, readUpTo, shownOf } from "@/app/(dashboard)/_shared/listing";
import type { Caller } from "@/lib/caller";
import type { List } from "@/lib/http/list";
import { type Task, TaskListQuery } from "@/lib/tasks/contract";
import { filterOf, isProgress, type Progress } from "@/lib/tasks/progress";
import * as tasks from "@/lib/tasks/service";

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
  const progress = queryParam(params, "progress");
  return {
    view: queryParam(params, "view") === "board" ? "board" : "list",
    progress: isProgress(progress) ? progress : undefined,
    priority: queryParam(params, "priority"),
    label: queryParam(params, "label"),
    q: queryParam(params, "q") ?? "",
    after: queryParam(params, "after"),
    shown: shownOf(params),
  };
}

/** The address of this list with some of its filters changed. */
export function hrefOf(
  path: string,
  filters: TaskFilters,
  changes: Partial<Record<keyof TaskFilters | "new" | "edit", string | number | undefined>> = {},
): string {
  const { view, shown, ...others } = filters;
  return withQuery(path, {
    view: view === "board" ? view : undefined,
    shown: shown > PAGE_SIZE ? shown : undefined,
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
  });
  if (!parsed.success) return { list: await tasks.list(caller, NOTHING), more: undefined };
  const within = filters.progress ? filterOf(filters.progress) : {};
  const query = {
    ...parsed.data,
    label: [...(parsed.data.label ?? []), ...(within.label ?? [])],
    ...(within.not_label && { not_label: within.not_label }),
  };
  const list = await readUpTo(filters.shown, query.after, (page) =>
    tasks.list(caller, { ...query, include: undefined, ...page }),
  );
  const next = moreOf(list, filters.shown);
  return { list, more: next && hrefOf("/tasks", filters, next) };
}

/** A filter that no task passes, for an address that somebody made up. */
const NOTHING: TaskListQuery = {
  limit: 1,
  include: "total_count",
  external_id: " ",
  after: "tsk_",
};
