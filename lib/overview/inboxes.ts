import { queryOne, sql } from "@/lib/db/sql";
import { ALIVE, DEAD, PENDING } from "@/lib/inboxes/events/state";
import { FIRST_HOUR, type Figure, toFigure } from "./figures";

/** The share of `max_events` at which to warn. */
const NEARLY_FULL = 0.9;
const ROWS_MAX = 10;

export interface InboxSummary {
  /** Pending events by the hour they arrived; older ones are in the total only. */
  waiting: Figure;
  /** The event that has been ready longest; `since` in Unix seconds. */
  oldest: { inbox_id: string; name: string; since: number } | null;
  /** Inboxes with dead events or nearly full. */
  troubled: { id: string; name: string; dead: number; pending: number; max_events: number }[];
}

/** Summarizes an organization's inboxes in one pass over their events. */
export async function summarizeInboxes(organizationId: string): Promise<InboxSummary> {
  const row = await queryOne<{
    waiting: { hour: number | null; count: number }[];
    oldest: InboxSummary["oldest"];
    troubled: InboxSummary["troubled"];
  }>(sql`
    WITH depth AS MATERIALIZED (
      SELECT inbox.id, inbox.name, inbox.max_events, event.hour, event.pending, event.dead, event.ready_at
      FROM inboxes AS inbox CROSS JOIN LATERAL (
        SELECT CASE WHEN received_at >= ${FIRST_HOUR} THEN (received_at - ${FIRST_HOUR}) / 3600 END AS hour,
               count(*) FILTER (WHERE ${PENDING}) AS pending,
               count(*) FILTER (WHERE ${DEAD} AND ${ALIVE}) AS dead,
               min(event.visible_at) FILTER (WHERE ${PENDING} AND event.visible_at <= now()) AS ready_at
        FROM inbox_events AS event WHERE event.inbox_id = inbox.id GROUP BY 1
      ) AS event
      WHERE inbox.organization_id = ${organizationId}
        AND inbox.ingested > inbox.acknowledged + inbox.expired + inbox.purged
    )
    SELECT
      (SELECT coalesce(json_agg(one), '[]') FROM (
         SELECT hour, sum(pending)::bigint AS count FROM depth GROUP BY hour) AS one) AS waiting,
      (SELECT to_json(one) FROM (
         SELECT id AS inbox_id, name, floor(extract(epoch FROM ready_at))::bigint AS since
         FROM depth WHERE ready_at IS NOT NULL ORDER BY ready_at LIMIT 1) AS one) AS oldest,
      (SELECT coalesce(json_agg(one), '[]') FROM (
         SELECT id, name, max_events, sum(dead)::bigint AS dead, sum(pending)::bigint AS pending
         FROM depth GROUP BY id, name, max_events
         HAVING sum(dead) > 0 OR sum(pending) >= max_events * ${NEARLY_FULL}::float
         ORDER BY dead DESC, id LIMIT ${ROWS_MAX}) AS one) AS troubled`);
  if (!row) throw new Error("A select without a table returned no row.");
  return { waiting: toFigure(row.waiting), oldest: row.oldest, troubled: row.troubled };
}
