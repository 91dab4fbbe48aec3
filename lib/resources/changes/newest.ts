import { maySeeAddresses, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";

/** How many changes the overview shows. */
const NEWEST_MAX = 8;

/** A change as the overview shows it. */
export type ChangeLine = Row<"Change", "kind" | "action" | "resource_id" | "created_at"> & {
  /** The key's name or the person's email; null for the service, or if not to be seen. */
  actor_name: string | null;
};

/** An organization's newest changes. Unlike the feed, it may miss some for a moment. */
export async function newestChanges(caller: Caller): Promise<ChangeLine[]> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return [];
  const email = maySeeAddresses(caller) ? sql`person.email` : sql`NULL::text`;
  // (d) Joins the names of the actors.
  return queryShown<ChangeLine>(sql`
    SELECT newest.kind, newest.action, newest.resource_id, newest.created_at,
           coalesce(${email}, api_keys.name) AS actor_name
    FROM (SELECT * FROM changes WHERE organization_id = ${organizationId}
          ORDER BY xid DESC, id DESC LIMIT ${NEWEST_MAX}) AS newest
    LEFT JOIN api_keys
      ON api_keys.id = newest.actor AND api_keys.organization_id = newest.organization_id
    LEFT JOIN members
      ON members.user_id = newest.actor AND members.organization_id = newest.organization_id
    LEFT JOIN users AS person ON person.id = members.user_id
    ORDER BY newest.xid DESC, newest.id DESC`);
}
