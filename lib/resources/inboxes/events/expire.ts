import { waitUntil } from "@vercel/functions";
import { removeLarge } from "@/lib/platform/db/remove-rows";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { idsOf, walk } from "@/lib/resources/walk";
import { LAPSED, queueOf } from "./state";

const EVENTS_MAX = 1000;
/** The number of statements for one inbox in this process. */
const SWEEP_EVERY = 50;
const COUNTED_INBOXES_MAX = 10_000;

/**
 * Deletes expired events and marks exhausted ones dead. Reads never depend on it; it frees disk
 * space and quota. Returns the number of events written, at most `limit`.
 */
export function expire(inboxId: string, limit = EVENTS_MAX, db?: Transaction): Promise<number> {
  return removeLarge(async (most) => {
    const result = await queryOne<{ count: number }>(
      sql`SELECT expire_events(${inboxId}, ${most}) AS count`,
      db,
    );
    return result?.count ?? 0;
  }, limit);
}

/**
 * Counts statements that receive from an inbox and, after every so many, removes in the background
 * what would slow down the next ones.
 */
export function sweepOccasionally(inboxId: string): void {
  if (receives.size > COUNTED_INBOXES_MAX) receives.clear();
  const count = (receives.get(inboxId) ?? 0) + 1;
  receives.set(inboxId, count % SWEEP_EVERY);
  if (count === SWEEP_EVERY) waitUntil(sweepInbox(inboxId).catch(() => {})); // a later request retries
}

const receives = new Map<string, number>();

/** Expires events and raises `ready_from`. */
async function sweepInbox(inboxId: string) {
  while ((await expire(inboxId)) > 0);
  await transaction(async (db) => {
    // Locked in a separate statement, so that the next one sees all events written before. A later
    // holder of the lock makes no event visible before `ready_from`.
    await query(sql`SELECT FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE`, db);
    await query(
      sql`UPDATE inbox_state SET ready_from = least(now() - interval '1 second', (
            SELECT event.visible_at FROM inbox_events AS event WHERE ${queueOf(inboxId)}
            ORDER BY event.visible_at LIMIT 1))
          WHERE inbox_id = ${inboxId}`,
      db,
    );
  });
}

/** Expires about `limit` events, inbox by inbox. */
export const removeExpiredEvents = walk("Events could not be expired", {
  page: idsOf(sql`inbox_state`, sql`inbox_id`),
  due: (inboxes) =>
    query<{ id: string }>(sql`
      SELECT inbox.inbox_id AS id FROM inbox_state AS inbox JOIN LATERAL (
        SELECT event.inbox_id FROM inbox_events AS event
        WHERE event.inbox_id = inbox.inbox_id AND ${LAPSED} ORDER BY event.lapses_at LIMIT 1
      ) AS lapsed ON lapsed.inbox_id = inbox.inbox_id
      WHERE inbox.inbox_id = ANY (${inboxes.map(({ id }) => id)}) ORDER BY inbox.inbox_id`),
  work: ({ id }, limit) => expire(id, limit),
});
