import { query, type Statement, sql } from "@/lib/db/sql";

const HOURS = 24;

/** Counts for each of the last 24 clock hours. */
export interface Figure {
  total: number;
  /** One number per hour, oldest first; the last is the current hour. */
  hours: number[];
}

export interface Figures {
  /** Start of the first hour, Unix seconds. */
  since: number;
  captured: Figure;
  /** Attempts with a 2xx response, and others. */
  delivered: Figure;
  failed: Figure;
}

/** The first of the hours, by the database's clock: Unix seconds / 3600. */
const FIRST_HOUR = sql`(unix_now() / 3600 - ${HOURS - 1}::bigint)`;

/** The counts in the `hourly` columns of `rows`, as `hour`, from 0, and `count`. */
export function hourlyCounts(rows: Statement): Statement {
  return sql`
    SELECT (slot >> 32) - ${FIRST_HOUR} AS hour, sum(slot & 4294967295)::bigint AS count
    FROM (${rows}) AS counted CROSS JOIN unnest(counted.hourly) AS slot
    WHERE slot >> 32 >= ${FIRST_HOUR}
    GROUP BY 1`;
}

/** An organization's captures and deliveries in the last 24 hours. */
export async function loadFigures(organizationId: string): Promise<Figures> {
  const endpoints = sql`
    SELECT hourly FROM webhook_endpoints
    WHERE organization_id = ${organizationId} AND last_event_micros >= ${FIRST_HOUR} * 3600000000`;
  const rows = await query<{ what: string; hour: number; count: number }>(sql`
    SELECT 'since' AS what, 0 AS hour, ${FIRST_HOUR} * 3600 AS count
    UNION ALL
    SELECT 'captured', captured.* FROM (${hourlyCounts(endpoints)}) AS captured
    UNION ALL
    SELECT what, hour - ${FIRST_HOUR}, count
    FROM delivery_hours
    CROSS JOIN LATERAL (VALUES ('delivered', delivered), ('failed', failed)) AS counts (what, count)
    WHERE organization_id = ${organizationId} AND hour >= ${FIRST_HOUR}`);
  const of = (wanted: string) => rows.filter(({ what }) => what === wanted);
  return {
    since: of("since")[0]?.count ?? 0,
    captured: toFigure(of("captured")),
    delivered: toFigure(of("delivered")),
    failed: toFigure(of("failed")),
  };
}

/** Fills the hours without counts. */
export function toFigure(counted: { hour: number; count: number }[]): Figure {
  const byHour = new Map(counted.map(({ hour, count }) => [hour, count]));
  return {
    total: counted.reduce((sum, { count }) => sum + count, 0),
    hours: Array.from({ length: HOURS }, (_, hour) => byHour.get(hour) ?? 0),
  };
}
