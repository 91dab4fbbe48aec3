import type { ItemOf, ListPath } from "./calls.js";
import type { AnyInit, Connection } from "./connection.js";

interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Iterates over every item of a list, page by page. */
export async function* listItems<Path extends ListPath>(
  { calls }: Connection,
  path: Path,
  init: AnyInit = {},
): AsyncGenerator<ItemOf<Path>, void, undefined> {
  const get = calls.GET as (path: string, init: AnyInit) => Promise<{ data: Page<ItemOf<Path>> }>;
  let after = init.params?.query?.after;
  for (;;) {
    const query = { ...init.params?.query, ...(after !== undefined && { after }) };
    const { data: page } = await get(path, { ...init, params: { ...init.params, query } });
    yield* page.data;
    if (!page.has_more) return;
    if (page.next_cursor === null || page.next_cursor === after) {
      throw new Error(`${path} says that there is more, but not where.`);
    }
    after = page.next_cursor;
  }
}
