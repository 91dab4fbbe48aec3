import { query, type Sql, sql, type Transaction, transaction } from "@/lib/platform/db/sql";

/** Rows of a bulk table per transaction and per statement. */
const BULK_ROWS_MAX = 10_000;
const BULK_BATCH = 1000;
/** Rows of megabytes per statement. */
const LARGE_ROWS_MAX = 100;

interface Removable {
  table: Sql;
  /** Of the IDs, without the underscore. */
  prefix: string;
  /** When a resource was last used, in Unix seconds. */
  lastUsedAt: Sql;
  /** Rows may have up to a megabyte. */
  large: boolean;
  bulk: BulkTable | undefined;
}

/** A table with so many rows per resource that they are deleted in batches, before it. */
export interface BulkTable {
  table: Sql;
  /** The column with the ID of the resource. */
  parent: Sql;
  /** How many rows a resource has. */
  count: Sql;
}

/**
 * Deletes up to `limit` public resources that were last used more than `ttlSeconds` ago, and returns
 * their number.
 */
export async function removeUnclaimed(
  { table, prefix, lastUsedAt, large, bulk }: Removable,
  ttlSeconds: number,
  limit: number,
): Promise<number> {
  const atOnce = large ? Math.min(limit, LARGE_ROWS_MAX) : limit;
  // Oldest first, by the index on organization and ID, which begins with the time.
  const unclaimed = sql`
    SELECT id, ${bulk?.count ?? sql`0`} AS rows FROM ${table}
    WHERE organization_id IS NULL
      AND id < ${`${prefix}_`} || id_time((unix_now() - ${ttlSeconds}::bigint) * 1000000)
      AND created_at < unix_now() - ${ttlSeconds}::bigint
      AND ${lastUsedAt} < unix_now() - ${ttlSeconds}::bigint
    ORDER BY organization_id DESC, id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED`;
  if (!bulk) {
    const removed = await query(
      sql`WITH unclaimed AS (${unclaimed})
          DELETE FROM ${table} WHERE id IN (SELECT id FROM unclaimed) RETURNING id`,
    );
    return removed.length;
  }
  return transaction(async (db) => {
    const rows = await query<{ id: string }>(
      sql`SELECT id FROM (
            SELECT id, sum(rows) OVER (ORDER BY id) - rows AS before FROM (${unclaimed}) AS locked
          ) AS summed WHERE before < ${BULK_ROWS_MAX}`,
      db,
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await removeBulk(bulk, ids, db);
      await query(sql`DELETE FROM ${table} WHERE id = ANY (${ids})`, db);
    }
    return ids.length;
  });
}

/** Deletes the rows of these resources, in statements of bounded length. */
async function removeBulk({ table, parent }: BulkTable, ids: string[], db: Transaction) {
  for (;;) {
    const removed = await query(
      sql`DELETE FROM ${table} WHERE (${parent}, id) IN (
            SELECT ${parent}, id FROM ${table} WHERE ${parent} = ANY (${ids}) LIMIT ${BULK_BATCH}
          ) RETURNING 1`,
      db,
    );
    if (removed.length < BULK_BATCH) return;
  }
}
