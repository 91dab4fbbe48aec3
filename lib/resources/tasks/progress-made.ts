import { type Sql, sql } from "@/lib/platform/db/sql";

/** The progress that an update of `tasks` gave the row, which had these labels; null if the same. */
export function progressMade(labelsBefore: Sql): Sql {
  return sql`nullif(${progressOf(sql`tasks.labels`)}, ${progressOf(labelsBefore)})`;
}

function progressOf(labels: Sql): Sql {
  return sql`CASE WHEN ${labels} @> '{done}' THEN 'done'
    WHEN ${labels} @> '{in-progress}' THEN 'in-progress' ELSE 'todo' END`;
}
