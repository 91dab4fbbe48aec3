import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { PENDING, queueOf } from "./events/state";

/**
 * Ends the leases and nack delays in these inboxes, which are locked and were just claimed: anyone who knew an ID
 * could have set them to hold events back. A delay that the sender set stays. An event in its last delivery gets one
 * more, since strangers may have used up the others. A receive that is still running during this statement keeps its
 * leases.
 */
export async function endLeases(ids: string[], db: Transaction): Promise<void> {
  for (const id of ids) {
    // Keeps the lease IDs, so that a worker of the new owner can still acknowledge the events that it holds.
    await query(
      sql`UPDATE inbox_events AS event SET
            visible_at = greatest(now(), (SELECT ready_from FROM inbox_state WHERE inbox_id = ${id})),
            lapses_at = to_timestamp(event.expires_at)
          WHERE ${queueOf(id)} AND event.visible_at > now() AND ${PENDING}
            AND event.delivery_count > 0`,
      db,
    );
  }
}
