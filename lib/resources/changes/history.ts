import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { actorOfChange } from "./actor-of-change";

/** How many of an organization's newest changes are searched, so that its size does not matter. */
const SEARCHED_MAX = 2000;
const SHOWN_MAX = 50;

export type PastChange = Row<"Change", "action" | "created_at" | "progress"> & {
  /** A position in the feed, as a key. */
  id: number;
  /** The key's name, the person's email or the schedule; null for the service, or if the caller may not see it. */
  actor_name: string | null;
};

/** The newest changes of one of the caller's resources, oldest first. */
export async function historyOf(caller: Caller, resourceId: string): Promise<PastChange[]> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return [];
  const actor = actorOfChange(caller, sql`change`);
  // (d) The feed has no index by resource.
  const newestFirst = await queryShown<PastChange>(sql`
    SELECT change.id, change.action, change.created_at, change.progress,
           ${actor.name} AS actor_name
    FROM (SELECT * FROM changes WHERE organization_id = ${organizationId}
          ORDER BY xid DESC, id DESC LIMIT ${SEARCHED_MAX}) AS change
    ${actor.joins}
    WHERE change.resource_id = ${resourceId}
    ORDER BY change.xid DESC, change.id DESC LIMIT ${SHOWN_MAX}`);
  return newestFirst.reverse();
}
