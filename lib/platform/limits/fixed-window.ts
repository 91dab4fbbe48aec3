import { removeRows } from "@/lib/platform/db/remove-rows";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { rateLimited } from "@/lib/platform/errors";

export interface Limit {
  limit: number;
  windowSeconds: number;
  /** Refuse when counting fails, since the caller may be guessing. */
  guardsSecret?: true;
  /** Its name in responses if it limits all requests of a caller or to a URL; others are "attempts". */
  policy?: "default";
}

/** Transactions that have waited may see a window of a few seconds later. */
export const AHEAD_SECONDS_MAX = 60;

/**
 * Counts a try at `id` across all instances, in fixed windows. Throws 429 `rate_limited` with
 * `Retry-After` when it exceeds the limit.
 */
export async function countTry(id: string, limit: Limit, db?: Transaction): Promise<void> {
  const { windowSeconds } = limit;
  const isOpen = isOpenFor(windowSeconds);
  const counter = await queryOne<{ uses: number; seconds_left: number }>(
    sql`
    INSERT INTO usage_counters AS counter (id, uses) VALUES (${id}, 1)
    ON CONFLICT (id) DO UPDATE SET
      uses = CASE WHEN ${isOpen} THEN counter.uses + 1 ELSE 1 END,
      window_started_at = CASE WHEN ${isOpen} THEN counter.window_started_at ELSE unix_now() END
    RETURNING uses, window_started_at + ${windowSeconds}::bigint - unix_now() AS seconds_left`,
    db,
  );
  if (!counter || counter.uses <= limit.limit) return;
  throw rateLimited("Too many attempts. Try again later.", counter.seconds_left, limit);
}

/** Wrong claim and answer tokens per client. */
export const WRONG_TOKEN_LIMIT = { limit: 30, windowSeconds: 600 };

/** Counts a wrong token of `client`, also in local mode. Throws 429 after too many. */
export async function countWrongToken(client: string): Promise<void> {
  await countTry(`claim-token:${client}`, WRONG_TOKEN_LIMIT);
}

/** Reverts one `countTry`. */
export async function refundTry(id: string, db?: Transaction): Promise<void> {
  await query(sql`UPDATE usage_counters SET uses = greatest(uses - 1, 0) WHERE id = ${id}`, db);
}

/** Whether the next `countTry` would throw. */
export async function isExhausted(id: string, limit: Limit, db?: Transaction): Promise<boolean> {
  const full = await queryOne(
    sql`SELECT id FROM usage_counters AS counter
        WHERE id = ${id} AND uses >= ${limit.limit}::int AND ${isOpenFor(limit.windowSeconds)}`,
    db,
  );
  return full !== undefined;
}

/** Whether a window is open. One from the future is not: it began before the clock was set back. */
function isOpenFor(windowSeconds: number): Sql {
  return sql`(counter.window_started_at > unix_now() - ${windowSeconds}::bigint
    AND counter.window_started_at <= unix_now() + ${AHEAD_SECONDS_MAX}::bigint)`;
}

/** Far longer than any window. */
const RETENTION_SECONDS = 172_800;

/** Deletes up to `limit` old counters and returns their number. */
export function removeOldCounters(limit: number): Promise<number> {
  const where = sql`window_started_at <= unix_now() - ${RETENTION_SECONDS}`;
  return removeRows({ table: sql`usage_counters`, where }, limit);
}
