import { query, type Sql, sql } from "@/lib/platform/db/sql";

const KEPT_HOURS = 48;

/**
 * Adds attempts to the counts of the current hour. `attempts` selects `organization_id` and
 * `delivered` of each. Locks rows in order, so that two statements never deadlock.
 */
export function countAttempts(attempts: Sql): Sql {
  return sql`
    INSERT INTO delivery_hours (organization_id, hour, delivered, failed)
    SELECT organization_id, unix_now() / 3600, count(*) FILTER (WHERE delivered),
           count(*) FILTER (WHERE NOT delivered)
    FROM (${attempts}) AS attempt WHERE organization_id IS NOT NULL
    GROUP BY organization_id ORDER BY organization_id
    ON CONFLICT (organization_id, hour) DO UPDATE SET
      delivered = delivery_hours.delivered + excluded.delivered,
      failed = delivery_hours.failed + excluded.failed`;
}

/** Deletes up to `limit` counts of past days and returns their number. */
export async function removeOldDeliveryHours(limit: number): Promise<number> {
  // (a) Concurrent sweeps skip each other's rows.
  const removed = await query(sql`
    DELETE FROM delivery_hours WHERE (organization_id, hour) IN (
      SELECT organization_id, hour FROM delivery_hours
      WHERE hour < unix_now() / 3600 - ${KEPT_HOURS}::bigint
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING 1`);
  return removed.length;
}
