import { query, sql } from "@/lib/platform/db/sql";

/** The endpoints that hold events back for an inbox, the one with the oldest event first. */
export async function endpointsHolding(inboxId: string): Promise<string[]> {
  const forwards = await query<{ endpoint_id: string }>(
    sql`SELECT endpoint_id FROM webhook_forwards WHERE inbox_id = ${inboxId}`,
  );
  if (forwards.length === 0) return [];
  // (d) A statement of its own, since the events may be in another database than the settings.
  const holding = await query<{ endpoint_id: string }>(sql`
    SELECT endpoint_id FROM webhook_events
    WHERE endpoint_id = ANY (${forwards.map(({ endpoint_id }) => endpoint_id)})
      AND forward_status = 'held'
    GROUP BY endpoint_id ORDER BY min(id)`);
  return holding.map(({ endpoint_id }) => endpoint_id);
}
