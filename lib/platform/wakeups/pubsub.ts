import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { stopping } from "@/lib/platform/process";
import { CHANNEL, LOST, listener } from "./listener";

/** Poll intervals while no announcements arrive, as behind a pooler. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2000;
/** The poll interval while announcements arrive. */
const LIVE_PAUSE_MS = 30_000;
/** Jitter, so that waiters which are woken together do not all query at the same moment. */
const SPREAD_MS = 500;

/**
 * The pauses after which the first waiter that asked for announcements polls: a write that began
 * before it asked may still commit without an announcement.
 */
export const FIRST_LOOKS_MS: readonly number[] = [250, 500, 1000];

/** A SQL expression that announces `topic` to all processes when its transaction commits. */
export function announcement(topic: string | Sql): Sql {
  return sql`pg_notify(${CHANNEL}, ${topic})`;
}

/** Announces `topic` to this process only. */
export function announceHere(topic: string): void {
  listener().news.emit(topic);
}

/**
 * Milliseconds until something may change without an announcement; null or undefined if unknown.
 */
type Later = number | null | undefined;

/**
 * Retries until an attempt returns a result: at once, whenever one of the `topics` is announced,
 * and from time to time, which is soon while no announcements arrive. An attempt that knows when to
 * try next calls `retryIn`. Returns undefined on timeout, when the caller has gone, or at shutdown.
 */
export async function retryOnAnnouncement<Result>(
  topics: readonly string[],
  wait: { milliseconds: number; signal: AbortSignal },
  attempt: (retryIn: (...milliseconds: Later[]) => void) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const deadline = performance.now() + wait.milliseconds;
  const { news, isLive } = listener();
  const over = new AbortController();
  const end = () => over.abort();
  // `AbortSignal.any` would leak: the shutdown signal keeps every dependent signal alive.
  const signals = [wait.signal, stopping().signal];
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  try {
    for (let polling = FIRST_PAUSE_MS; ; polling = Math.min(polling * 2, MAX_PAUSE_MS)) {
      const left = deadline - performance.now();
      let soonest = Math.max(left, 0);
      // Subscribe before the attempt, so that no announcement is missed between it and the pause.
      const pauseEnd = new AbortController();
      const signal = AbortSignal.any([pauseEnd.signal, over.signal]);
      const announced = Promise.race([
        ...topics.map((topic) => once(news, topic, { signal }).catch(() => {})),
        once(news, LOST, { signal })
          .then(() => pause(Math.random() * SPREAD_MS, undefined, { signal }))
          .catch(() => {}),
      ]);
      try {
        const result = await attempt((...times) => {
          for (const milliseconds of times) soonest = Math.min(soonest, milliseconds ?? soonest);
        });
        if (result !== undefined || left <= 0 || over.signal.aborted) return result;
        soonest = Math.min(soonest, isLive() ? LIVE_PAUSE_MS : polling);
        const timer = setTimeout(() => pauseEnd.abort(), soonest);
        await announced;
        clearTimeout(timer);
      } finally {
        pauseEnd.abort();
      }
    }
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
}
