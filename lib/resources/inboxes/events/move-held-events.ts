import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import { config } from "@/lib/platform/config/config";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { expire } from "./expire";
import { measure } from "./storage";

/**
 * Moves events that webhook endpoints hold back for a full inbox into it, as far as its quota
 * allows.
 */
export async function moveHeldEvents(inboxId: string): Promise<void> {
  await expire(inboxId);
  await measure(inboxId, config().captureMaxBodyBytes);
  // In batches, so that a capture, which needs the same locks, does not wait for all of them.
  let isMore = true;
  while (isMore) {
    const taken = await queryOne<{ is_more: boolean }>(
      sql`SELECT forward_some_held_events_to(${inboxId}, ${config().publicEventsMaxBytes}) AS is_more`,
    );
    isMore = taken?.is_more ?? false;
  }
}

/** Moves them in the background, once quota is free. A failure loses nothing: the scheduler retries. */
export function moveHeldEventsSoon(inboxId: string): void {
  waitUntil(coalescedMove(inboxId).catch(() => {}));
}

const coalescedMove = coalesced("moveHeldEvents", moveHeldEvents);
