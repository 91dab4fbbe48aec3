import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import type { Caller } from "@/lib/platform/caller";
import type { List } from "@/lib/platform/lists/list";

export const PAGE_SIZE = 50;
/** At this length, "Load more" starts a new page. */
const SHOWN_MAX = 500;

/** A list: a page of its own, or beside an open resource. */
export interface ListProps {
  caller: Caller;
  params: SearchParams;
  creating?: boolean;
  /** Stops the list from refreshing, because the user may be typing. */
  isPaused?: boolean;
  /** The resource that is open beside the list. */
  openId?: string;
}

/** The rows that the query parameters select: how many, and after which ID. */
export function rangeOf(params: SearchParams): { after: string | undefined; shown: number } {
  const after = queryParam(params, "after");
  const shown = Number(queryParam(params, "shown"));
  return {
    after: after !== undefined && /^[a-z]+_[\w.-]+$/.test(after) ? after : undefined,
    shown: Number.isInteger(shown) ? Math.min(Math.max(shown, PAGE_SIZE), SHOWN_MAX) : PAGE_SIZE,
  };
}

/** The query parameters that select the rows. */
export function rangeParams(params: SearchParams) {
  return { after: queryParam(params, "after"), shown: queryParam(params, "shown") };
}

/** The parameters that continue the list; undefined if all of it is shown. */
export function nextRange(
  params: SearchParams,
  list: List<unknown>,
): { after: string | undefined; shown?: number } | undefined {
  if (!list.next_cursor) return undefined;
  const { after, shown } = rangeOf(params);
  const canGrow = shown < SHOWN_MAX && list.data.length >= shown;
  return canGrow ? { after, shown: shown + PAGE_SIZE } : { after: list.next_cursor };
}

/** The address of "Load more"; `kept` are the other parameters. */
export function moreHref(
  path: string,
  kept: Record<string, string | undefined>,
  params: SearchParams,
  list: List<unknown>,
): string | undefined {
  const next = nextRange(params, list);
  return next && withQuery(path, { ...kept, ...next });
}

/** "50 of 233", "12" if those are all, or the number found so far if nothing counts the total. */
export function countOf(list: Pick<List<unknown>, "data"> & Partial<List<unknown>>): string {
  const { length } = list.data;
  const { total_count: total } = list;
  if (total !== undefined) {
    const all = total.toLocaleString("en");
    return total === length ? all : `${length} of ${all}`;
  }
  return list.has_more ? `${length} found so far` : `${length} found`;
}
