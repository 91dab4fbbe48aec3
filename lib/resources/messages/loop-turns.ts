import { setImmediate as nextTurn } from "node:timers/promises";

/** Reading and signing a smaller body takes less than a millisecond. */
const LARGE_BYTES = 16_384;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves at once for a small body, and for a large one in a turn of the event loop that no other
 * large body gets. Otherwise nobody is answered while all bodies of a lease are read and signed.
 */
export async function turnFor(body: Uint8Array | null): Promise<void> {
  if (body === null || body.length <= LARGE_BYTES) return;
  last = last.then(() => nextTurn());
  await last;
}
