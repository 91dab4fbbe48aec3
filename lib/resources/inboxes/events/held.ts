import { waitUntil } from "@vercel/functions";
import { config } from "@/lib/platform/config/config";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { expire } from "./expire";
import { measure } from "./storage";

/**
 * Moves events that webhook endpoints hold back for a full inbox into it, as far as its quota
 * allows.
 */
export async function takeHeldEvents(inboxId: string): Promise<void> {
  await expire(inboxId);
  await measure(inboxId, config().captureMaxBodyBytes);
  // In batches, so that a capture, which needs the same locks, does not wait for all of them.
  let isMore = true;
  while (isMore) {
    const taken = await queryOne<{ is_more: boolean }>(
      sql`SELECT forward_some_held_events_to(${inboxId}) AS is_more`,
    );
    isMore = taken?.is_more ?? false;
  }
}

/**
 * The same in the background, after room was made. Calls during a run cause one more run. A failure
 * loses nothing: the scheduler tries again.
 */
export function offerRoom(inboxId: string): void {
  const offers = oncePerProcess("inboxes.offers", () => new Map<string, { again: boolean }>());
  const running = offers.get(inboxId);
  if (running) {
    running.again = true;
    return;
  }
  const offer = { again: true };
  offers.set(inboxId, offer);
  waitUntil(
    (async () => {
      while (offer.again) {
        offer.again = false;
        await takeHeldEvents(inboxId).catch(() => {});
      }
      offers.delete(inboxId);
    })(),
  );
}
