import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** How long work may take before others get a turn. */
const TURN_MS = 10;

/** The results of `work` for all items, in order. Work that takes long is spread over turns of the event loop. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > TURN_MS) {
      await nextTurn();
      begun = performance.now();
    }
    results.push(work(item));
  }
  return results;
}

/**
 * Makes a function that spreads its calls over turns of the event loop, `perTurn` to each. It resolves at
 * once while the current turn has room, then in later turns, in the order of the calls. Without it, work
 * that arrives together runs in one turn, and the process serves nothing else until it is done.
 */
export function loopTurns(perTurn = 1): () => Promise<void> {
  let turn: Promise<void> | undefined; // undefined: the current turn
  let taken = 0;
  const after = (one = Promise.resolve()) => one.then(() => nextTurn());
  return async () => {
    if (taken === perTurn) {
      turn = after(turn);
      taken = 0;
    }
    taken += 1;
    const own = turn;
    if (taken === 1) {
      void after(own).then(() => {
        if (turn !== own) return;
        turn = undefined;
        taken = 0;
      });
    }
    await own;
  };
}

/** Parsing, signing or serializing less takes less than a millisecond. */
const LONG_LENGTH = 16_384;
const longTurn = loopTurns();

/** Resolves at once for something short, and for each long one in a turn of its own: those of a batch arrive together. */
export async function turnIfLong(length: number): Promise<void> {
  if (length > LARGE_LENGTH) await turnIfLarge(length);
  else if (length > LONG_LENGTH) await longTurn();
}

/** Each step of work on more takes tens of milliseconds. */
const LARGE_LENGTH = 1_000_000;
/** In this time others get through the few turns that a request needs. */
const REST_MS = 5;
let largeTurn = Promise.resolve();

/**
 * Call it before each step of work. For something large it resolves in a turn of its own, some time
 * after the last such turn; for anything smaller it returns undefined.
 */
export function turnIfLarge(length: number): Promise<void> | undefined {
  if (length <= LARGE_LENGTH) return undefined;
  largeTurn = largeTurn.then(() => nextTurn()).then(() => pause(REST_MS));
  return largeTurn;
}

/** The length of a row's texts and bytes, together. */
export function lengthOf(row: object): number {
  let length = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string" || Buffer.isBuffer(value)) length += value.length;
  }
  return length;
}
