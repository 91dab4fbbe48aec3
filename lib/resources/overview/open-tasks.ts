import { join, type Sql, sql } from "@/lib/platform/db/sql";

/**
 * Open tasks, at most `limit` of each priority: those that wait for another task, and those that do
 * not. Each part reads the start of an index, however many tasks there are.
 */
export function eachOpenTask(columns: Sql, condition: Sql, order: Sql, limit: Sql): Sql {
  const parts = [sql`waits_for IS NULL`, sql`waits_for IS NOT NULL`].map(
    (waits) => sql`
      SELECT task.* FROM unnest(enum_range(NULL::task_priority)) AS wanted
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM tasks
        WHERE ${condition} AND NOT (labels @> '{done}') AND ${waits} AND priority = wanted
        ORDER BY ${order} LIMIT ${limit}) AS task`,
  );
  return join(parts, " UNION ALL ");
}
