import type { Connection } from "./connection.js";
import { hasEnded, keepLease, latenessOf, leasing, remainingMs } from "./lease.js";
import { LATE_MS, poll } from "./long-poll.js";
import { checkOptions } from "./options.js";
import type { LeasedInboxEvent } from "./schema.js";
import { settlements } from "./settlements.js";

/**
 * Does the work for one event. When it returns, the event is acknowledged; when it throws, the
 * event is given back and delivered again. `signal` aborts when the lease is lost, since another
 * worker may then have the event.
 */
export type InboxHandler = (
  event: LeasedInboxEvent,
  context: { signal: AbortSignal },
) => Promise<unknown> | unknown;

export interface WorkOptions {
  /** How many events to handle at once; 1 by default, at most 100. */
  concurrency?: number | undefined;
  /** How long the service keeps an event from other workers if this process dies; 60 by default. */
  leaseSeconds?: number | undefined;
  /** This worker's name, which the service shows. */
  consumer?: string | undefined;
  /**
   * Seconds until a failed event is delivered again, or `dead` for never. Default: 5, doubled with
   * each delivery, up to 900.
   */
  retryDelaySeconds?:
    | number
    | ((event: LeasedInboxEvent, error: unknown) => number | "dead")
    | undefined;
  /** Stops the work: takes no more events, and returns once the running handlers have ended. */
  signal?: AbortSignal | undefined;
  /**
   * Called with the event when a handler has thrown or a lease was lost, and without one when the
   * service could not be reached.
   */
  onError?: ((error: unknown, event?: LeasedInboxEvent) => void) | undefined;
}

/** The delay before a failed event is delivered again, doubled with each delivery. */
export const RETRY_SECONDS_MIN = 5;
export const RETRY_SECONDS_MAX = 900;
const DELAY_SECONDS_MAX = 43_200;
const ERROR_LENGTH_MAX = 2000;
const OPTIONS = [
  ...["concurrency", "leaseSeconds", "consumer", "retryDelaySeconds"],
  ...["signal", "onError"],
];

/** Does what `Client.work` says. */
export async function workOn(
  connection: Connection,
  inboxId: string,
  handler: InboxHandler,
  options: WorkOptions = {},
): Promise<void> {
  checkOptions(options, OPTIONS);
  const { calls } = connection;
  const { concurrency = 1, leaseSeconds = 60, consumer, signal, onError } = options;
  if (!(concurrency >= 1 && concurrency <= 100)) {
    throw new TypeError("concurrency must be 1 to 100.");
  }
  const durationMs = leaseSeconds * 1000;
  const path = { id: inboxId };
  const settle = settlements(connection, inboxId, {
    signal,
    patienceMs: durationMs,
    onBreak: (error) => onError?.(error),
  });
  const running = new Set<Promise<void>>();
  let slotFreed = () => {};
  const failed = new AbortController(); // with what onError has thrown
  const over = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);

  /** A request for as many events as can be handled now. */
  function receive() {
    const idempotencyKey = crypto.randomUUID();
    const limit = concurrency - running.size;
    const next = leasing(over, async (wait_seconds, until) => {
      const lateness = latenessOf(wait_seconds);
      const { data, response } = await calls.POST("/api/inboxes/{id}/events/receive", {
        params: { path },
        body: { limit, lease_seconds: leaseSeconds, wait_seconds, consumer },
        idempotencyKey,
        patienceMs: 0, // poll continues
        timeoutMs: wait_seconds * 1000 + LATE_MS,
        signal: until,
      });
      return data.data
        .map((event) => ({
          event,
          remaining: remainingMs(event.leased_until, response, durationMs, lateness()),
        }))
        .filter(({ remaining }) => !hasEnded(remaining, response));
    });
    return async (waitSeconds: number) => (await next(waitSeconds)) ?? [];
  }

  async function handle(event: LeasedInboxEvent, remaining: number) {
    const { id: event_id, lease_id } = event;
    const lease = keepLease(durationMs, remaining, (attempt) =>
      calls.POST("/api/inboxes/{id}/events/{eventId}/extend", {
        params: { path: { ...path, eventId: event_id } },
        body: { lease_id, lease_seconds: leaseSeconds },
        ...attempt,
      }),
    );
    let failure: { error: unknown } | undefined;
    try {
      await handler(event, { signal: lease.signal });
    } catch (error) {
      failure = { error };
    }
    lease.end();
    const outcome = lease.isLost()
      ? "lease_lost"
      : await settle(
          failure
            ? { nack: { event_id, lease_id, ...returned(event, failure.error, options) } }
            : { ack: { event_id, lease_id } },
        );
    if (failure) throw failure.error;
    // Another worker may have acknowledged it by now.
    const isGone = outcome === "not_found" && lease.signal.aborted;
    if (outcome === "lease_lost" || isGone) {
      throw new Error(`The lease of ${event_id} was lost before its work ended.`);
    }
  }

  try {
    while (!over.aborted) {
      if (running.size >= concurrency) {
        await new Promise<void>((resolve) => {
          slotFreed = resolve;
        });
        continue;
      }
      const received = await poll(receive, {
        until: ({ length }) => length > 0 || over.aborted,
        wait: Number.POSITIVE_INFINITY,
        leaseSeconds,
        signal: over,
        onBreak(error) {
          if (!connection.hasAnswered()) throw error; // the address may be wrong
          onError?.(error);
        },
      }).catch((error) => {
        if (error !== over.reason) throw error;
        return [];
      });
      if (over.aborted) {
        await Promise.allSettled(
          received.map(({ event: { id: event_id, lease_id, last_error } }) =>
            // Without an error, that of its last failure would be cleared.
            settle({ nack: { event_id, lease_id, error: last_error ?? undefined } }),
          ),
        );
        break;
      }
      for (const { event, remaining } of received) {
        const run = handle(event, remaining)
          .catch((error) => void onError?.(error, event))
          .catch((mistake) => failed.abort(mistake))
          .then(() => {
            running.delete(run);
            slotFreed();
          });
        running.add(run);
      }
    }
  } finally {
    await Promise.allSettled(running);
  }
  failed.signal.throwIfAborted();
}

/** How to give back a failed event. */
function returned(
  event: LeasedInboxEvent,
  error: unknown,
  { retryDelaySeconds = backoffSeconds, onError }: WorkOptions,
) {
  let chosen: number | "dead" = backoffSeconds(event);
  try {
    chosen =
      typeof retryDelaySeconds === "number" ? retryDelaySeconds : retryDelaySeconds(event, error);
  } catch (mistake) {
    onError?.(mistake, event);
  }
  if (chosen === "dead") return { dead: true, error: messageOf(error) };
  return {
    delay_seconds: Math.round(Math.min(Math.max(chosen, 0), DELAY_SECONDS_MAX)) || 0,
    error: messageOf(error),
  };
}

export function backoffSeconds({ delivery_count: count }: LeasedInboxEvent): number {
  return Math.min(RETRY_SECONDS_MIN * 2 ** (count - 1), RETRY_SECONDS_MAX);
}

/** A text that the service can store. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : jsonOf(error);
  return String(text)
    .replaceAll("\0", " ")
    .toWellFormed()
    .slice(0, ERROR_LENGTH_MAX)
    .toWellFormed();
}

function jsonOf(value: unknown): unknown {
  try {
    return JSON.stringify(value);
  } catch {
    return value; // circular, or a BigInt
  }
}
