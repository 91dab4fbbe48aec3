import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterCommit, query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { stopping } from "@/lib/platform/process";
import { CHANNEL, DISCONNECTED, listener } from "./listener";

/** Poll intervals while no publications arrive, as behind a pooler. */
const FIRST_PAUSE_MS = 250;
export const MAX_PAUSE_MS = 2000;
/** The poll interval while publications arrive. */
export const LISTENING_PAUSE_MS = 30_000;
/** The minimum time between two wake-ups of a subscriber, and the shortest pause. */
const WAKE_MS = 100;
/** Jitter, so that subscribers woken together do not all query at the same moment. */
const SPREAD_MS = 500;

/** When the first subscriber to a topic polls, for writes that began before it subscribed. */
export const FIRST_POLLS_MS: readonly number[] = [250, 500, 1000];

/** How long to wait, and what ends the wait early. */
export interface Wait {
  milliseconds: number;
  signal: AbortSignal;
}

/** A SQL expression that publishes `topic` to all processes when its transaction commits. */
export function publish(topic: string | Sql): Sql {
  return sql`pg_notify(${CHANNEL}, ${topic})`;
}

/**
 * Publishes `topic` to all processes, once the transaction of `db`, if any, has committed.
 * Subscribers also poll, so a failure delays them but loses nothing.
 */
export function announce(topic: string, db?: Transaction): void {
  afterCommit(db, () => void query(sql`SELECT ${publish(topic)}::text`).catch(() => {}));
}

/** Publishes `topic` in this process only. */
export function publishLocally(topic: string): void {
  listener().emitter.emit(topic);
}

/**
 * Whether `topic` is published within the time and before the abort. It does not poll, so it may miss a
 * publication. Use it only to learn sooner of what is read anyway.
 */
export async function isPublished(topic: string, { milliseconds, signal }: Wait): Promise<boolean> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  return once(listener().emitter, topic, { signal: over }).then(
    () => true,
    () => false,
  );
}

/**
 * Runs `attempt` now, whenever one of the `topics` is published, and from time to time, more often
 * while no publications arrive, until it returns a result. Publications soon after a wake-up share
 * the next one. An attempt that knows when something may change unpublished calls `retryIn` with the
 * milliseconds, if known. Returns undefined on timeout, when the caller disconnects, or at shutdown.
 */
export async function waitFor<Result>(
  topics: readonly string[],
  wait: Wait,
  attempt: (
    retryIn: (...milliseconds: (number | null | undefined)[]) => void,
  ) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const deadline = performance.now() + wait.milliseconds;
  const { emitter, isLive } = listener();
  const over = new AbortController();
  const end = () => over.abort();
  // `AbortSignal.any` would leak: the shutdown signal keeps every dependent signal alive.
  const signals = [wait.signal, stopping.signal];
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  let wokenAt = Number.NEGATIVE_INFINITY;
  try {
    for (let polling = FIRST_PAUSE_MS; ; polling = Math.min(polling * 2, MAX_PAUSE_MS)) {
      let soonest = deadline;
      // Subscribes before the attempt, so that nothing published in between is missed.
      const pauseEnd = new AbortController();
      const signal = AbortSignal.any([pauseEnd.signal, over.signal]);
      const published = Promise.race([
        ...topics.map((topic) => once(emitter, topic, { signal }).catch(() => {})),
        once(emitter, DISCONNECTED, { signal })
          .then(() => pause(Math.random() * SPREAD_MS, undefined, { signal }))
          .catch(() => {}),
      ]);
      // If listening begins only during the attempt, a publication before that was missed.
      const wasLive = isLive();
      try {
        const result = await attempt((...times) => {
          const now = performance.now();
          for (const milliseconds of times) {
            if (milliseconds != null) soonest = Math.min(soonest, now + milliseconds);
          }
        });
        const now = performance.now();
        if (result !== undefined || now >= deadline || over.signal.aborted) return result;
        const pauseMs = Math.min(
          Math.max(soonest - now, WAKE_MS),
          deadline - now,
          wasLive ? LISTENING_PAUSE_MS : polling,
        );
        const timer = setTimeout(() => pauseEnd.abort(), pauseMs);
        await published;
        clearTimeout(timer);
        if (pauseEnd.signal.aborted) continue; // nothing was published
        const early = Math.min(wokenAt + WAKE_MS, deadline) - performance.now();
        if (early > 0) await pause(early, undefined, { signal: over.signal }).catch(() => {});
        wokenAt = performance.now();
      } finally {
        pauseEnd.abort();
      }
    }
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
}
