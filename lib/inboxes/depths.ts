import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/accounts/caller";
import { query, sql } from "@/lib/db/sql";
import { PENDING } from "./state";

/** How many events are pending in each inbox of the caller's organization; one that has none is left out. */
export async function depthsOf(caller: Caller): Promise<Map<string, number>> {
  const rows = await query<{ id: string; pending: number }>(sql`
    SELECT inbox.id, count(*) AS pending
    FROM inboxes AS inbox JOIN inbox_events AS event ON event.inbox_id = inbox.id
    WHERE inbox.organization_id = ${organizationOf(caller)} AND ${PENDING}
    GROUP BY inbox.id`);
  return new Map(rows.map(({ id, pending }) => [id, pending]));
}
