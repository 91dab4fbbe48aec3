import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { bytesOf, join, type Sql, sql } from "@/lib/platform/db/sql";
import { mapInTurns } from "@/lib/platform/loop-turns";
import { type List, type ListQuery, PAGE_BYTES_MAX, page, rowsToRead, wantsTotal } from "./list";

/** The most rows that a page of a search reads. A page without items may have a next one. */
const SEARCHED_MAX = 2000;

/**
 * A page of rows matching all `conditions`, in one organization if given, newest first. `longTexts`
 * are the columns without a small length limit: the page ends early when they are long, with at
 * least one item.
 */
export async function listNewest<Row, Item extends { id: string }>(
  from: {
    table: Sql;
    organizationId?: string;
    /** Another source of the rows of `table` in the order of the column `id`. */
    through?: { source: Sql; id: Sql } | undefined;
    columns: Sql;
    longTexts?: readonly (keyof Row & string)[];
    conditions: readonly Sql[];
    /** A condition that no index serves. */
    search?: Sql | undefined;
    serialize(row: Row): Item;
  },
  listQuery: ListQuery,
): Promise<List<Item>> {
  const { table, organizationId, through, columns, longTexts = [], search, serialize } = from;
  const { source, id } = through ?? { source: table, id: sql`id` };
  const owned = organizationId === undefined ? sql`true` : ownedBy(organizationId);
  const matching = join([owned, ...from.conditions], " AND ");
  const order = organizationId !== undefined && !through ? NEWEST_OWNED : sql`${id} DESC`;
  const position = listQuery.after === undefined ? sql`` : sql`AND ${id} < ${listQuery.after}`;
  // The last ID that this page of a search reads; undefined if it reads all that are left.
  const last =
    search &&
    (await queryShownOne<{ id: string }>(sql`
      SELECT ${id} AS id FROM ${source} WHERE ${matching} ${position}
      ORDER BY ${order} OFFSET ${SEARCHED_MAX - 1} LIMIT 1`));
  const lastRead = last?.id;
  const searched = search
    ? sql`AND ${search} ${lastRead === undefined ? sql`` : sql`AND ${id} >= ${lastRead}`}`
    : sql``;
  const [rows, total] = await Promise.all([
    // `found` tells that rows follow: what the caller sees of a row may be shorter than the row.
    queryShown<Row & { found: number }>(sql`
      SELECT ${columns}, found FROM (
        SELECT *, count(*) OVER () AS found, row_number() OVER newest AS place,
               sum(${bytesOf(longTexts)}) OVER newest AS bytes_so_far
        FROM (SELECT ${table}.* FROM ${source} WHERE ${matching} ${position} ${searched}
              ORDER BY ${order} LIMIT ${rowsToRead(listQuery)}) AS found
        WINDOW newest AS (ORDER BY id DESC)
      ) AS measured
      WHERE place = 1 OR bytes_so_far <= ${PAGE_BYTES_MAX}
      ORDER BY place`),
    wantsTotal(listQuery) && !search
      ? queryShownOne<{ count: number }>(sql`SELECT count(*) FROM ${source} WHERE ${matching}`)
      : undefined,
  ]);
  const items = await mapInTurns(rows, ({ found: _, ...row }) => serialize(row as unknown as Row));
  const shown = page(items, listQuery, total?.count, rows[0]?.found);
  if (lastRead === undefined || shown.has_more) return shown;
  return { ...shown, has_more: true, next_cursor: lastRead };
}
