import type { List } from "@/lib/http/list";
import { one, type SearchParams } from "./address";

export const PAGE = 50;
/** Beyond this "Load more" begins a new page, so that no page grows without end. */
const SHOWN_MAX = 500;
const LIMIT_MAX = 100;

/** How many rows the address asks for. */
export function shownOf(params: SearchParams): number {
  const shown = Number(one(params, "shown"));
  return Number.isInteger(shown) ? Math.min(Math.max(shown, PAGE), SHOWN_MAX) : PAGE;
}

/** Reads that many rows, in as many pages as the service needs for them, and how many there are in all. */
export async function readUpTo<Item>(
  shown: number,
  after: string | undefined,
  read: (page: { limit: number; after?: string; include?: string }) => Promise<List<Item>>,
): Promise<List<Item>> {
  const list = await read({
    limit: Math.min(shown, LIMIT_MAX),
    include: "total_count",
    ...(after !== undefined && { after }),
  });
  while (list.next_cursor && list.data.length < shown) {
    const limit = Math.min(shown - list.data.length, LIMIT_MAX);
    const next = await read({ limit, after: list.next_cursor });
    list.data.push(...next.data);
    list.has_more = next.has_more;
    list.next_cursor = next.next_cursor;
  }
  return list;
}

/** What "Load more" changes in the address; undefined: there is no more. */
export function moreOf(
  list: List<unknown>,
  shown: number,
): { shown?: number | undefined; after?: string } | undefined {
  if (!list.next_cursor) return undefined;
  if (shown < SHOWN_MAX) return { shown: shown + PAGE };
  return { shown: undefined, after: list.next_cursor };
}

/** "50 of 233". */
export function countOf(list: List<unknown>): string {
  return `${list.data.length} of ${list.total_count ?? list.data.length}`;
}
