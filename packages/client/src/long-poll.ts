import { isRetryable } from "./api-error.js";
import { pause } from "./pause.js";
import { backoffMs, retryMs } from "./send.js";

interface PollOptions<Answer> {
  until: (answer: Answer) => boolean;
  /** Seconds until it gives up; `Infinity` for never. */
  wait: number;
  /** The longest wait of one request, in seconds. */
  waitMax: number;
  signal?: AbortSignal | undefined;
  /** Called when a request has failed and is tried again, once until the next response. */
  onBreak?: (() => void) | undefined;
}

/**
 * Repeats a long poll until its answer is the one that is waited for, or the time is over, and
 * returns the last answer. Survives network failures and restarts of the server. Throws the last
 * error if there is no time for another try, or the signal's reason.
 */
export async function poll<Answer>(
  ask: (waitSeconds: number) => Promise<Answer>,
  { until, wait, waitMax, signal, onBreak }: PollOptions<Answer>,
): Promise<Answer> {
  const deadline = performance.now() + wait * 1000;
  const leftMs = () => Math.max(0, deadline - performance.now());
  let breaks = 0;
  let early = 0;
  for (;;) {
    const askedAt = performance.now();
    const waitSeconds = Math.ceil(Math.min(leftMs() / 1000, waitMax));
    let delayMs = 0;
    try {
      const answer = await ask(waitSeconds);
      if (until(answer) || leftMs() === 0) return answer;
      breaks = 0;
      early = endedEarly(askedAt, waitSeconds) ? early + 1 : 0;
      if (early > 0) delayMs = Math.min(backoffMs(early), leftMs());
    } catch (error) {
      delayMs = retryMs(error, ++breaks);
      if (!isRetryable(error) || delayMs >= leftMs()) throw error;
      if (breaks === 1) onBreak?.();
    }
    await pause(delayMs, signal);
  }
}

/**
 * Whether a long poll without a result has ended much too soon. A server that stops ends all of
 * them at once, and without a pause the next one would follow at once, too.
 */
export function endedEarly(askedAt: number, waitSeconds: number): boolean {
  return performance.now() - askedAt < waitSeconds * 500;
}
