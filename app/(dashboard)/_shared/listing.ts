import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import type { List } from "@/lib/http/list";

export const PAGE_SIZE = 50;
/** Beyond this "Load more" begins a new page, so that no page grows without end. */
const SHOWN_MAX = 500;
const LIMIT_MAX = 100;
/** A search may pass over many that do not match: the next page goes on from there. */
const READS_MAX = 8;

/** How many rows the address asks for. */
export function shownOf(params: SearchParams): number {
  const shown = Number(queryParam(params, "shown"));
  return Number.isInteger(shown) ? Math.min(Math.max(shown, PAGE_SIZE), SHOWN_MAX) : PAGE_SIZE;
}

/** Reads that many rows, in as many pages as the service needs for them, and how many there are in all. */
export async function readUpTo<Listed extends List<unknown>>(
  shown: number,
  after: string | undefined,
  read: (page: { limit: number; after?: string; include?: string }) => Promise<Listed>,
): Promise<Listed> {
  const list = await read({
    limit: Math.min(shown, LIMIT_MAX),
    include: "total_count",
    ...(after !== undefined && { after }),
  });
  for (let reads = 1; reads < READS_MAX; reads += 1) {
    if (!list.next_cursor || list.data.length >= shown) break;
    const limit = Math.min(shown - list.data.length, LIMIT_MAX);
    const next = await read({ limit, after: list.next_cursor });
    Object.assign(list, next, { data: [...list.data, ...next.data] });
  }
  return list;
}

/** What "Load more" changes in the address; undefined: there is no more. */
export function moreOf(
  list: List<unknown>,
  shown: number,
): { shown?: number | undefined; after?: string } | undefined {
  if (!list.next_cursor) return undefined;
  if (shown < SHOWN_MAX) return { shown: shown + PAGE_SIZE };
  return { shown: undefined, after: list.next_cursor };
}

/** The query parameters that say which rows are shown. */
export function rangeParams(params: SearchParams) {
  return { after: queryParam(params, "after"), shown: queryParam(params, "shown") };
}

/** Which rows the address asks for: so many, after this one. */
export function rangeOf(params: SearchParams): { after: string | undefined; shown: number } {
  return { after: afterOf(params), shown: shownOf(params) };
}

/** As many items as the address asks for. */
export function readShown<Listed extends List<unknown>>(
  params: SearchParams,
  read: (page: { limit: number; after?: string; include?: string }) => Promise<Listed>,
): Promise<Listed> {
  return readUpTo(shownOf(params), afterOf(params), read);
}

/** Where "Load more" leads; undefined when all is shown. `kept` are the filters of the address. */
export function moreHref(
  path: string,
  kept: Record<string, string | undefined>,
  params: SearchParams,
  list: List<unknown>,
): string | undefined {
  const shown = shownOf(params);
  const isFull = list.data.length >= shown;
  const more = isFull ? moreOf(list, shown) : list.next_cursor && { after: list.next_cursor };
  return more ? withQuery(path, { ...kept, after: afterOf(params), ...more }) : undefined;
}

/** One honest count: "50 of 233"; where nobody has counted, what is shown. */
export function countOf(list: List<unknown>): string {
  const { length } = list.data;
  if (list.total_count !== undefined)
    return `${length} of ${list.total_count.toLocaleString("en")}`;
  return list.has_more ? `${length} found so far` : `${length} found`;
}

function afterOf(params: SearchParams): string | undefined {
  const after = queryParam(params, "after");
  return after !== undefined && /^[a-z]+_[0-9A-Za-z]+$/.test(after) ? after : undefined;
}
