import { ApiError, isRetryable } from "./api-error.js";
import type { Connection } from "./connection.js";
import { pause } from "./pause.js";
import type { InboxSettle } from "./schema.js";
import { retryMs } from "./send.js";

type Ack = NonNullable<InboxSettle["acks"]>[number];
type Nack = NonNullable<InboxSettle["nacks"]>[number];

/** The outcome of the work on an event. */
type Settlement = { ack: Ack } | { nack: Nack };

interface SettleOptions {
  /** Once it has aborted, a request is retried for `patienceMs`, and not for ever. */
  signal: AbortSignal | undefined;
  patienceMs: number;
  onBreak: (error: Error) => void;
}

/**
 * Returns a function that acknowledges an event or gives it back, and returns the outcome. Calls
 * during a request share the next one, which has room for all that a worker handles at once.
 */
export function settlements(
  { calls, hasKey }: Connection,
  inboxId: string,
  { signal, patienceMs, onBreak }: SettleOptions,
): (settlement: Settlement) => Promise<string> {
  const waiting: Settlement[] = [];
  let sending = Promise.resolve(new Map<string, string>());

  async function send(batch: Settlement[]): Promise<Map<string, string>> {
    let body = {
      acks: batch.flatMap((one) => ("ack" in one ? one.ack : [])),
      nacks: batch.flatMap((one) => ("nack" in one ? one.nack : [])),
    };
    const startedAt = performance.now();
    let idempotencyKey = crypto.randomUUID();
    for (let attempts = 1; ; attempts++) {
      try {
        const { data } = await calls.POST("/api/inboxes/{id}/events/ack", {
          params: { path: { id: inboxId } },
          body,
          idempotencyKey,
          maxRetries: 0, // this loop retries
        });
        const settled = [...data.acks, ...data.nacks];
        return new Map(settled.map(({ event_id, outcome }) => [event_id, outcome]));
      } catch (error) {
        const isOver = signal?.aborted && performance.now() - startedAt > patienceMs;
        if (!isRetryable(error) || isOver) throw error;
        onBreak(error);
        // Without a key the service takes only so much text a day. Without the text the event still
        // goes back at once.
        const isRefused = error instanceof ApiError && error.status === 429;
        if (isRefused && !hasKey && body.nacks.some((nack) => nack.error !== undefined)) {
          body = { ...body, nacks: body.nacks.map(({ error: _, ...nack }) => nack) };
          idempotencyKey = crypto.randomUUID();
          continue;
        }
        const delayMs = retryMs(error, attempts);
        const retryAt = performance.now() + delayMs;
        // After a stop, waits until the next try or the end of its patience, and tries once more.
        await pause(delayMs, signal).catch(() => {
          const endsAt = Math.min(retryAt, startedAt + patienceMs);
          return pause(Math.max(0, endsAt - performance.now()));
        });
      }
    }
  }

  return async (settlement) => {
    waiting.push(settlement);
    // After the request before, with those that wait by then.
    if (waiting.length === 1) {
      sending = sending.catch(() => {}).then(() => send(waiting.splice(0)));
    }
    const outcomes = await sending;
    return outcomes.get(idOf(settlement)) ?? "";
  };
}

function idOf(settlement: Settlement): string {
  return "ack" in settlement ? settlement.ack.event_id : settlement.nack.event_id;
}
