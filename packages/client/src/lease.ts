import { ApiError, isRetryable } from "./api-error.js";
import type { CallOptions } from "./calls.js";
import { pause, TIMER_MS_MAX } from "./pause.js";

/**
 * A lease that is extended in the background until it is ended or lost. That does not keep the
 * process running.
 */
export interface Lease {
  /** Aborts when the lease is lost, or may be lost because it could not be extended in time. */
  signal: AbortSignal;
  /** Whether the service has said that the lease is lost. */
  isLost(): boolean;
  /** Stops extending it. */
  end(): void;
  /** Runs the work that ends the lease. If it succeeds, the lease is no longer extended, nor reported as lost. */
  endBy<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The options of one attempt. */
export type Attempt = Pick<CallOptions<"json">, "timeoutMs" | "maxRetries" | "signal">;

/**
 * Extends a lease whenever a third of it has passed. `extend` makes one attempt within the given
 * milliseconds; `remainingMs` is the remaining time of a new lease. With 0, the first extension
 * comes at once: the lease has ended, or two clocks differ.
 */
export function keepLease(
  durationMs: number,
  remainingMs: number,
  extend: (attempt: Attempt) => Promise<unknown>,
): Lease {
  const losing = new AbortController();
  const ending = new AbortController();
  const timeoutMs = Math.max(2000, durationMs / 3);
  let lost = false;
  /** By the clock, which goes on while the machine sleeps. Timers and `performance.now()` do not. */
  let endsAt = Number.POSITIVE_INFINITY;
  let ends = false;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let loss: { reason: unknown } | undefined;

  /** Reports the loss. During `endBy` the report waits, since a lease that just ended looks lost. */
  function lose(reason: unknown) {
    loss = { reason };
    if (!ends) losing.abort(reason);
  }

  /** The service may lease it to another worker from then on. */
  function holdUntil(time: number) {
    clearTimeout(expiry);
    loss = undefined;
    endsAt = Date.now() + time - performance.now();
    expiry = setTimeout(
      () => lose(new Error("The lease could not be extended in time.")),
      Math.min(time - performance.now(), TIMER_MS_MAX),
    );
    expiry.unref?.();
  }

  /** Waits so long, but not after the lease has ended by the clock. */
  async function waitFor(milliseconds: number) {
    const until = performance.now() + milliseconds;
    do await pause(Math.min(until - performance.now(), CLOCK_CHECK_MS), ending.signal, true);
    while (performance.now() < until && Date.now() < endsAt);
  }

  async function run() {
    holdUntil(performance.now() + (remainingMs || Math.min(timeoutMs, durationMs)));
    let waitMs = remainingMs / 3;
    for (;;) {
      await waitFor(waitMs);
      const startedAt = performance.now();
      try {
        await extend({ timeoutMs, maxRetries: 0, signal: ending.signal });
        holdUntil(startedAt + durationMs);
        waitMs = durationMs / 3;
      } catch (error) {
        if (ending.signal.aborted) return;
        if (!isRetryable(error)) {
          lost = error instanceof ApiError && [404, 409].includes(error.status);
          lose(error);
          return;
        }
        waitMs = Math.min(durationMs / 10, 5000);
      }
    }
  }

  run()
    .catch(() => {}) // the signal ended it
    .finally(() => clearTimeout(expiry));
  const end = () => ending.abort();
  return {
    signal: losing.signal,
    isLost: () => lost,
    end,
    async endBy(work) {
      ends = true;
      try {
        const result = await work();
        end();
        return result;
      } catch (error) {
        ends = false;
        if (loss) losing.abort(loss.reason);
        throw error;
      }
    },
  };
}

/** Sends a request that waits up to so many seconds for something to lease. */
type Send<Leased> = (waitSeconds: number, signal: AbortSignal | undefined) => Promise<Leased>;

/**
 * Makes a function that sends a request for a lease, or sends it once more, with the seconds that it may still wait,
 * since its response may have been lost. `send` has one idempotency key. Once `signal` aborts, a request that was
 * sent is sent a last time, without a wait: what a lost response has leased, nobody would work on until its lease
 * ends. Undefined if nothing was leased by then.
 */
export function leasing<Leased>(
  signal: AbortSignal | undefined,
  send: Send<Leased>,
): (waitSeconds: number) => Promise<Leased | undefined> {
  const repeat = repeatable(send);
  let isSent = false;
  return async (waitSeconds) => {
    if (!signal?.aborted) {
      isSent = true;
      try {
        return await repeat(waitSeconds, signal);
      } catch (error) {
        if (!signal?.aborted) throw error;
      }
    }
    if (!isSent) return undefined;
    return repeat(0, AbortSignal.timeout(LATE_RESPONSE_MS)).catch(() => undefined);
  };
}

/**
 * If an earlier request leased something, or still runs, the service refuses the key for another wait, and that
 * request is repeated as it was.
 */
function repeatable<Leased>(send: Send<Leased>): Send<Leased> {
  const waits = new Set<number>();
  return (waitSeconds, signal) => {
    const asked = [...waits].reduceRight(
      (asking, earlier) =>
        asking.catch((error) => {
          if (error instanceof ApiError && error.code === "idempotency_key_reused")
            return send(earlier, signal);
          throw error;
        }),
      send(waitSeconds, signal),
    );
    waits.add(waitSeconds);
    return asked;
  };
}

const LATE_RESPONSE_MS = 3000;
const CLOCK_CHECK_MS = 2000;

/** Whether a lease had ended before its response came: a repeat gets the response of the first request. */
export function hasEnded(remaining: number, response: Response): boolean {
  return remaining === 0 && response.headers.has("idempotency-replayed");
}

/**
 * Call it when a request is sent. Returns a function that says how many milliseconds ago its wait ended, or 0:
 * its lease began before that. Of two clocks, the longer time counts: one stands still while the machine
 * sleeps, and the other may be set.
 */
export function latenessOf(waitSeconds: number): () => number {
  const [startedAt, clockAt] = [performance.now(), Date.now()];
  return () => {
    const tookMs = Math.max(performance.now() - startedAt, Date.now() - clockAt);
    return Math.max(tookMs - waitSeconds * 1000, 0);
  };
}

/**
 * The remaining time of a lease, or 0: by the service's clock when it responded, but not more than if the lease
 * had begun `lateMs` ago.
 */
export function remainingMs(
  endsAt: number | null,
  response: Response,
  durationMs: number,
  lateMs: number,
): number {
  const now = Date.parse(response.headers.get("date") ?? "");
  // The second of `Date` may be almost over.
  const left = (endsAt ?? Number.NaN) * 1000 - now - 1000;
  const leftMax = durationMs - lateMs;
  return Math.max(left < leftMax ? left : leftMax, 0);
}
