import { isDatabaseGone } from "@/lib/platform/db/failures";
import { logError } from "@/lib/platform/telemetry/log";

const PAGE = 1000;
/** The time of a call, so that a sweep keeps to its budget. */
const CALL_MS_MAX = 3000;

interface Steps<Item> {
  /** The next items in the order of their IDs. */
  page(after: string, limit: number): Promise<Item[]>;
  /** Those of a page that have work, in the same order. Defaults to all. */
  due?(items: Item[]): Promise<Item[]>;
  /** Does up to `limit` pieces of work and returns their number. */
  work(item: Item, limit: number): Promise<number>;
}

/**
 * Makes a function that does about `limit` pieces of work and returns their number. A call goes on where the last one
 * of this process ended, so that nothing is read or sorted as a whole, and none that is slow or fails holds up
 * others. The first failure of a call is logged as `failure`.
 */
export function walk<Item extends { id: string }>(
  failure: string,
  { page, due = (items) => Promise.resolve(items), work }: Steps<Item>,
): (limit: number) => Promise<number> {
  let after = "";
  return async (limit) => {
    const end = performance.now() + CALL_MS_MAX;
    let done = 0;
    let hasFailed = false;
    const fail = (error: unknown) => {
      if (isDatabaseGone(error)) throw error;
      if (!hasFailed) logError(`${failure}:`, error);
      hasFailed = true;
      return 0;
    };
    do {
      const items = await page(after, PAGE);
      for (const item of items.length > 0 ? await due(items) : []) {
        const count = await work(item, limit).catch(fail);
        done += count;
        // With as much as it may do at once, an item is not finished.
        if (count < limit) after = item.id;
        if (done >= limit || performance.now() >= end) return done;
      }
      after = items.length < PAGE ? "" : (items.at(-1)?.id ?? "");
    } while (after !== "" && performance.now() < end);
    return done;
  };
}
