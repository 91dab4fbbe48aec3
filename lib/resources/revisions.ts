import { query, raw, sql } from "@/lib/platform/db/sql";
import type { Kind } from "./kinds";

/** The owner and revision of each resource that exists, as a text that differs after any change. */
export async function revisionsOf(
  { table }: Kind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  // (b) For all that wait.
  const rows = await query<{ id: string; revision: string }>(sql`
    SELECT id, concat_ws('/', organization_id, revision) AS revision FROM ${raw(table)}
    WHERE id = ANY (${[...new Set(ids)]})`);
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}
