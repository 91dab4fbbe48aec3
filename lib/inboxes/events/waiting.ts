import { queryOne, sql } from "@/lib/db/sql";

/** The announcement topic for events that become ready. */
export function topicOf(inboxId: string): string {
  return `inbox:${inboxId}`;
}

/**
 * Requests announcements from writers to an inbox for the next `milliseconds`. Returns the
 * milliseconds until the next event becomes visible without a write, or null.
 */
export async function requestAnnouncements(
  inboxId: string,
  milliseconds: number,
): Promise<number | null> {
  const next = await queryOne<{ ms: number | null }>(sql`
    WITH awaited AS (
      -- A little more than needed, so that many who wait write it once.
      UPDATE inboxes SET awaited_until = now() + ${milliseconds + 10_000} * interval '1 millisecond'
      WHERE id = ${inboxId} AND (
        awaited_until IS NULL OR awaited_until < now() + ${milliseconds} * interval '1 millisecond')
    )
    SELECT ceil(extract(epoch FROM event.visible_at - now()) * 1000)::int8 AS ms
    FROM inbox_events AS event
    WHERE event.queue_id = ${inboxId} AND event.visible_at > now() AND event.visible_at < 'infinity'
    ORDER BY event.visible_at LIMIT 1`);
  return next?.ms ?? null;
}
