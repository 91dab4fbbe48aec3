import type { Pool } from "pg";

export const DAY = 86_400;

/** How many days ago a resource was made and last written, and other columns to change. */
export interface Age {
  made: number;
  written: number;
  columns?: object;
}

/**
 * Makes a resource older. As another row, since the key of its state cannot change on a distributed database. In one
 * statement, because other tests sweep at the same time.
 */
export async function age(
  db: Pool,
  table: string,
  id: string,
  { made, written, columns = {} }: Age,
) {
  const { rows } = await db.query<{ id: string }>(
    `WITH gone AS (DELETE FROM ${table} WHERE id = $1 RETURNING *)
     INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(gone) || jsonb_build_object(
       'id', split_part(id, '_', 1) || '_' || id_time((unix_now() - $2::bigint) * 1000000) || right(id, 16),
       'created_at', created_at - $2::bigint, 'updated_at', updated_at - $3::bigint) || $4::jsonb)).*
     FROM gone RETURNING id`,
    [id, made * DAY, written * DAY, JSON.stringify(columns)],
  );
  return rows[0]?.id ?? "";
}
