import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";
import type { Limit } from "./limits";
import { type Allowance, countUses, tooManyUses } from "./sliding-window";

const WINDOW_SECONDS = 60;
/** So much of the limit is counted here before all instances together hear of it. */
const SHARED_PART = 20;
/** IDs that one process counts. Beyond it the oldest are forgotten: a stranger may make up any number. */
const IDS_MAX = 50_000;
/** No ID is longer. */
const ID_LENGTH_MAX = 64;

interface Count {
  window: number;
  uses: number;
  previous: number;
  /** Uses that the other instances have not heard of. */
  unshared: number;
  /** When all instances together are within the limit again, by this process's clock. */
  refusedUntil: number;
}

/**
 * Counts one request to the capture or ingest URL of `id`, whether or not there is such an ID. It
 * costs no round trip: each process counts in memory, and beside the requests adds what it counted
 * to the database. So instances together may let pass a twentieth of the limit too many each. Throws
 * 429 `rate_limited`. In local mode it limits nothing.
 */
export function countArrival(id: string): Allowance | undefined {
  if (config().localMode) return undefined;
  const limit = arrivalLimit();
  // This clock only paces one process; what the instances share is timed by the database's.
  const now = performance.now() / 1000;
  const window = Math.floor(now / WINDOW_SECONDS);
  const resetSeconds = Math.max(Math.ceil((window + 1) * WINDOW_SECONDS - now), 1);
  const key = id.slice(0, ID_LENGTH_MAX).replace(/^whe_/, "wh_");
  const count = countOf(key, window);
  const passed = now / WINDOW_SECONDS - window;
  const recent = count.uses + count.previous * (1 - passed);
  if (recent >= limit.limit || now < count.refusedUntil) {
    throw tooManyUses({ limit, remaining: 0, resetSeconds });
  }
  count.uses += 1;
  count.unshared += 1;
  if (count.unshared >= limit.limit / SHARED_PART) share(key, count, limit);
  return { limit, remaining: Math.max(Math.floor(limit.limit - recent - 1), 0), resetSeconds };
}

export function arrivalLimit(): Limit {
  return { limit: config().callerLimits.arrivals, windowSeconds: WINDOW_SECONDS };
}

function countOf(id: string, window: number): Count {
  const counts = oncePerProcess("http.arrivals", () => new Map<string, Count>());
  const known = counts.get(id);
  if (known?.window === window) return known;
  const previous = known?.window === window - 1 ? known.uses : 0;
  const unshared = known?.unshared ?? 0;
  const count = { window, uses: 0, previous, unshared, refusedUntil: known?.refusedUntil ?? 0 };
  // A map keeps the order of insertion, so its first is the one whose window began first.
  counts.delete(id);
  const oldest = counts.size >= IDS_MAX ? counts.keys().next().value : undefined;
  if (oldest !== undefined) counts.delete(oldest);
  counts.set(id, count);
  return count;
}

function share(id: string, count: Count, limit: Limit) {
  const { unshared } = count;
  count.unshared = 0;
  countUses(`arrivals:${id}`, limit, unshared)
    .then(({ remaining, resetSeconds }) => {
      if (remaining < 0) count.refusedUntil = performance.now() / 1000 + resetSeconds;
    })
    .catch(() => {}); // the count of this process still holds
}
