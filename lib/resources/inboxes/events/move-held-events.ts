import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import { config } from "@/lib/platform/config/config";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { endpointsHolding } from "@/lib/resources/webhooks/forward/holding-endpoints";
import { expire } from "./expire";
import { readyTopic } from "./ready-topic";
import { measure } from "./storage";

/**
 * Moves events that webhook endpoints hold back for a full inbox into it, as far as its quota
 * allows. Endpoints whose oldest event waits longest come first. Calls at the same time share the
 * work.
 */
export const moveHeldEvents = coalesced("moveHeldEvents", async (inboxId: string) => {
  await expire(inboxId);
  await measure(inboxId, config().captureMaxBodyBytes);
  // Before, because an endpoint that still holds events sets it again.
  await query(sql`
    UPDATE inbox_state SET is_awaited_by_forwards = false
    WHERE inbox_id = ${inboxId} AND is_awaited_by_forwards`);
  for (const endpointId of await endpointsHolding(inboxId)) {
    // In batches, so that a capture, which needs the same locks, does not wait for all of them.
    while (await forwardSome(endpointId));
  }
});

/** Returns whether more may be forwarded at once. */
async function forwardSome(endpointId: string): Promise<boolean> {
  const moved = await queryOne<{ has_more: boolean; awaited_inbox: string | null }>(
    sql`SELECT * FROM forward_held_events(${endpointId}, NULL, ${config().publicEventsMaxBytes})`,
  );
  if (moved?.awaited_inbox) announce(readyTopic(moved.awaited_inbox));
  return moved?.has_more ?? false;
}

/** Moves them in the background, once quota is free. A failure loses nothing: the scheduler retries. */
export function moveHeldEventsSoon(inboxId: string): void {
  waitUntil(moveHeldEvents(inboxId).catch(() => {}));
}
