import { join, raw, type Sql, sql } from "@/lib/platform/db/sql";

/**
 * The upper bounds, in milliseconds, of all buckets but the last. Each is about half as large again as
 * the one before. Rows in the database depend on them.
 */
const BOUNDS = [
  1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000, 1400, 2000, 3000, 5000,
  7000, 10_000, 14_000, 20_000,
];
const BUCKETS = [...BOUNDS, Number.POSITIVE_INFINITY];

/** An aggregate: how many values of `milliseconds` fall into each bucket, as an array. */
export function bucketsOf(milliseconds: Sql): Sql {
  const bucket = sql`width_bucket(${milliseconds}, ${raw(`'{${BOUNDS.join()}}'::int[]`)})`;
  const counts = BUCKETS.map((_, n) => sql`count(*) FILTER (WHERE ${bucket} = ${raw(String(n))})`);
  return sql`ARRAY[${join(counts, ", ")}]::int[]`;
}

/** The sum of two such arrays, of which either may be empty. */
export function addBuckets(one: Sql, other: Sql): Sql {
  return sql`ARRAY(SELECT coalesce(one, 0) + coalesce(other, 0)
                   FROM unnest(${one}, ${other}) WITH ORDINALITY AS both_of (one, other, place)
                   ORDER BY place)`;
}

/**
 * The milliseconds that the fraction `q` of the counted values do not exceed, as if the values of a
 * bucket were spread evenly over it; null without values.
 */
export function quantile(counts: number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = q * total;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && left <= count) {
      const lower = BOUNDS[bucket - 1] ?? 0;
      const upper = BOUNDS[bucket] ?? lower;
      return Math.round(lower + (upper - lower) * (left / count));
    }
    left -= count;
  }
  return BOUNDS.at(-1) ?? null;
}
