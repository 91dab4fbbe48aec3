import { isRetryable } from "./api-error.js";
import type { Connection } from "./connection.js";
import { keepLease, leaseUnlessStopped, remainingMs } from "./lease.js";
import { endedEarly } from "./long-poll.js";
import { pause } from "./pause.js";
import type { LeasedInboxEvent } from "./schema.js";
import { backoffMs, retryMs } from "./send.js";
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
   * Seconds until a failed event is delivered again. Default: 5, doubled with each delivery, up to
   * 900.
   */
  retryDelaySeconds?: number | ((event: LeasedInboxEvent, error: unknown) => number) | undefined;
  /** Stops the work: takes no more events, and returns once the running handlers have ended. */
  signal?: AbortSignal | undefined;
  /**
   * Called with the event when a handler has thrown or a lease was lost, and without one when the
   * service could not be reached.
   */
  onError?: ((error: unknown, event?: LeasedInboxEvent) => void) | undefined;
}

const WAIT_SECONDS = 20;
const DELAY_SECONDS_MAX = 43_200;
const ERROR_LENGTH_MAX = 2000;

/**
 * Handles the events of an inbox until `signal` aborts. Survives network failures and restarts of
 * the server. Throws `ApiError` when it cannot continue, for example on 401 or 404.
 */
export async function workOn(
  { calls, hasKey }: Connection,
  inboxId: string,
  handler: InboxHandler,
  options: WorkOptions = {},
): Promise<void> {
  const { concurrency = 1, leaseSeconds = 60, consumer, signal, onError } = options;
  if (!(concurrency >= 1 && concurrency <= 100)) {
    throw new TypeError("concurrency must be 1 to 100.");
  }
  const durationMs = leaseSeconds * 1000;
  const path = { id: inboxId };
  const settle = settlements(calls, inboxId, {
    hasKey,
    hasStopped: () => signal?.aborted ?? false,
    patienceMs: durationMs,
    onBreak: (error) => onError?.(error),
  });
  const running = new Set<Promise<void>>();
  let slotFreed = () => {};
  let thrown: { error: unknown } | undefined; // by onError

  async function receive(limit: number) {
    const key = crypto.randomUUID();
    const received = await leaseUnlessStopped(signal, (until) =>
      calls.POST("/api/inboxes/{id}/events/receive", {
        params: { path, header: { "Idempotency-Key": key } },
        body: {
          limit,
          lease_seconds: leaseSeconds,
          wait_seconds: WAIT_SECONDS,
          ...(consumer !== undefined && { consumer }),
        },
        signal: until,
      }),
    );
    if (!received) return [];
    return received.data.data.map((event) => ({
      event,
      remaining: remainingMs(event.leased_until, received.response, durationMs),
    }));
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
    const failure = await failureOf(async () => handler(event, { signal: lease.signal }));
    lease.end();
    const outcome = lease.isLost()
      ? "lease_lost"
      : await settle(
          failure
            ? { nack: { event_id, lease_id, ...returned(event, failure.error, options) } }
            : { ack: { event_id, lease_id } },
        );
    if (failure) throw failure.error;
    if (outcome === "lease_lost") {
      throw new Error(`The lease of ${event_id} was lost before its work ended.`);
    }
  }

  async function start({ event, remaining }: Awaited<ReturnType<typeof receive>>[number]) {
    const failure = await failureOf(() => handle(event, remaining));
    if (failure) onError?.(failure.error, event);
  }

  try {
    let breaks = 0;
    while (!signal?.aborted && !thrown) {
      if (running.size >= concurrency) {
        await new Promise<void>((resolve) => {
          slotFreed = resolve;
        });
        continue;
      }
      try {
        const askedAt = performance.now();
        const received = await receive(concurrency - running.size);
        const isEarly = received.length === 0 && endedEarly(askedAt, WAIT_SECONDS);
        breaks = isEarly ? breaks + 1 : 0;
        if (signal?.aborted || thrown) {
          await Promise.allSettled(
            received.map(({ event: { id: event_id, lease_id } }) =>
              settle({ nack: { event_id, lease_id } }),
            ),
          );
          break;
        }
        for (const one of received) {
          const run = failureOf(() => start(one)).then((failure) => {
            thrown ??= failure;
            running.delete(run);
            slotFreed();
          });
          running.add(run);
        }
        if (isEarly) await pause(backoffMs(breaks), signal).catch(() => {});
      } catch (error) {
        if (!isRetryable(error)) throw error;
        onError?.(error);
        await pause(retryMs(error, ++breaks), signal).catch(() => {});
      }
    }
  } finally {
    await Promise.allSettled(running);
  }
  if (thrown) throw thrown.error;
}

/** How to give back a failed event. */
function returned(
  event: LeasedInboxEvent,
  error: unknown,
  { retryDelaySeconds = backoffSeconds }: WorkOptions,
) {
  const chosen =
    typeof retryDelaySeconds === "number" ? retryDelaySeconds : retryDelaySeconds(event, error);
  return {
    delay_seconds: Math.round(Math.min(Math.max(chosen, 0), DELAY_SECONDS_MAX)) || 0,
    error: messageOf(error),
  };
}

function backoffSeconds({ delivery_count: count }: LeasedInboxEvent): number {
  return Math.min(5 * 2 ** (count - 1), 900);
}

/** A text that the service can store. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : JSON.stringify(error);
  return String(text)
    .replaceAll("\0", " ")
    .toWellFormed()
    .slice(0, ERROR_LENGTH_MAX)
    .toWellFormed();
}

async function failureOf(work: () => Promise<unknown>): Promise<{ error: unknown } | undefined> {
  try {
    await work();
  } catch (error) {
    return { error };
  }
}
