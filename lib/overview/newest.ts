import { join, query, sql } from "@/lib/db/sql";

const COUNT = 12;

/** A resource of any kind, for a list. */
export interface ResourceLine {
  id: string;
  name: string;
  created_at: number;
}

/** The newest resources of an organization over all kinds. */
export async function listNewestResources(organizationId: string): Promise<ResourceLine[]> {
  const newest = KINDS.map(
    ({ table, name }) => sql`(SELECT id, ${name} AS name, created_at FROM ${table}
      WHERE organization_id = ${organizationId} ORDER BY id DESC LIMIT ${COUNT})`,
  );
  // IDs are time-ordered behind their prefix.
  return query<ResourceLine>(sql`
    SELECT * FROM (${join(newest, " UNION ALL ")}) AS newest
    ORDER BY split_part(id, '_', 2) COLLATE "C" DESC LIMIT ${COUNT}`);
}

/** The table of each kind and its display name. */
export const KINDS = [
  { table: sql`tasks`, name: sql`name` },
  { table: sql`artifacts`, name: sql`name` },
  { table: sql`webhook_endpoints`, name: sql`name` },
  { table: sql`scheduled_messages`, name: sql`method || ' ' || url` },
  { table: sql`inboxes`, name: sql`name` },
];
