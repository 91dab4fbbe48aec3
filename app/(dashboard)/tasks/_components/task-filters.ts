import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { filterReader } from "@/app/(dashboard)/_shared/filter-reader";
import { rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { searchTokens } from "@/app/(dashboard)/_shared/search-tokens";
import type { Caller } from "@/lib/platform/caller";
import { emptyList, type List } from "@/lib/platform/lists/list";
import { priorities, type Task, TaskListQuery } from "@/lib/resources/tasks/contract";
import type { HeldFilter } from "@/lib/resources/tasks/filters";
import { filterOf, type Progress, progresses } from "@/lib/resources/tasks/progress";
import * as tasks from "@/lib/resources/tasks/service";
import { orders } from "@/lib/resources/tasks/sort-cursor";
import { listSorted } from "@/lib/resources/tasks/sorted";
import { progressLabel } from "./task-badges";

/** What the search takes as `name:value`. */
const TOKENS = ["progress", "priority", "label", "holder", "sort"] as const;

/** What the list can show alone. */
const shown = [...progresses, "open"] as const;

/** What the list can be divided by. */
export const groupings = ["progress", "priority", "holder"] as const;
export type Grouping = (typeof groupings)[number];

/** The query parameters of the list. */
export type TaskFilters = ReturnType<typeof filtersOf>;

export function filtersOf(params: SearchParams) {
  return readFilters(params).filters;
}

/** The filters in the query, and those that the list does not have. */
export function readFilters(params: SearchParams) {
  const typed = searchTokens(queryParam(params, "q"), TOKENS);
  const { given, choice, misread } = filterReader(params, typed);
  const filters = {
    view: queryParam(params, "view") === "board" ? "board" : undefined,
    sort: choice(orders, "sort"),
    progress: choice(shown, "progress", "status", "state"),
    priority: choice(priorities, "priority"),
    label: given("label"),
    holder: given("holder"),
    group: choice(groupings, "group"),
    q: typed.text,
    ...rangeParams(params),
  };
  return { filters, misread };
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

/** The filters as query parameters of the API; null if it has no such list. */
export function apiFiltersOf(filters: TaskFilters) {
  if (filters.holder) return null;
  const { q, label, priority, progress } = filters;
  const within = progress && filters.view !== "board" ? labelsOf(progress) : {};
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
  within: { progress?: Progress; priority?: Task["priority"]; held?: HeldFilter["held"] } = {},
): Promise<List<Task>> {
  const progress = within.progress ?? filters.progress;
  const priority = within.priority ?? filters.priority;
  const parsed = TaskListQuery.safeParse({
    q: filters.q || undefined,
    label: filters.label ? [filters.label] : undefined,
    priority: priority ? [priority] : undefined,
    after: filters.sort ? undefined : filters.after,
  });
  if (!parsed.success) return emptyList({ limit: 1, include: "total_count" });
  const { label = [], not_label } = progress ? labelsOf(progress) : {};
  const query = {
    ...parsed.data,
    label: [...(parsed.data.label ?? []), ...label],
    ...(not_label && { not_label }),
    held: filters.holder ? { by: filters.holder } : within.held,
  };
  const { sort } = filters;
  return readShown(caller, filters, ({ after, ...page }) =>
    sort
      ? listSorted(caller, sort, { ...query, include: undefined, ...page }, after)
      : tasks.list(caller, { ...query, include: undefined, ...page, after }),
  );
}

/** The list filter for tasks with this progress; `open` are those that are not done. */
function labelsOf(progress: Progress | "open"): ReturnType<typeof filterOf> {
  return progress === "open" ? { not_label: ["done"] } : filterOf(progress);
}

/** The filters in words, such as "In progress, high, label docs"; empty if there are none. */
export function wordsOf({ progress, priority, label, holder, q }: TaskFilters): string {
  return [
    progress === "open" ? "Open" : progress && progressLabel(progress),
    priority,
    label && `label ${label}`,
    holder && `held by ${holder}`,
    q && `“${q}”`,
  ]
    .filter(Boolean)
    .join(", ");
}
