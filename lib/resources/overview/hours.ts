import { type Sql, sql } from "@/lib/platform/db/sql";

export const HOURS = 24;

/** Counts for each of the last 24 clock hours. */
export interface Figure {
  total: number;
  /** One number per hour, oldest first; the last is the current hour. */
  hours: number[];
}

/** The count of one hour. Hours are numbered from 0, the oldest. */
export interface HourCount {
  hour: number;
  count: number;
}

/** The first hour, by the database's clock: Unix seconds / 3600. */
export const FIRST_HOUR = sql`(unix_now() / 3600 - ${HOURS - 1}::bigint)`;

/** The counts in the `hourly` columns of `rows`, as `hour`, from 0, and `count`. */
export function hourlyCounts(rows: Sql): Sql {
  return sql`
    SELECT (slot >> 32) - ${FIRST_HOUR} AS hour, sum(slot & 4294967295)::bigint AS count
    FROM (${rows}) AS counted CROSS JOIN unnest(counted.hourly) AS slot
    WHERE slot >> 32 >= ${FIRST_HOUR}
    GROUP BY 1`;
}

/** Adds the hours without counts. */
export function toFigure(counted: HourCount[]): Figure {
  const byHour = new Map(counted.map(({ hour, count }) => [hour, count]));
  const hours = Array.from({ length: HOURS }, (_, hour) => byHour.get(hour) ?? 0);
  return { total: hours.reduce((sum, count) => sum + count, 0), hours };
}
