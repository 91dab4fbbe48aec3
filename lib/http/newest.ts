import { join, query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { type List, type ListQuery, PAGE_BYTES_MAX, page, rowsToRead, wantsTotal } from "./list";

/**
 * A page of rows matching all `conditions`, newest first. `longTexts` are the columns without a
 * small length limit: the page ends early when they are long, with at least one item.
 */
export async function listNewest<Row, Item extends { id: string }>(
  from: {
    table: Statement;
    columns: Statement;
    longTexts: readonly Statement[];
    conditions: readonly Statement[];
    serialize(row: Row): Item;
  },
  listQuery: ListQuery,
): Promise<List<Item>> {
  const { table, columns, longTexts, conditions, serialize } = from;
  const matching = join(conditions, " AND ");
  const position = listQuery.after === undefined ? sql`` : sql`AND id < ${listQuery.after}`;
  const lengths = longTexts.map((column) => sql`COALESCE(octet_length(${column}), 0)`);
  const bytes = join([sql`0`, ...lengths], " + ");
  // Includes the row that exceeds the budget, and always the second row, so that `page` knows there
  // are more.
  const rows = await query<Row>(sql`
    SELECT ${columns} FROM (
      SELECT *, row_number() OVER newest AS place,
             sum(${bytes}) OVER newest - (${bytes}) AS bytes_before
      FROM (SELECT * FROM ${table} WHERE ${matching} ${position}
            ORDER BY id DESC LIMIT ${rowsToRead(listQuery)}) AS found
      WINDOW newest AS (ORDER BY id DESC)
    ) AS measured
    WHERE place <= 2 OR bytes_before <= ${PAGE_BYTES_MAX}
    ORDER BY place`);
  const total = wantsTotal(listQuery)
    ? await queryOne<{ count: number }>(sql`SELECT count(*) FROM ${table} WHERE ${matching}`)
    : undefined;
  return page(rows.map(serialize), listQuery, total?.count);
}
