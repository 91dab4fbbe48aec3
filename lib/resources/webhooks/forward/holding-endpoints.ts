import { inTurns } from "@/lib/platform/db/batches";
import type { Row } from "@/lib/platform/db/columns";
import { poolSize } from "@/lib/platform/db/connections";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";

/**
 * Runs a step that forwards held events. Few run at a time: those of very many endpoints would take
 * every connection.
 */
export function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
  const takeTurn = oncePerProcess("webhooks.catch-up", () =>
    inTurns(Math.max(Math.floor(poolSize() / 4), 1), BUSY),
  );
  return takeTurn("", step);
}

const BUSY = "Too many endpoints hold events back. The scheduler tries again.";

/**
 * The endpoints that hold events back for an inbox, the one with the oldest event first. Leaves out those that are known
 * to have another owner: anyone may forward into a public inbox, and who claims it must not pay for that.
 */
export async function endpointsHolding(inboxId: string): Promise<string[]> {
  const forwards = await query<{ endpoint_id: string }>(
    sql`SELECT endpoint_id FROM webhook_forwards WHERE inbox_id = ${inboxId}`,
  );
  const inbox = await queryOne<Row<"InboxState", "organization_id">>(
    sql`SELECT organization_id FROM inbox_state WHERE inbox_id = ${inboxId}`,
  );
  const mayMove = inbox
    ? sql`(e.obstacle IS DISTINCT FROM 'other_owner'
           OR e.organization_id IS NOT DISTINCT FROM ${inbox.organization_id})`
    : sql`true`;
  return holdingAmong(
    forwards.map(({ endpoint_id }) => endpoint_id),
    mayMove,
  );
}

/** Whether any endpoint holds events back, which is rare. */
export async function anyHolds(): Promise<boolean> {
  const held = sql`SELECT /* asks every node */ 1 FROM webhook_events WHERE forward_status = 'held' LIMIT 1`;
  return (await queryOne(held)) !== undefined;
}

/** Skips the events that an endpoint holds back. The caller has locked them; `which` is a condition on them. */
export async function skipHeld(
  endpointId: string,
  db: Transaction,
  which: Sql = sql`true`,
): Promise<void> {
  await query(
    sql`UPDATE webhook_events SET forward_status = 'skipped', forward_reason = 'forward_removed'
        WHERE endpoint_id = ${endpointId} AND forward_status = 'held' AND ${which}`,
    db,
  );
}

/** The given endpoints that hold events back, oldest event first. `which` is a condition on their states `e`. */
export async function holdingAmong(
  endpointIds: string[],
  which: Sql = sql`true`,
): Promise<string[]> {
  if (endpointIds.length === 0) return [];
  // (d) A statement of its own, since the events may be in another database than the settings. Reads one event of each.
  const holding = await query<{ endpoint_id: string }>(sql`
    SELECT e.endpoint_id FROM endpoint_state e JOIN LATERAL (
      SELECT v.endpoint_id, v.id FROM webhook_events v
      WHERE v.endpoint_id = e.endpoint_id AND v.forward_status = 'held' AND v.id > e.gone_up_to
      ORDER BY v.id LIMIT 1
    ) AS held ON held.endpoint_id = e.endpoint_id
    WHERE e.endpoint_id = ANY (${endpointIds}) AND ${which} ORDER BY held.id`);
  return holding.map(({ endpoint_id }) => endpoint_id);
}
