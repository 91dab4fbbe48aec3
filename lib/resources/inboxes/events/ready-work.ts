import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { PENDING, queueOf } from "./state";

/**
 * How many events of an inbox can be received now, up to `max`, and when the newest became ready, in
 * microseconds.
 */
export async function readyInInbox(inboxId: string, max: number) {
  const row = await queryOne<{ count: number; newest: number | null }>(sql`
    SELECT count(*), floor(extract(epoch FROM max(visible_at)) * 1000000)::bigint AS newest
    FROM (SELECT visible_at FROM inbox_events AS event
          WHERE ${queueOf(inboxId)} AND event.visible_at <= now() AND ${PENDING}
          ORDER BY event.visible_at DESC LIMIT ${max}) AS ready`);
  return { count: row?.count ?? 0, newest: row?.newest ?? 0 };
}

/**
 * The owner of each inbox that exists, and when its newest waiting event became ready, as a text;
 * one index lookup each.
 */
export async function newestReady(inboxIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ inbox_id: string; newest: string }>(sql`
    SELECT inbox.inbox_id, concat_ws('/', inbox.organization_id, last.visible_at) AS newest
    FROM inbox_state AS inbox
    -- Joined again by its result, for a distributed database. With this condition beside the
    -- LIMIT, the planner would read all events of an inbox.
    LEFT JOIN LATERAL (
      SELECT event.inbox_id, event.visible_at FROM inbox_events AS event
      WHERE ${queueOf(sql`inbox.inbox_id`)} AND event.visible_at <= now()
      ORDER BY event.visible_at DESC LIMIT 1
    ) AS last ON last.inbox_id = inbox.inbox_id
    WHERE inbox.inbox_id = ANY (${[...new Set(inboxIds)]})`);
  return new Map(rows.map(({ inbox_id, newest }) => [inbox_id, newest]));
}
