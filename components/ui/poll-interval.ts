/** Polling pauses at least this many times as long as the last request took. */
const PAUSE_FACTOR = 5;

/** Milliseconds until the next poll: the usual pause, or longer after a slow answer. */
export function pollInterval(tookMs: number, usualMs: number): number {
  return Math.max(usualMs, tookMs * PAUSE_FACTOR);
}
