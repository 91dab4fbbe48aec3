/** How many calls run concurrently. */
const TOGETHER = 10;

/** Runs `work` for each item, some at a time, and returns the results in order. */
export async function inTens<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += TOGETHER) {
    results.push(...(await Promise.all(items.slice(start, start + TOGETHER).map(work))));
  }
  return results;
}
