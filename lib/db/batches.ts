import { ApiError } from "@/lib/http/errors";
import { isDatabaseDown } from "./sql";

const ITEMS_MAX = 200;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Work of many callers in common statements: while one runs for a key, what arrives waits, and then
 * goes together. So a row that all of them write is locked, and the disk waited for, once for many.
 * An item that comes alone is worked on at once. `run` gives one result for each item, in order;
 * `size` bounds the bytes of a batch.
 */
export function inBatches<Item, Result>(
  run: (key: string, items: Item[]) => Promise<Result[]>,
  size: { of(item: Item): number; max: number },
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Waiting<Item, Result>[]>();

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = queues.get(key);
      if (queue) queue.push(waiting);
      else {
        queues.set(key, [waiting]);
        void drain(key);
      }
    });

  async function drain(key: string) {
    const queue = queues.get(key) ?? [];
    while (queue.length > 0) await work(key, nextBatch(queue, size));
    queues.delete(key);
  }

  async function work(key: string, batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || error instanceof ApiError || isDatabaseDown(error)) {
        for (const { reject } of batch) reject(error);
      } else {
        // One item that the database refuses must not take its neighbours with it.
        for (const one of batch) await work(key, [one]);
      }
    }
  }
}

function nextBatch<Item, Result>(
  queue: Waiting<Item, Result>[],
  size: { of(item: Item): number; max: number },
) {
  let count = 0;
  let total = 0;
  for (const { item } of queue.slice(0, ITEMS_MAX)) {
    total += size.of(item);
    if (count > 0 && total > size.max) break;
    count += 1;
  }
  return queue.splice(0, count);
}
