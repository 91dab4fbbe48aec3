import { hiddenFromPlanner, NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { join, sql } from "@/lib/platform/db/sql";
import { resources } from "@/lib/resources/registry";

/** Part of the text, since the planner would guess the value of a parameter. */
const COUNT = sql`12`;

/** A resource of any kind, for a list. */
export interface ResourceLine {
  id: string;
  name: string;
  created_at: number;
}

/** The newest resources of an organization, over all kinds. */
export async function listNewestResources(organizationId: string): Promise<ResourceLine[]> {
  const newest = resources.map(
    ({ table, title }) => sql`(SELECT id, ${title} AS name, created_at FROM ${table}
      WHERE ${ownedBy(hiddenFromPlanner(organizationId))} ORDER BY ${NEWEST_OWNED} LIMIT ${COUNT})`,
  );
  // Behind their prefix, IDs are ordered by time.
  return queryShown<ResourceLine>(sql`
    SELECT * FROM (${join(newest, " UNION ALL ")}) AS newest
    ORDER BY split_part(id, '_', 2) COLLATE "C" DESC LIMIT ${COUNT}`);
}
