import { NEWEST_OWNED, ownedBy } from "@/lib/db/owned";
import { join, query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { type List, type ListQuery, PAGE_BYTES_MAX, page, rowsToRead, wantsTotal } from "./list";

/**
 * A page of rows matching all `conditions`, of one organization if given, newest first. `longTexts`
 * are the columns without a small length limit: the page ends early when they are long, with at least
 * one item.
 */
export async function listNewest<Row, Item extends { id: string }>(
  from: {
    table: Statement;
    organizationId?: string;
    /** Where to look for the rows of `table` in the order of the column `id`, if not there. */
    through?: { source: Statement; id: Statement } | undefined;
    columns: Statement;
    longTexts: readonly Statement[];
    conditions: readonly Statement[];
    serialize(row: Row): Item;
  },
  listQuery: ListQuery,
): Promise<List<Item>> {
  const { table, organizationId, through, columns, longTexts, conditions, serialize } = from;
  const { source, id } = through ?? { source: table, id: sql`id` };
  const owned = organizationId === undefined ? sql`true` : ownedBy(organizationId);
  const matching = join([owned, ...conditions], " AND ");
  const order = organizationId !== undefined && !through ? NEWEST_OWNED : sql`${id} DESC`;
  const position = listQuery.after === undefined ? sql`` : sql`AND ${id} < ${listQuery.after}`;
  const lengths = longTexts.map((column) => sql`COALESCE(octet_length(${column}), 0)`);
  const bytes = join([sql`0`, ...lengths], " + ");
  // Includes the row that exceeds the budget, and always the second row, so that `page` knows there
  // are more.
  const rows = await query<Row>(sql`
    SELECT ${columns} FROM (
      SELECT *, row_number() OVER newest AS place,
             sum(${bytes}) OVER newest - (${bytes}) AS bytes_before
      FROM (SELECT ${table}.* FROM ${source} WHERE ${matching} ${position}
            ORDER BY ${order} LIMIT ${rowsToRead(listQuery)}) AS found
      WINDOW newest AS (ORDER BY id DESC)
    ) AS measured
    WHERE place <= 2 OR bytes_before <= ${PAGE_BYTES_MAX}
    ORDER BY place`);
  const total = wantsTotal(listQuery)
    ? await queryOne<{ count: number }>(sql`SELECT count(*) FROM ${source} WHERE ${matching}`)
    : undefined;
  return page(rows.map(serialize), listQuery, total?.count);
}
