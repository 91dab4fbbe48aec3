import { queryOne, sql } from "@/lib/platform/db/sql";
import type { Subscription } from "@/lib/resources/wait-for-lease";
import { queueOf } from "./state";

export function readyTopic(inboxId: string): string {
  return `inbox:${inboxId}`;
}

/**
 * Subscribes to an inbox for the next `milliseconds`, during which its writers publish. Returns the
 * milliseconds until the next event becomes visible without a write, or null, and whether nobody
 * had subscribed.
 */
export async function subscribe(inboxId: string, milliseconds: number): Promise<Subscription> {
  const row = await queryOne<{ next: number | null; is_first: boolean }>(sql`
    WITH awaited AS (
      -- A little longer than needed, so that many subscribers share one write.
      UPDATE inbox_state SET awaited_until = now() + ${milliseconds + 10_000} * interval '1 millisecond'
      WHERE inbox_id = ${inboxId} AND (
        awaited_until IS NULL OR awaited_until < now() + ${milliseconds} * interval '1 millisecond')
    )
    SELECT (
      SELECT ceil(extract(epoch FROM event.visible_at - now()) * 1000)::int8
      FROM inbox_events AS event
      WHERE ${queueOf(inboxId)} AND event.visible_at > now()
        AND event.visible_at < 'infinity'
      ORDER BY event.visible_at LIMIT 1
    ) AS next, (
      SELECT coalesce(awaited_until < now(), true) FROM inbox_state WHERE inbox_id = ${inboxId}
    ) AS is_first`);
  return { next: row?.next ?? null, isFirst: row?.is_first ?? true };
}
