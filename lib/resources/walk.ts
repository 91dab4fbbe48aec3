import { isDatabaseGone } from "@/lib/platform/db/failures";
import { query, type Sql, sql } from "@/lib/platform/db/sql";
import { logError } from "@/lib/platform/telemetry/log";

const PAGE = 1000;
/** The time of a call, so that a sweep keeps to its budget. */
const CALL_MS_MAX = 3000;
/** How many calls in a row one item may fill. */
const CALLS_PER_ITEM_MAX = 10;

/** How much a call did, and whether it has reached the last item. */
export interface Walked {
  count: number;
  isOver: boolean;
}

interface Steps<Item> {
  /**
   * The ID after which the first walk of a process begins; at the end it starts over with the first
   * item. Without it, every walk begins with the first item.
   */
  start?(): Promise<string>;
  /** The next items in the order of their IDs. */
  page(after: string, limit: number): Promise<Item[]>;
  /** The items of a page that have work, in the same order. Defaults to all. */
  due?(items: Item[]): Promise<Item[]>;
  /** Does up to `limit` pieces of work and returns their number. */
  work(item: Item, limit: number): Promise<number>;
}

/**
 * Makes a function that does about `limit` pieces of work. A call continues where the last one of this process
 * ended, so that nothing is read or sorted as a whole, and no item that is slow, fails or always has work holds up
 * the others. The first failure of a call is logged as `failure`.
 */
export function walk<Item extends { id: string }>(
  failure: string,
  { start, page, due = (items) => Promise.resolve(items), work }: Steps<Item>,
): (limit: number) => Promise<Walked> {
  let after: string | undefined;
  let calls = 0;
  return async (limit) => {
    const end = performance.now() + CALL_MS_MAX;
    let count = 0;
    let hasFailed = false;
    const fail = (error: unknown) => {
      if (isDatabaseGone(error)) throw error;
      if (!hasFailed) logError(`${failure}:`, error);
      hasFailed = true;
    };
    let isPartial = after === undefined && start !== undefined;
    after ??= (await start?.()) ?? "";
    for (;;) {
      const items = await page(after, PAGE);
      const working = items.length > 0 ? await due(items).catch(fail) : [];
      for (const item of working ?? []) {
        const done = (await work(item, limit).catch(fail)) ?? 0;
        count += done;
        calls = done < limit ? 0 : calls + 1;
        if (calls % CALLS_PER_ITEM_MAX === 0) after = item.id;
        if (count >= limit || performance.now() >= end) return { count, isOver: false };
      }
      after = items.length < PAGE ? "" : (items.at(-1)?.id ?? "");
      if (after === "" && !isPartial) return { count, isOver: true };
      if (after === "") isPartial = false;
      if (performance.now() >= end) return { count, isOver: false };
    }
  };
}

/**
 * A walk over rows that one statement removes together: `remove` takes those whose keys are in a range. Rows of it
 * that have to stay are read once, and the next range follows.
 */
export function walkRanges(
  failure: string,
  page: Steps<{ id: string }>["page"],
  remove: (first: string, last: string, limit: number) => Promise<number>,
): (limit: number) => Promise<Walked> {
  return walk<{ id: string; first?: string }>(failure, {
    page,
    due: async (items) => items.slice(-1).map(({ id }) => ({ id, first: items[0]?.id ?? id })),
    work: ({ first, id }, limit) => remove(first ?? id, id, limit),
  });
}

/** The pages of a walk over a table, by its key. */
export function idsOf(table: Sql, key: Sql) {
  return (after: string, limit: number) =>
    query<{ id: string }>(sql`
      SELECT /* asks every node */ ${key} AS id FROM ${table} WHERE ${key} > ${after}
      ORDER BY ${key} LIMIT ${limit}`);
}
