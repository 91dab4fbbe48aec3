import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShownOne } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { DEPTH_COLUMNS, DEPTH_JOINS, NEARLY_FULL } from "@/lib/resources/inboxes/depths";
import { ROWS } from "./troubles";

export interface InboxSummary {
  /** Pending events. */
  waiting: number;
  /** The event that has been ready longest, with `since` in Unix seconds. */
  oldest: { inbox_id: string; name: string; since: number } | null;
  /** Inboxes that have dead events or are nearly full. */
  troubled: { id: string; name: string; dead: number; pending: number; max_events: number }[];
}

export async function summarizeInboxes(organizationId: string): Promise<InboxSummary> {
  const owned = sql`
    SELECT /* asks every node */ state.*, inboxes.name FROM inboxes
    JOIN inbox_state AS state ON state.inbox_id = inboxes.id
    WHERE inboxes.organization_id = ${hiddenFromPlanner(organizationId)}`;
  const row = await queryShownOne<InboxSummary>(sql`
    WITH depth AS MATERIALIZED (
      SELECT inbox.inbox_id AS id, inbox.name, inbox.max_events, ${DEPTH_COLUMNS}
      FROM (${owned}) AS inbox ${DEPTH_JOINS}
      WHERE inbox.ingested > inbox.acknowledged + inbox.expired + inbox.purged
    )
    SELECT
      (SELECT coalesce(sum(pending), 0)::bigint FROM depth) AS waiting,
      (SELECT to_json(one) FROM (
         SELECT id AS inbox_id, name, ready_since AS since
         FROM depth WHERE ready_since IS NOT NULL ORDER BY ready_since LIMIT 1) AS one) AS oldest,
      (SELECT coalesce(json_agg(one), '[]') FROM (
         SELECT id, name, max_events, dead, pending FROM depth
         WHERE dead > 0 OR pending >= max_events * ${NEARLY_FULL}::float
         ORDER BY dead DESC, id LIMIT ${ROWS}) AS one) AS troubled`);
  if (!row) throw new Error("A select without a table returned no row.");
  return row;
}
