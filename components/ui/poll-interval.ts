/** What takes long to ask is not asked often: a fifth of the time at most goes into asking. */
const REQUEST_TIME_FACTOR = 5;

/** The pause before asking again, in milliseconds: the usual one, or longer after an answer that took long. */
export function pollInterval(tookMs: number, usualMs: number): number {
  return Math.max(usualMs, tookMs * REQUEST_TIME_FACTOR);
}
