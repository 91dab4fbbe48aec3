import { query, sql } from "@/lib/db/sql";

const HOURS = 24;
const HOUR_SECONDS = 3600;

/** Counts for each of the last 24 clock hours. */
export interface Figure {
  total: number;
  /** One number per hour, oldest first; the last is the current hour. */
  hours: number[];
}

export interface Figures {
  /** Start of the first hour, Unix seconds. */
  since: number;
  /** Events still kept by their endpoints. */
  captured: Figure;
  /** Attempts with a 2xx response. */
  delivered: Figure;
  failed: Figure;
}

/** The start of the first hour, by the database's clock. */
export const FIRST_HOUR = sql`((unix_now() / ${HOUR_SECONDS}::bigint - ${HOURS - 1}::bigint) * ${HOUR_SECONDS}::bigint)`;

/** An organization's captures and deliveries in the last 24 hours. */
export async function loadFigures(organizationId: string): Promise<Figures> {
  // Events are counted by the time in their IDs, using the primary key, so that captures need no
  // further index.
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
    captured: toFigure(of("captured")),
    delivered: toFigure(of("delivered")),
    failed: toFigure(of("failed")),
  };
}

/** Fills the hours without counts; counts outside the 24 hours are in the total only. */
export function toFigure(counted: { hour: number | null; count: number }[]): Figure {
  const byHour = new Map(counted.map(({ hour, count }) => [hour, count]));
  return {
    total: counted.reduce((sum, { count }) => sum + count, 0),
    hours: Array.from({ length: HOURS }, (_, hour) => byHour.get(hour) ?? 0),
  };
}
