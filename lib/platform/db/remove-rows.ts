import { query, type Sql, sql, type Transaction } from "./sql";

/** The number of rows per statement where rows may have a megabyte. */
export const LARGE_ROWS_MAX = 100;

interface Rows {
  table: Sql;
  /** The columns of the primary key. */
  key?: Sql;
  where: Sql;
  /** Which rows come first; any, if undefined. */
  order?: Sql;
}

/** Deletes up to `limit` of the rows and returns their number. */
export async function removeRows(rows: Rows, limit: number, db?: Transaction): Promise<number> {
  const { table, key = sql`id`, where, order } = rows;
  // (a) Concurrent calls skip each other's rows.
  const removed = await query(
    sql`
    DELETE FROM ${table} WHERE (${key}) IN (
      SELECT ${key} FROM ${table} WHERE ${where} ${order ? sql`ORDER BY ${order}` : sql``}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING 1`,
    db,
  );
  return removed.length;
}

/**
 * Removes up to `limit` rows that may have a megabyte, in statements of few rows, and returns their number. `remove`
 * does so for one statement.
 */
export async function removeLarge(
  remove: (limit: number) => Promise<number>,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (let all = 0; ; ) {
    const most = Math.min(limit - all, LARGE_ROWS_MAX);
    const removed = await remove(most);
    all += removed;
    if (removed < most || all >= limit) return all;
  }
}
