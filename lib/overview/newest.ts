import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/accounts/caller";
import { join, query, sql } from "@/lib/db/sql";

const COUNT = 12;

/** A resource of any kind, as one line. */
export interface NewResource {
  id: string;
  name: string;
  created_at: number;
}

/** The newest resources of the caller's organization, of all kinds in one stream. */
export async function newestOf(caller: Caller): Promise<NewResource[]> {
  const owner = organizationOf(caller);
  if (owner === null) return [];
  const newest = kinds.map(
    ({ table, name }) => sql`(SELECT id, ${name} AS name, created_at FROM ${table}
      WHERE organization_id = ${owner} ORDER BY id DESC LIMIT ${COUNT})`,
  );
  // IDs are time-ordered behind their prefix.
  return query<NewResource>(sql`
    SELECT * FROM (${join(newest, " UNION ALL ")}) AS newest
    ORDER BY split_part(id, '_', 2) COLLATE "C" DESC LIMIT ${COUNT}`);
}

const kinds = [
  { table: sql`tasks`, name: sql`name` },
  { table: sql`artifacts`, name: sql`name` },
];
