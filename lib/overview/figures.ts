import { query, sql } from "@/lib/db/sql";

const HOURS = 24;
const HOUR_SECONDS = 3600;

/** Something counted in each of the last 24 hours of the clock. */
export interface Figure {
  total: number;
  /** One number for each hour, oldest first; the last is the hour that runs. */
  hours: number[];
}

export interface Figures {
  /** When the first of the hours began, Unix seconds. */
  since: number;
  /** Events that endpoints still keep. */
  captured: Figure;
  /** Attempts that were answered with 2xx. */
  delivered: Figure;
  failed: Figure;
}

/** The beginning of the first hour; the clock is the database's. */
export const FIRST_HOUR = sql`((unix_now() / ${HOUR_SECONDS}::bigint - ${HOURS - 1}::bigint) * ${HOUR_SECONDS}::bigint)`;

/** What an organization's agents captured and delivered in the last 24 hours. */
export async function figuresOf(organizationId: string): Promise<Figures> {
  // Events are found by the time in their IDs: so the primary key alone answers, with no index of
  // its own that every capture would have to write.
  const rows = await query<{ what: string; hour: number; count: number }>(sql`
    SELECT 'since' AS what, 0 AS hour, ${FIRST_HOUR} AS count
    UNION ALL
    SELECT 'captured' AS what, width_bucket(event.id, bounds.ids) - 1 AS hour, count(*)
    FROM (SELECT array_agg(('wev_' || id_time((${FIRST_HOUR} + n * ${HOUR_SECONDS}) * 1000000))
                           COLLATE "C" ORDER BY n) AS ids
          FROM generate_series(0, ${HOURS - 1}::bigint) AS n) AS bounds
    CROSS JOIN webhook_endpoints AS endpoint
    JOIN webhook_events AS event ON event.endpoint_id = endpoint.id
      AND event.id > greatest(endpoint.gone_up_to, bounds.ids[1])
    WHERE endpoint.organization_id = ${organizationId}
      AND endpoint.last_event_micros >= ${FIRST_HOUR} * 1000000
    GROUP BY hour
    UNION ALL
    SELECT CASE WHEN attempt.error IS NULL THEN 'delivered' ELSE 'failed' END AS what,
           (attempt.started_at - ${FIRST_HOUR}) / ${HOUR_SECONDS}::bigint AS hour, count(*)
    FROM scheduled_messages AS message JOIN message_attempts AS attempt ON attempt.message_id = message.id
    WHERE message.organization_id = ${organizationId} AND message.delivered_at >= ${FIRST_HOUR}
      AND attempt.started_at >= ${FIRST_HOUR}
    GROUP BY what, hour`);
  const of = (wanted: string) => rows.filter(({ what }) => what === wanted);
  return {
    since: of("since")[0]?.count ?? 0,
    captured: figureOf(of("captured")),
    delivered: figureOf(of("delivered")),
    failed: figureOf(of("failed")),
  };
}

/** A figure from what was counted in some of its hours; hours out of sight count in the total only. */
export function figureOf(counted: { hour: number | null; count: number }[]): Figure {
  const byHour = new Map(counted.map(({ hour, count }) => [hour, count]));
  return {
    total: counted.reduce((sum, { count }) => sum + count, 0),
    hours: Array.from({ length: HOURS }, (_, hour) => byHour.get(hour) ?? 0),
  };
}
