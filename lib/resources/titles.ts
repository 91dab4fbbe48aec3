import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { join, query, sql } from "@/lib/platform/db/sql";
import { kindOf } from "./kinds";
import { resources } from "./registry";

/** The titles of the caller's resources with these IDs, of any kind; one index lookup each. */
export async function titlesOf(caller: Caller, ids: string[]): Promise<Map<string, string>> {
  const organizationId = organizationOf(caller);
  const parts = resources.flatMap(({ kind, table, title }) => {
    const wanted = [...new Set(ids.filter((id) => kindOf(id)?.name === kind.name))];
    if (wanted.length === 0) return [];
    return sql`SELECT id, ${title} AS title FROM ${table}
      WHERE id = ANY (${wanted}::text[]) AND organization_id = ${organizationId}`;
  });
  if (parts.length === 0 || organizationId === null) return new Map();
  // (d) The tables of several kinds.
  const rows = await query<{ id: string; title: string }>(join(parts, " UNION ALL "));
  return new Map(rows.map(({ id, title }) => [id, title]));
}
