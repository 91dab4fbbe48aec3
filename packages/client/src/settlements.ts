import { ApiError, isRetryable } from "./api-error.js";
import type { Calls } from "./connection.js";
import { pause } from "./pause.js";
import type { InboxSettle } from "./schema.js";
import { retryMs } from "./send.js";

type Ack = NonNullable<InboxSettle["acks"]>[number];
type Nack = NonNullable<InboxSettle["nacks"]>[number];

/** The outcome of the work on an event. */
export type Settlement = { ack: Ack } | { nack: Nack };

interface Waiting {
  settlement: Settlement;
  resolve(outcome: string): void;
  reject(error: unknown): void;
}

const BATCH_MAX = 100;

/**
 * Returns a function that acknowledges an event or gives it back, and returns the outcome. Calls
 * during a request share the next one. Retries until the service responds or, once `hasStopped`,
 * for `patienceMs`.
 */
export function settlements(
  calls: Calls,
  inboxId: string,
  {
    hasKey,
    hasStopped,
    patienceMs,
    onBreak,
  }: {
    hasKey: boolean;
    hasStopped: () => boolean;
    patienceMs: number;
    onBreak: (error: Error) => void;
  },
): (settlement: Settlement) => Promise<string> {
  const waiting: Waiting[] = [];
  let running = false;

  async function run() {
    running = true;
    await Promise.resolve(); // so that calls of the same moment share a request
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        const outcomes = await send(batch.map(({ settlement }) => settlement));
        for (const { settlement, resolve } of batch) resolve(outcomes.get(idOf(settlement)) ?? "");
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

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
        const isOver = hasStopped() && performance.now() - startedAt > patienceMs;
        if (!isRetryable(error, true) || isOver) throw error;
        onBreak(error);
        // Without a key the service takes only so much text a day. Without the text the event still
        // goes back at once.
        const isRefused = error instanceof ApiError && error.status === 429;
        if (isRefused && !hasKey && body.nacks.some(hasError)) {
          body = { ...body, nacks: body.nacks.map(({ error: _, ...nack }) => nack) };
          idempotencyKey = crypto.randomUUID();
          continue;
        }
        await pause(retryMs(error, attempts));
      }
    }
  }

  return (settlement) =>
    new Promise((resolve, reject) => {
      waiting.push({ settlement, resolve, reject });
      if (!running) void run();
    });
}

function hasError(nack: Nack): boolean {
  return nack.error !== undefined;
}

function idOf(settlement: Settlement): string {
  return "ack" in settlement ? settlement.ack.event_id : settlement.nack.event_id;
}
