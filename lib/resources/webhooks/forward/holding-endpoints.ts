import { query, queryOne, sql } from "@/lib/platform/db/sql";

/** The endpoints that hold events back for an inbox, the one with the oldest event first. */
export async function endpointsHolding(inboxId: string): Promise<string[]> {
  const forwards = await query<{ endpoint_id: string }>(
    sql`SELECT endpoint_id FROM webhook_forwards WHERE inbox_id = ${inboxId}`,
  );
  return holdingAmong(forwards.map(({ endpoint_id }) => endpoint_id));
}

/** Whether any endpoint holds events back, which is rare. */
export async function anyHolds(): Promise<boolean> {
  const held = sql`SELECT /* asks every node */ 1 FROM webhook_events WHERE forward_status = 'held' LIMIT 1`;
  return (await queryOne(held)) !== undefined;
}

/** The given endpoints that hold events back, oldest event first. */
export async function holdingAmong(endpointIds: string[]): Promise<string[]> {
  if (endpointIds.length === 0) return [];
  // (d) A statement of its own, since the events may be in another database than the settings. Reads one event of each.
  const holding = await query<{ endpoint_id: string }>(sql`
    SELECT e.endpoint_id FROM endpoint_state e JOIN LATERAL (
      SELECT v.endpoint_id, v.id FROM webhook_events v
      WHERE v.endpoint_id = e.endpoint_id AND v.forward_status = 'held' AND v.id > e.gone_up_to
      ORDER BY v.id LIMIT 1
    ) AS held ON held.endpoint_id = e.endpoint_id
    WHERE e.endpoint_id = ANY (${endpointIds}) ORDER BY held.id`);
  return holding.map(({ endpoint_id }) => endpoint_id);
}
