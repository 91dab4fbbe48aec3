import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { PENDING, queueOf } from "./events/state";

/**
 * Ends the leases on the events of these inboxes, and the delays of nacks: whoever knew an ID could hold the events
 * back. The delay that an event was sent with stays. An event in its last delivery gets one more, since strangers may
 * have used up all of them. The inboxes are locked and were just claimed. A receive that began before and ends after
 * this statement keeps its leases.
 */
export async function endLeases(ids: string[], db: Transaction): Promise<void> {
  for (const id of ids) {
    // The lease IDs stay: a worker of the new owner may still acknowledge what it holds.
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
