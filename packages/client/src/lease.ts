import { ApiError, isPassing } from "./api-error.js";
import { pause } from "./pause.js";

/** A lease that is extended in the background until it is ended or lost. */
export interface Lease {
  /** Aborts when the lease is lost, or may be because it could not be extended in time. */
  signal: AbortSignal;
  /** Whether the service has said that the lease is lost. */
  isLost(): boolean;
  /** Stops extending it. */
  end(): void;
}

/**
 * Extends a lease each time half of it has passed. `extend` makes one attempt within the given
 * milliseconds; `remainingMs` is what is left of a lease that has just begun.
 */
export function keepLease(
  durationMs: number,
  remainingMs: number,
  extend: (options: { timeoutMs: number; maxRetries: 0; signal: AbortSignal }) => Promise<unknown>,
): Lease {
  const losing = new AbortController();
  const ending = new AbortController();
  let lost = false;

  async function run() {
    let heldUntil = performance.now() + remainingMs;
    let waitMs = remainingMs / 2;
    for (;;) {
      await pause(waitMs, ending.signal);
      const startedAt = performance.now();
      const timeoutMs = Math.max(500, Math.min(durationMs / 2, heldUntil - startedAt));
      try {
        await extend({ timeoutMs, maxRetries: 0, signal: ending.signal });
        heldUntil = startedAt + durationMs;
        waitMs = durationMs / 2;
      } catch (error) {
        if (ending.signal.aborted) return;
        if (!isPassing(error)) {
          lost = error instanceof ApiError && [404, 409].includes(error.status);
          losing.abort(error);
          return;
        }
        if (performance.now() >= heldUntil) {
          losing.abort(new Error("The lease could not be extended in time.", { cause: error }));
        }
        waitMs = Math.min(durationMs / 10, 5000);
      }
    }
  }

  run().catch(() => {}); // it ends by the signal
  return { signal: losing.signal, isLost: () => lost, end: () => ending.abort() };
}

/**
 * Sends a request that leases something until `signal` aborts, and once more after that: the answer
 * may have been on its way, and what it leased would be nobody's until the lease ends. `send` must
 * use the same idempotency key both times. Undefined when nothing was leased.
 */
export async function leaseUnlessStopped<Answer>(
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal | undefined) => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await send(signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
    return send(AbortSignal.timeout(LATE_ANSWER_MS)).catch(() => undefined);
  }
}

const LATE_ANSWER_MS = 3000;

/** What is left of a lease when its response arrives, by the service's clocks. */
export function remainingMs(endsAt: number | null, response: Response, durationMs: number): number {
  const now = Date.parse(response.headers.get("date") ?? "");
  const left = (endsAt ?? Number.NaN) * 1000 - now;
  return left > 0 && left < durationMs ? left : durationMs;
}
