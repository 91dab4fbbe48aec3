import type { List } from "@/lib/http/list";
import { address, one, type SearchParams } from "./address";

const PAGE = 50;
/** Beyond this "Load more" begins a new page, so that no page grows without end. */
const SHOWN_MAX = 500;
/** A search may pass over many that do not match: the next page goes on from there. */
const READS_MAX = 8;

interface Part {
  limit: number;
  after: string | undefined;
  include: string | undefined;
}

/** As many items as the address asks for, read in as many parts as that takes. */
export async function readShown<Item>(
  params: SearchParams,
  read: (part: Part) => Promise<List<Item>>,
): Promise<List<Item>> {
  const shown = shownOf(params);
  const list = await read({
    limit: Math.min(shown, 100),
    after: afterOf(params),
    include: "total_count",
  });
  for (let reads = 1; reads < READS_MAX; reads += 1) {
    const after = list.next_cursor;
    if (after === null || list.data.length >= shown) break;
    const limit = Math.min(shown - list.data.length, 100);
    const next = await read({ limit, after, include: undefined });
    list.data.push(...next.data);
    list.has_more = next.has_more;
    list.next_cursor = next.next_cursor;
  }
  return list;
}

/** Where "Load more" leads; undefined when all is shown. `kept` are the filters of the address. */
export function moreHref(
  path: string,
  kept: Record<string, string | undefined>,
  params: SearchParams,
  list: List<unknown>,
): string | undefined {
  if (list.next_cursor === null) return undefined;
  const shown = shownOf(params);
  const isFull = list.data.length >= shown;
  return isFull && shown < SHOWN_MAX
    ? address(path, { ...kept, after: afterOf(params), shown: shown + PAGE })
    : address(path, { ...kept, after: list.next_cursor });
}

/** One honest count: "50 of 233"; where nobody has counted, what is shown. */
export function countOf(list: List<unknown>): string {
  const { length } = list.data;
  if (list.total_count === undefined)
    return list.has_more ? `${length} found so far` : `${length} found`;
  return `${length} of ${list.total_count.toLocaleString("en")}`;
}

function shownOf(params: SearchParams): number {
  const shown = Number(one(params, "shown"));
  return Number.isInteger(shown) ? Math.min(Math.max(shown, PAGE), SHOWN_MAX) : PAGE;
}

function afterOf(params: SearchParams): string | undefined {
  const after = one(params, "after");
  return after !== undefined && /^[a-z]+_[0-9A-Za-z]+$/.test(after) ? after : undefined;
}
