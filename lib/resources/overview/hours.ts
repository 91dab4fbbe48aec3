import { type Sql, sql } from "@/lib/platform/db/sql";

export const HOURS = 24;

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
