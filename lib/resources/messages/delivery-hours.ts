import { removeRows } from "@/lib/platform/db/remove-rows";
import { type Sql, sql } from "@/lib/platform/db/sql";

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
export function removeOldDeliveryHours(limit: number): Promise<number> {
  const where = sql`hour < unix_now() / 3600 - ${KEPT_HOURS}::bigint`;
  return removeRows({ table: sql`delivery_hours`, key: sql`organization_id, hour`, where }, limit);
}
