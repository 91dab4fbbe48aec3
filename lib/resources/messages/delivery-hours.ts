import { type Sql, sql } from "@/lib/platform/db/sql";
import { addBuckets, bucketsOf } from "./latencies";
import { NO_HOST } from "./target";

/** A longer host, stored before it was refused, would fail the statement for all of its messages. */
const ORIGIN_MAX = 300;

/** What sent a message: its endpoint, schedule or subscription, or nothing. */
export const SOURCE = sql`
  coalesce(webhook_endpoint_id, replayed_endpoint_id, schedule_id, subscription_id, '')`;

/**
 * Parts of a WITH clause that add attempts to the counts of the current hour. `attempts` selects the
 * `organization_id`, `source` and `host` of each, whether it was `delivered`, and the `latency` of its
 * answer in milliseconds. Locks rows in order, so that two statements never deadlock.
 */
export function countAttempts(attempts: Sql): Sql {
  return sql`
    attempted AS MATERIALIZED (
      SELECT organization_id, source, delivered, latency,
             CASE WHEN length(host) > ${ORIGIN_MAX}::int THEN ${NO_HOST}::text ELSE host END AS host
      FROM (${attempts}) AS attempt WHERE organization_id IS NOT NULL
    ),
    counted AS (
      INSERT INTO delivery_hours (organization_id, hour, delivered, failed, latencies)
      SELECT organization_id, unix_now() / 3600, count(*) FILTER (WHERE delivered),
             count(*) FILTER (WHERE NOT delivered), ${bucketsOf(sql`latency`)}
      FROM attempted GROUP BY organization_id ORDER BY organization_id
      ON CONFLICT (organization_id, hour) DO UPDATE SET
        delivered = delivery_hours.delivered + excluded.delivered,
        failed = delivery_hours.failed + excluded.failed,
        latencies = ${addBuckets(sql`delivery_hours.latencies`, sql`excluded.latencies`)}
    ),
    counted_flows AS (
      INSERT INTO delivery_flows (organization_id, hour, source, host, delivered, failed)
      SELECT organization_id, unix_now() / 3600, source, host, count(*) FILTER (WHERE delivered),
             count(*) FILTER (WHERE NOT delivered)
      FROM attempted GROUP BY organization_id, source, host ORDER BY organization_id, source, host
      ON CONFLICT (organization_id, hour, source, host) DO UPDATE SET
        delivered = delivery_flows.delivered + excluded.delivered,
        failed = delivery_flows.failed + excluded.failed
    )`;
}
