import { query, type Sql, sql, type Transaction } from "./sql";

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
