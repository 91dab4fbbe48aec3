import { mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/accounts/caller";
import { query, sql } from "@/lib/db/sql";
import { ALIVE, DEAD, PENDING } from "./state";

/** How full an inbox is. */
export interface Depth {
  id: string;
  pending: number;
  dead: number;
  /** Since when the oldest event that is ready waits, Unix seconds; null: none is. */
  ready_since: number | null;
}

/** The depths of those of these inboxes that the caller may reach, in one look. */
export async function depths(caller: Caller, inboxIds: string[]): Promise<Map<string, Depth>> {
  const rows = await query<Depth>(sql`
    SELECT inbox.id, event.pending, event.dead, event.ready_since
    FROM (SELECT id FROM inboxes WHERE id = ANY(${inboxIds}::text[]) AND ${mayReach(caller)}) AS inbox
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE ${PENDING}) AS pending,
             count(*) FILTER (WHERE ${DEAD} AND ${ALIVE}) AS dead,
             floor(extract(epoch FROM min(event.visible_at)
               FILTER (WHERE ${PENDING} AND event.visible_at <= now())))::bigint AS ready_since
      FROM inbox_events AS event WHERE event.inbox_id = inbox.id
    ) AS event`);
  return new Map(rows.map((row) => [row.id, row]));
}
