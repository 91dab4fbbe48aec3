import type { SearchParams } from "@/app/_shared/query";
import { inSearchTurn } from "@/app/_shared/search-turn";
import type { Caller } from "@/lib/platform/caller";
import { LIMIT_MAX, type List } from "@/lib/platform/lists/list";
import { rangeOf } from "./listing";

/** At most this many requests, since many rows may not match. The next page continues there. */
const READS_MAX = 8;

/** Reads the rows that the query selects for the caller, and their total, in several requests if need be. */
export async function readShown<Listed extends List<unknown>>(
  caller: Caller,
  params: SearchParams,
  read: (page: { limit: number; after?: string; include?: string }) => Promise<Listed>,
): Promise<Listed> {
  const { after, shown } = rangeOf(params);
  const first = { limit: Math.min(shown, LIMIT_MAX), include: "total_count" };
  const list = await inSearchTurn(caller, () =>
    read({ ...first, ...(after !== undefined && { after }) }),
  );
  for (let reads = 1; reads < READS_MAX; reads += 1) {
    if (!list.next_cursor || list.data.length >= shown) break;
    const limit = Math.min(shown - list.data.length, LIMIT_MAX);
    const position = { limit, after: list.next_cursor };
    const next = await inSearchTurn(caller, () => read(position));
    Object.assign(list, next, { data: [...list.data, ...next.data] });
  }
  return list;
}
