import { queryOne, sql } from "@/lib/db/sql";

/** Under this topic it is announced that events of an inbox can be received. */
export function topicOf(inboxId: string): string {
  return `inbox:${inboxId}`;
}

/**
 * Asks those who write to an inbox to announce it, for the next `milliseconds`. Whatever was ready
 * before can be received after it. Gives when the first event becomes visible by itself, in
 * milliseconds from now; null when there is none.
 */
export async function announceTo(inboxId: string, milliseconds: number): Promise<number | null> {
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
