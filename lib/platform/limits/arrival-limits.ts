import { waitUntil } from "@vercel/functions";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";
import type { Limit } from "./fixed-window";
import { shareOfTotal } from "./process-share";
import { type Allowance, countUses, secondsToWait, tooManyUses } from "./sliding-window";

const WINDOW_SECONDS = 60;
/** The fraction of the limit counted locally before it is shared with all instances. */
const SHARED_FRACTION = 20;
/** IDs tracked per process. The oldest are dropped beyond this, since anyone can invent IDs. */
const IDS_MAX = 50_000;
/** No ID is longer. */
const ID_LENGTH_MAX = 64;

interface Count {
  window: number;
  uses: number;
  previous: number;
  /** Uses not yet shared with other instances. */
  unshared: number;
  /** When the shared count falls within the limit again, by this process's clock. */
  refusedUntil: number;
}

const counts = oncePerProcess("http.arrivals", () => new Map<string, Count>());

/**
 * Counts a request to the capture or ingest URL of `id`, which may not exist. Needs no round trip:
 * each process counts in memory and adds its counts to the database in the background, so an
 * instance, with all its processes, may exceed the limit by a twentieth. Throws 429 `rate_limited`,
 * whose `Retry-After` waits for both counts. Local mode has no limit.
 */
export function countArrival(id: string): Allowance | undefined {
  if (config().localMode) return undefined;
  const limit = arrivalLimit();
  // The local clock only paces this process; shared counts use the database's.
  const now = performance.now() / 1000;
  const window = Math.floor(now / WINDOW_SECONDS);
  const passed = now - window * WINDOW_SECONDS;
  const key = id.slice(0, ID_LENGTH_MAX).replace(/^whe_/, "wh_");
  const count = countOf(key, window);
  const recent = count.uses + count.previous * (1 - passed / WINDOW_SECONDS);
  if (recent >= limit.limit || now < count.refusedUntil) {
    const wait = Math.max(secondsToWait({ ...count, passed }, limit, 1), count.refusedUntil - now);
    throw tooManyUses({ limit, remaining: 0, resetSeconds: Math.ceil(wait) });
  }
  count.uses += 1;
  count.unshared += 1;
  if (count.unshared >= shareOfTotal(limit.limit / SHARED_FRACTION)) share(key, count, limit);
  const remaining = Math.max(Math.floor(limit.limit - recent - 1), 0);
  return { limit, remaining, resetSeconds: Math.max(Math.ceil(WINDOW_SECONDS - passed), 1) };
}

export function arrivalLimit(): Limit {
  return {
    limit: config().callerLimits.arrivals,
    windowSeconds: WINDOW_SECONDS,
    policy: "default",
  };
}

function countOf(id: string, window: number): Count {
  const known = counts.get(id);
  if (known?.window === window) return known;
  const previous = known?.window === window - 1 ? known.uses : 0;
  const unshared = known?.unshared ?? 0;
  const count = { window, uses: 0, previous, unshared, refusedUntil: known?.refusedUntil ?? 0 };
  setBounded(counts, id, count, IDS_MAX); // the oldest entry has the oldest window
  return count;
}

function share(id: string, count: Count, limit: Limit) {
  const { unshared } = count;
  count.unshared = 0;
  waitUntil(
    countUses(`arrivals:${id}`, limit, { uses: unshared })
      .then(({ remaining, resetSeconds }) => {
        if (remaining < 0) count.refusedUntil = performance.now() / 1000 + resetSeconds;
      })
      .catch(() => {}), // this process still counts
  );
}
