import { AsyncResource } from "node:async_hooks";
import { ApiError, unavailable } from "@/lib/platform/errors";
import { metrics } from "@/lib/platform/telemetry/metrics";
import { isDatabaseDown, isDeadlock } from "./failures";
import { STATEMENT_MS_MAX } from "./time-limits";

const ITEMS_MAX = 200;
/** After this time (a lock, a full disk) a batch no longer blocks the next one of its key. */
const SLOW_MS = 100;
/** How long a call waits for its turn. After that, its caller may have left. */
const TURN_MS_MAX = 2 * STATEMENT_MS_MAX;

/** Weights are in the caller's unit, such as bytes. */
export interface Bounds<Item> {
  weightOf(item: Item): number;
  batchWeightMax: number;
  /** Defaults to 200. */
  batchItemsMax?: number;
  /** The total over all keys, including running batches. Items beyond it are refused. */
  queuedWeightMax: number;
  /**
   * Concurrent batches per key while earlier ones are slow; 1 if they would wait for the same lock.
   */
  concurrencyMax: number;
  /** Reads start in every turn of the event loop, since they wait for no lock and no disk. */
  isRead?: boolean;
}

/** The bounds of writes whose weights are bytes. Beyond those queued in memory, callers get 503. */
export const WRITES = { batchWeightMax: 4_000_000, queuedWeightMax: 200_000_000 };
/** The bounds of small items, which are counted. */
export const ONE_EACH = { weightOf: () => 1, batchWeightMax: 200, queuedWeightMax: 20_000 };

interface QueuedItem<Item, Result> {
  item: Item;
  weight: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

interface Queue<Item, Result> {
  waiting: QueuedItem<Item, Result>[];
  starting: boolean;
  running: number;
}

/**
 * Batches the work of many callers. Items that arrive while a batch of their key runs form the next
 * one, so a shared row is locked and the disk synced once for many. `run` returns one result per
 * item, in order. If it fails it must have had no effect: each half of the batch is retried, and so
 * on, unless a retry is futile, as after an `ApiError` or with the database down. Throws 503
 * `service_unavailable` when the queue is full.
 */
export function inBatches<Item, Result>(
  run: (key: string, items: Item[]) => Promise<Result[]>,
  bounds: Bounds<Item>,
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Queue<Item, Result>>();
  let waitingWeight = 0;
  /** True if the last batch held a single item that had not waited. */
  let wasAlone = true;

  return (key, item) => {
    const weight = bounds.weightOf(item);
    if (waitingWeight + weight > bounds.queuedWeightMax) {
      return Promise.reject(unavailable("Too many requests are queued. Try again."));
    }
    waitingWeight += weight;
    return new Promise<Result>((resolve, reject) => {
      const queue = queues.get(key) ?? { waiting: [], starting: false, running: 0 };
      queues.set(key, queue);
      queue.waiting.push({ item, weight, resolve, reject });
      scheduleStart(key, queue);
    });
  };

  function scheduleStart(key: string, queue: Queue<Item, Result>) {
    if (queue.starting || queue.running >= bounds.concurrencyMax) return;
    queue.starting = true;
    // In a burst, lets pending I/O arrive first, so that it becomes one batch rather than a single
    // item and a batch.
    if (wasAlone) queueMicrotask(() => start(key, queue));
    else setImmediate(start, key, queue);
  }

  /** Writes run in sequence: two concurrent batches of half the size were a third slower. */
  async function start(key: string, queue: Queue<Item, Result>) {
    while (queue.waiting.length > 0 && queue.running < bounds.concurrencyMax) {
      queue.running++;
      const batch = nextBatch(queue.waiting, bounds);
      wasAlone = batch.length === 1 && queue.running === 1;
      const started = performance.now();
      const settled = settle(key, batch).then(() => {
        // Later, so that no response waits for it.
        setImmediate(observe, batch.length, performance.now() - started);
        queue.running--;
        for (const { weight } of batch) waitingWeight -= weight;
        scheduleStart(key, queue);
      });
      if (!bounds.isRead) await settledOrSlow(settled);
    }
    queue.starting = false;
    if (queue.running === 0) queues.delete(key);
  }

  function observe(items: number, ms: number) {
    if (bounds.batchWeightMax === 1) return; // items that never share a batch only take turns
    const kind = bounds.isRead ? "read" : "write";
    const { batchItems, batchSeconds } = metrics();
    batchItems.observe({ kind }, items);
    batchSeconds.observe({ kind }, ms / 1000);
  }

  /** Settles every item of the batch. Never throws. */
  async function settle(key: string, batch: QueuedItem<Item, Result>[]): Promise<void> {
    try {
      const results = await run(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      const isFutile = isDatabaseDown(error) && !isDeadlock(error);
      if (batch.length === 1 || error instanceof ApiError || isFutile) {
        for (const { reject } of batch) reject(error);
      } else {
        // An item that the database refuses must not fail the others. Halving finds it in few
        // tries.
        const middle = Math.ceil(batch.length / 2);
        await settle(key, batch.slice(0, middle));
        await settle(key, batch.slice(middle));
      }
    }
  }
}

/**
 * Makes a function that runs the work of each key in turns, `atOnce` at a time and in the order of
 * the calls, and returns its result. Work that waits should hold no connection yet. Throws 503
 * `service_unavailable` when the queue is full and, with the `refusal`, when a turn does not come in time.
 */
export function inTurns(
  atOnce: number,
  refusal: string,
): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const run = inBatches<() => Promise<unknown>, unknown>(
    (_, works) => Promise.all(works.map((work) => work())),
    { ...ONE_EACH, batchWeightMax: 1, concurrencyMax: atOnce, isRead: true },
  );
  return (key, work) => {
    const deadline = performance.now() + TURN_MS_MAX;
    // In the caller's async context, not in that of the call whose turn was before.
    const inTime = AsyncResource.bind(() => {
      if (performance.now() > deadline) throw unavailable(refusal);
      return work();
    });
    return run(key, inTime) as ReturnType<typeof work>;
  };
}

function nextBatch<Item, Result>(
  waiting: QueuedItem<Item, Result>[],
  { batchWeightMax, batchItemsMax = ITEMS_MAX }: Bounds<Item>,
) {
  let total = 0;
  const tooMuch = waiting.findIndex(({ weight }, index) => {
    total += weight;
    return index === batchItemsMax || (index > 0 && total > batchWeightMax);
  });
  return waiting.splice(0, tooMuch === -1 ? waiting.length : tooMuch);
}

function settledOrSlow(settled: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    void settled.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
