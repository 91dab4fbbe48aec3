import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { rangeParams, readShown } from "@/app/(dashboard)/_shared/listing";
import type { Caller } from "@/lib/caller";
import { emptyList, type List } from "@/lib/http/list";
import { type Task, TaskListQuery } from "@/lib/tasks/contract";
import { filterOf, isProgress, type Progress } from "@/lib/tasks/progress";
import * as tasks from "@/lib/tasks/service";

/** The query parameters of the list. */
export type TaskFilters = ReturnType<typeof filtersOf>;

export function filtersOf(params: SearchParams) {
  const progress = queryParam(params, "progress");
  return {
    view: queryParam(params, "view") === "board" ? "board" : undefined,
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
    Record<keyof TaskFilters | "new" | "edit" | "open", string | number | undefined>
  > = {},
): string {
  return withQuery(path, { ...filters, ...changes });
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
    after: filters.after,
  });
  if (!parsed.success) return emptyList({ limit: 1, include: "total_count" });
  const within = progress ? filterOf(progress) : {};
  const query = {
    ...parsed.data,
    label: [...(parsed.data.label ?? []), ...(within.label ?? [])],
    ...(within.not_label && { not_label: within.not_label }),
  };
  return readShown(filters, (page) =>
    tasks.list(caller, { ...query, include: undefined, ...page }),
  );
}
