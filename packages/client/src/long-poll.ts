import { ConnectionError, isInProgress, isRetryable } from "./api-error.js";
import { pause } from "./pause.js";
import { backoffMs, retryMs } from "./send.js";

/** How much longer than its wait a request may run. */
export const LATE_MS = 5000;

interface PollOptions<Answer> {
  until: (answer: Answer) => boolean;
  /** Seconds until it gives up; `Infinity` for never. */
  wait: number;
  /** The longest wait of one request, in seconds; 20 by default, as for a lease. */
  waitMax?: number;
  /** How long what an answer leases is held. A failed request is repeated for as long. */
  leaseSeconds?: number;
  signal?: AbortSignal | undefined;
  /** Called when a request has failed and is tried again, unless its first try still runs; `breaks` counts since the last response. */
  onBreak?: ((error: Error, breaks: number) => void) | undefined;
}

/**
 * Repeats a long poll until its answer is the one that is waited for, or the time is over, and
 * returns the last answer. Survives network failures and restarts of the server. Throws the last
 * error if there is no time for another try, or the signal's reason.
 *
 * `prepare` makes a request and returns the function that sends it, with the seconds to wait. After a response may
 * have been lost, a request for a lease is sent again, also once `signal` has aborted: see `leasing`.
 */
export async function poll<Answer>(
  prepare: () => (waitSeconds: number) => Promise<Answer>,
  { until, wait, waitMax = 20, leaseSeconds = 0, signal, onBreak }: PollOptions<Answer>,
): Promise<Answer> {
  const deadline = performance.now() + wait * 1000;
  const leftMs = () => Math.max(0, deadline - performance.now());
  let breaks = 0;
  let early = 0;
  let lost: unknown = wait === 0;
  let request:
    | { send: (waitSeconds: number) => Promise<Answer>; endsAt: number; madeAt: number }
    | undefined;
  for (;;) {
    const sentAt = performance.now();
    const waitSeconds = Math.ceil(Math.min(leftMs() / 1000, waitMax));
    // A request that has outlived its lease is replaced: its response would be a lease that has ended.
    if (!request || sentAt - request.madeAt >= leaseSeconds * 1000) {
      const endsAt = sentAt + waitSeconds * 1000 + LATE_MS;
      request = { send: prepare(), endsAt, madeAt: sentAt };
    }
    const { send, endsAt } = request;
    let delayMs = 0;
    try {
      const answer = await send(waitSeconds);
      if (until(answer) || leftMs() === 0) return answer;
      breaks = 0;
      early = endedEarly(sentAt, waitSeconds) ? early + 1 : 0;
      if (early > 0) delayMs = Math.min(backoffMs(early), leftMs());
      request = undefined;
    } catch (error) {
      delayMs = retryMs(error, ++breaks);
      const isOver = delayMs >= leftMs();
      // A lost response may have leased something, so it is asked for once more.
      const isLast = isOver && (lost || !(error instanceof ConnectionError));
      // The key of a server that has died stays taken for a minute.
      if (isLast && lost instanceof Error && isInProgress(error)) throw lost;
      if (!isRetryable(error) || isLast) throw error;
      lost = isOver && error;
      if (!isInProgress(error)) onBreak?.(error, breaks);
      // A request that seems to run even then has died with its server. Its key stays taken for a minute.
      else if (performance.now() > endsAt) request = undefined;
    }
    try {
      await pause(delayMs, signal);
    } catch (stopped) {
      const answer = leaseSeconds > 0 && request && (await request.send(0));
      if (!answer || !until(answer)) throw stopped;
      return answer;
    }
  }
}

/**
 * Whether a long poll without a result has ended much too soon. A server that stops ends all of
 * them at once, and without a pause the next one would follow at once, too.
 */
function endedEarly(sentAt: number, waitSeconds: number): boolean {
  return performance.now() - sentAt < waitSeconds * 500;
}
