import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { ALIVE, LAPSED, OF_INBOX, PENDING, queueOf } from "@/lib/resources/inboxes/events/state";
import { type Range, shownRows, versionOf } from "@/lib/resources/list-version";

/** The fraction of `max_events` at which to warn. */
export const NEARLY_FULL = 0.9;

/** How full an inbox is. */
export type Depth = Row<"Inbox", "id"> & {
  pending: number;
  dead: number;
  /** When the oldest ready event became ready, in Unix seconds; null if there is none. */
  ready_since: number | null;
};

/** The depths of the inboxes that the caller may reach, in one query. */
export async function depths(caller: Caller, inboxIds: string[]): Promise<Map<string, Depth>> {
  const rows = await queryShown<Depth>(sql`
    SELECT inbox.inbox_id AS id, ${DEPTH_COLUMNS}
    FROM (SELECT * FROM inbox_state
          WHERE inbox_id = ANY(${inboxIds}::text[]) AND ${mayReach(caller)}) AS inbox
    ${DEPTH_JOINS}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A tag that changes whenever the list or the depth of one of its inboxes does. */
export function inboxListVersion(caller: Caller, range: Range): Promise<string> {
  return versionOf(sql`
    SELECT listed.id, listed.revision, ${DEPTH_COLUMNS}
    FROM (${shownRows(caller, range, sql`id, revision FROM inboxes`)}) AS listed
    JOIN inbox_state AS inbox ON inbox.inbox_id = listed.id
    ${DEPTH_JOINS}
    ORDER BY listed.id`);
}

/**
 * The depth of the rows `inbox` of `inbox_state`, as columns of `DEPTH_JOINS`. Reads index entries of dead or lapsed
 * events and of the first ready one, but never all pending ones.
 */
export const DEPTH_COLUMNS = sql`
  inbox.occupied - lapsed.pending AS pending, lapsed.dead + dead.count AS dead,
  floor(extract(epoch FROM ready.at))::bigint AS ready_since`;

/**
 * Three joins of the row `inbox`. The last one has a limit, so its result is joined: see
 * `OF_INBOX`.
 */
export const DEPTH_JOINS = sql`
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE event.visible_at < 'infinity') AS pending,
           count(*) FILTER (WHERE event.visible_at < 'infinity' AND ${ALIVE}) AS dead
    FROM inbox_events AS event WHERE event.inbox_id = inbox.inbox_id AND ${LAPSED}) AS lapsed
  CROSS JOIN LATERAL (
    SELECT count(*) FROM inbox_events AS event
    WHERE ${OF_INBOX} AND event.visible_at = 'infinity' AND ${ALIVE}) AS dead
  LEFT JOIN LATERAL (
    SELECT event.inbox_id, event.visible_at AS at FROM inbox_events AS event
    WHERE ${queueOf(sql`inbox.inbox_id`)} AND event.visible_at >= inbox.ready_from
      AND event.visible_at <= now() AND ${PENDING}
    ORDER BY event.visible_at LIMIT 1) AS ready ON ready.inbox_id = inbox.inbox_id`;
