import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import type { Caller } from "@/lib/platform/caller";
import { emptyList, type List } from "@/lib/platform/lists/list";
import { type Task, TaskListQuery } from "@/lib/resources/tasks/contract";
import { filterOf, isProgress, type Progress } from "@/lib/resources/tasks/progress";
import * as tasks from "@/lib/resources/tasks/service";
import { isOrder } from "@/lib/resources/tasks/sort-cursor";
import { listSorted } from "@/lib/resources/tasks/sorted";

/** The query parameters of the list. */
export type TaskFilters = ReturnType<typeof filtersOf>;

export function filtersOf(params: SearchParams) {
  const progress = queryParam(params, "progress");
  const sort = queryParam(params, "sort");
  return {
    view: queryParam(params, "view") === "board" ? "board" : undefined,
    sort: isOrder(sort) ? sort : undefined,
    progress: isProgress(progress) ? progress : undefined,
    priority: queryParam(params, "priority"),
    label: queryParam(params, "label"),
    q: queryParam(params, "q"),
    ...rangeParams(params),
  };
}

/** The address of this list with some of its filters changed. */
export function hrefOf(
  path: string,
  filters: TaskFilters,
  changes: Partial<
    Record<keyof TaskFilters | "new" | "edit" | "open" | "tab", string | number | undefined>
  > = {},
): string {
  return withQuery(path, { ...filters, ...changes });
}

/** The filters as query parameters of the API. */
export function apiFiltersOf(filters: TaskFilters) {
  const { q, label, priority, progress } = filters;
  const within = progress && filters.view !== "board" ? filterOf(progress) : {};
  return {
    q: q || undefined,
    priority: priority || undefined,
    label: [label || [], within.label ?? []].flat(),
    not_label: within.not_label,
  };
}

/** The tasks that match the filters; none if a filter is invalid. */
export async function readTasks(
  caller: Caller,
  filters: TaskFilters,
  progress: Progress | undefined = filters.progress,
): Promise<List<Task>> {
  const parsed = TaskListQuery.safeParse({
    q: filters.q || undefined,
    label: filters.label ? [filters.label] : undefined,
    priority: filters.priority ? [filters.priority] : undefined,
    after: filters.sort ? undefined : filters.after,
  });
  if (!parsed.success) return emptyList({ limit: 1, include: "total_count" });
  const within = progress ? filterOf(progress) : {};
  const query = {
    ...parsed.data,
    label: [...(parsed.data.label ?? []), ...(within.label ?? [])],
    ...(within.not_label && { not_label: within.not_label }),
  };
  const { sort } = filters;
  return readShown(filters, ({ after, ...page }) =>
    sort
      ? listSorted(caller, sort, { ...query, include: undefined, ...page }, after)
      : tasks.list(caller, { ...query, include: undefined, ...page, after }),
  );
}
