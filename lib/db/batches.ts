import { ApiError } from "@/lib/errors";
import { isDatabaseDown } from "./sql";

const ITEMS_MAX = 200;
/** A batch that takes longer (a lock, a full disk) does not hold up the next of its key. */
const SLOW_MS = 100;

/** What bounds the batches. Weights are whatever the user counts in, such as bytes. */
export interface Bounds<Item> {
  weightOf(item: Item): number;
  batchWeightMax: number;
  /** Of all keys together, running batches included: beyond it an item is refused. */
  waitingWeightMax: number;
  /** Batches of one key at once, if those before are slow; 1 where they would wait for one lock. */
  atOnceMax: number;
}

interface Waiting<Item, Result> {
  item: Item;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Queue<Item, Result> {
  waiting: Waiting<Item, Result>[];
  starting: boolean;
  running: number;
}

/**
 * Work of many callers in common statements: what arrives while a batch of its key runs goes together
 * in the next. So a row that all of them write is locked, and the disk waited for, once for many.
 * `run` gives one result for each item, in order. What it throws for a batch it is asked again for
 * each item alone, unless that would only fail again: an `ApiError`, or a database that is down.
 * Throws 503 `service_unavailable` when too much waits already.
 */
export function inBatches<Item, Result>(
  run: (key: string, items: Item[]) => Promise<Result[]>,
  bounds: Bounds<Item>,
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Queue<Item, Result>>();
  let waitingWeight = 0;

  return (key, item) => {
    const weight = bounds.weightOf(item);
    if (waitingWeight + weight > bounds.waitingWeightMax) return Promise.reject(tooMuchWaits());
    waitingWeight += weight;
    const settled = new Promise<Result>((resolve, reject) => {
      const queue = queues.get(key) ?? { waiting: [], starting: false, running: 0 };
      queues.set(key, queue);
      queue.waiting.push({ item, weight, resolve, reject });
      begin(key, queue);
    });
    return settled.finally(() => {
      waitingWeight -= weight;
    });
  };

  function begin(key: string, queue: Queue<Item, Result>) {
    if (queue.starting || queue.running >= bounds.atOnceMax) return;
    queue.starting = true;
    // What has arrived by now is read first, so that a burst is one batch and not a single and a batch.
    setImmediate(start, key, queue);
  }

  /** One batch after the other: two at once, each half as large, were a third slower. */
  async function start(key: string, queue: Queue<Item, Result>) {
    while (queue.waiting.length > 0 && queue.running < bounds.atOnceMax) {
      queue.running++;
      const settled = settle(key, nextBatch(queue.waiting, bounds.batchWeightMax)).then(() => {
        queue.running--;
        begin(key, queue);
      });
      await orSlow(settled);
    }
    queue.starting = false;
    if (queue.running === 0) queues.delete(key);
  }

  /** Never throws: everybody in the batch is told how it went. */
  async function settle(key: string, batch: Waiting<Item, Result>[]): Promise<void> {
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
        for (const one of batch) await settle(key, [one]);
      }
    }
  }
}

function nextBatch<Item, Result>(waiting: Waiting<Item, Result>[], weightMax: number) {
  let total = 0;
  const tooMuch = waiting.findIndex(({ weight }, index) => {
    total += weight;
    return index === ITEMS_MAX || (index > 0 && total > weightMax);
  });
  return waiting.splice(0, tooMuch === -1 ? waiting.length : tooMuch);
}

function orSlow(settled: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    settled.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function tooMuchWaits() {
  return new ApiError("service_unavailable", "Too much is waiting to be stored. Send it again.", {
    headers: { "Retry-After": "5" },
  });
}
