import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";

/** Counts unfinished messages that match the condition, up to `max`. */
export async function countPending(condition: Sql, max: number, db: Transaction): Promise<number> {
  const row = await queryOne<{ count: number }>(
    sql`SELECT count(*) FROM (
          SELECT 1 FROM scheduled_messages WHERE ${condition} AND due_at IS NOT NULL LIMIT ${max}
        ) AS pending`,
    db,
  );
  return row?.count ?? 0;
}
