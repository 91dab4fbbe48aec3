import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import { config } from "@/lib/platform/config/config";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { endpointsHolding, inTurn } from "@/lib/resources/webhooks/forward/holding-endpoints";
import { expire } from "./expire";
import { readyTopic } from "./ready-topic";
import { measure } from "./storage";

/**
 * Inboxes in which bytes were freed after events were last moved there. The next move recounts at
 * once.
 */
const freed = oncePerProcess("inboxes.freed", () => new Set<string>());

/**
 * Moves events that webhook endpoints hold back for a full inbox into it, as far as its quota
 * allows. Endpoints whose oldest event waits longest come first. Calls at the same time share the
 * work.
 */
export const moveHeldEvents = coalesced("moveHeldEvents", async (inboxId: string) => {
  for (const endpointId of await inTurn(() => makeRoom(inboxId))) {
    // In batches, so that a capture, which needs the same locks, does not wait for all of them.
    while (await inTurn(() => forwardSome(endpointId)));
  }
});

/** Returns the endpoints that hold events back for the inbox. */
async function makeRoom(inboxId: string): Promise<string[]> {
  const isFreed = freed.delete(inboxId);
  // Cleared first, because an endpoint that still holds events sets it again.
  await query(sql`
    UPDATE inbox_state SET is_awaited_by_forwards = false
    WHERE inbox_id = ${inboxId} AND is_awaited_by_forwards`);
  const endpointIds = await endpointsHolding(inboxId);
  if (endpointIds.length === 0) return [];
  const lapsed = await expire(inboxId);
  await measure(inboxId, config().captureMaxBodyBytes, { again: isFreed || lapsed > 0 });
  return endpointIds;
}

/** Returns whether more may be forwarded at once. */
async function forwardSome(endpointId: string): Promise<boolean> {
  const moved = await queryOne<{ has_more: boolean; awaited_inbox: string | null }>(
    sql`SELECT * FROM forward_held_events(${endpointId}, NULL, ${config().publicEventsMaxBytes})`,
  );
  if (moved?.awaited_inbox) announce(readyTopic(moved.awaited_inbox));
  return moved?.has_more ?? false;
}

/**
 * Calls `moveHeldEvents` in the background, after a place or, if `isFreed`, bytes have become free.
 * A failure loses nothing: the scheduler retries.
 */
export function moveHeldEventsSoon(inboxId: string, { isFreed = true } = {}): void {
  if (isFreed) freed.add(inboxId);
  waitUntil(moveHeldEvents(inboxId).catch(() => {}));
}
