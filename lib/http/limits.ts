import { type Db, query, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";

export interface Limit {
  limit: number;
  windowSeconds: number;
  /** What cannot be counted is refused: it may be somebody who guesses. */
  guardsSecret?: true;
}

/**
 * Counts one use of `id` in the database, which all instances share. Throws 429 `rate_limited` with
 * `Retry-After` when this use is over the limit of the current window.
 */
export async function countUse(id: string, limit: Limit, db?: Db): Promise<void> {
  const { windowSeconds } = limit;
  const counter = await queryOne<{ uses: number; seconds_left: number }>(
    sql`
    INSERT INTO usage_counters AS counter (id, uses) VALUES (${id}, 1)
    ON CONFLICT (id) DO UPDATE SET
      uses = CASE WHEN counter.window_started_at > unix_now() - ${windowSeconds}::bigint
                  THEN counter.uses + 1 ELSE 1 END,
      window_started_at = CASE WHEN counter.window_started_at > unix_now() - ${windowSeconds}::bigint
                               THEN counter.window_started_at ELSE unix_now() END
    RETURNING uses, window_started_at + ${windowSeconds}::bigint - unix_now() AS seconds_left`,
    db,
  );
  if (!counter || counter.uses <= limit.limit) return;
  throw new ApiError("rate_limited", "Too many tries. Wait before the next one.", {
    headers: { "Retry-After": String(Math.max(counter.seconds_left, 1)) },
  });
}

/** Takes back one use that `countUse` counted. */
export async function returnUse(id: string, db?: Db): Promise<void> {
  await query(sql`UPDATE usage_counters SET uses = greatest(uses - 1, 0) WHERE id = ${id}`, db);
}

/** Whether the next `countUse` would throw. */
export async function isUsedUp(id: string, limit: Limit, db?: Db): Promise<boolean> {
  const full = await queryOne(
    sql`SELECT id FROM usage_counters
        WHERE id = ${id} AND uses >= ${limit.limit}::int
          AND window_started_at > unix_now() - ${limit.windowSeconds}::bigint`,
    db,
  );
  return full !== undefined;
}

/** Far longer than any window. */
const KEPT_SECONDS = 172_800;

/** Removes counters whose windows are long over, `limit` at most; gives how many. */
export async function removeOldCounters(limit: number): Promise<number> {
  const removed = await query(sql`
    DELETE FROM usage_counters WHERE id IN (
      SELECT id FROM usage_counters WHERE window_started_at <= unix_now() - ${KEPT_SECONDS}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id`);
  return removed.length;
}
