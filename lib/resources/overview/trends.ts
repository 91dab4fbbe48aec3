import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { quantile } from "@/lib/resources/messages/latencies";
import { countCaptured, HOURS } from "./captured";

/** How far back the charts go, in hours, and how many of them are one bar. */
const ranges = {
  "24h": { hours: 24, step: 1 },
  "7d": { hours: 168, step: 6 },
  "30d": { hours: 720, step: 24 },
} as const;
export type Range = keyof typeof ranges;

/** The range that a query parameter names; a day for anything else. */
export function rangeOf(parameter: unknown): Range {
  return parameter === "7d" || parameter === "30d" ? parameter : "24h";
}

/** What happened in the time of one bar. Null means unknown, or that there was nothing to measure. */
export interface Bar {
  captured: number;
  /** Attempts with a 2xx response, and others. */
  delivered: number;
  failed: number;
  /** Milliseconds until half of the answers came, and until 95 % of them. */
  p50: number | null;
  p95: number | null;
  /** What waited in the inboxes at the end. */
  waiting: number | null;
}

/** An organization's figures over a time, oldest first; the last bar is the current one. */
export interface Trends {
  range: Range;
  /** The start of the first bar, in Unix seconds, and the seconds of each. */
  since: number;
  step: number;
  bars: Bar[];
  /** The figures of the whole time. `waiting` is the current value. */
  total: Bar;
}

/** Reads counters, never what they count. `waiting` is what waits now. */
export async function loadTrends(
  organizationId: string,
  range: Range,
  waiting: number,
): Promise<Trends> {
  const { hours, step } = ranges[range];
  const owned = sql`organization_id = ${hiddenFromPlanner(organizationId)}`;
  const since = sql`unix_now() / 3600 - ${hours + step}::bigint`;
  const [recent, attempts, ended] = await Promise.all([
    countCaptured(organizationId),
    queryShown<{ hour: number; delivered: number; failed: number; latencies: number[] | null }>(sql`
      SELECT hour, delivered, failed, latencies FROM delivery_hours
      WHERE ${owned} AND hour > ${since}`),
    queryShown<{ hour: number; captured: number; waiting: number | null }>(sql`
      SELECT hour, captured, waiting FROM organization_hours WHERE ${owned} AND hour > ${since}`),
  ]);
  const now = recent.first + HOURS - 1;
  const last = Math.floor(now / step);
  const first = last - hours / step + 1;
  const sums = Array.from({ length: hours / step }, () => new Sum());
  const sumAt = (hour: number) => sums[Math.floor(hour / step) - first];
  for (const row of attempts) sumAt(row.hour)?.addAttempts(row);
  const rows = new Map(ended.map((row) => [row.hour, row]));
  // An hour without a row had nothing. But if something waited before, the server was down.
  let known: number | null = 0;
  for (let hour = first * step; hour < now; hour += 1) {
    const row = rows.get(hour);
    known = row ? row.waiting : known === 0 ? 0 : null;
    const sum = sumAt(hour);
    if (!sum) continue;
    sum.waiting = known ?? sum.waiting;
    if (row && hour < recent.first) sum.captured += row.captured;
  }
  for (const { hour, count } of recent.counts) {
    const sum = sumAt(recent.first + hour);
    if (sum) sum.captured += count;
  }
  const total = new Sum();
  for (const sum of sums) {
    total.captured += sum.captured;
    total.addAttempts(sum);
  }
  total.waiting = waiting;
  const current = sums.at(-1);
  if (current) current.waiting = waiting;
  return {
    range,
    since: first * step * 3600,
    step: step * 3600,
    bars: sums.map((sum) => sum.bar()),
    total: total.bar(),
  };
}

class Sum {
  captured = 0;
  delivered = 0;
  failed = 0;
  latencies: number[] = [];
  waiting: number | null = null;

  addAttempts(row: { delivered: number; failed: number; latencies: number[] | null }): void {
    this.delivered += row.delivered;
    this.failed += row.failed;
    for (const [bucket, count] of (row.latencies ?? []).entries()) {
      this.latencies[bucket] = (this.latencies[bucket] ?? 0) + count;
    }
  }

  bar(): Bar {
    const { captured, delivered, failed, latencies, waiting } = this;
    const [p50, p95] = [quantile(latencies, 0.5), quantile(latencies, 0.95)];
    return { captured, delivered, failed, p50, p95, waiting };
  }
}
