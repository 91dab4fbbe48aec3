import { query, type Sql, sql, type Transaction } from "./sql";

/** The number of rows per statement where rows may have a megabyte. */
export const LARGE_ROWS_MAX = 100;
/** The bytes of a statement, about, where rows may have many megabytes. */
const BYTES_MAX = 100_000_000;

interface Rows {
  table: Sql;
  /** The columns of the primary key. */
  key?: Sql;
  where: Sql;
  /** Which rows come first; any, if undefined. */
  order?: Sql;
  /** The size of a row that may have many megabytes. */
  bytes?: Sql;
}

/** Deletes up to `limit` of the rows, fewer if they are large, and returns their number. */
export async function removeRows(rows: Rows, limit: number, db?: Transaction): Promise<number> {
  const { table, key = sql`id`, where, order, bytes } = rows;
  // (a) Concurrent calls skip each other's rows.
  const found = sql`
      SELECT ${key} ${bytes ? sql`, ${bytes} AS bytes` : sql``} FROM ${table}
      WHERE ${where} ${order ? sql`ORDER BY ${order}` : sql``}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const chosen = bytes
    ? sql`SELECT ${key} FROM (
        SELECT *, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (${found}) AS found
      ) AS summed WHERE before < ${BYTES_MAX}`
    : found;
  const removed = await query(
    sql`DELETE FROM ${table} WHERE (${key}) IN (${chosen}) RETURNING 1`,
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
