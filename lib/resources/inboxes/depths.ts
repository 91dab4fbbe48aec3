import { mayReach, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { join, sql } from "@/lib/platform/db/sql";
import { entityTag } from "@/lib/platform/http/conditional";
import { ALIVE, LAPSED, OF_INBOX, PENDING } from "@/lib/resources/inboxes/events/state";

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
    SELECT inbox.inbox_id AS id, depth.*
    FROM (SELECT * FROM inbox_state
          WHERE inbox_id = ANY(${inboxIds}::text[]) AND ${mayReach(caller)}) AS inbox
    CROSS JOIN LATERAL (${DEPTH}) AS depth`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A tag that changes whenever the list or the depth of one of its inboxes does. */
export async function inboxListVersion(
  caller: Caller,
  { after, shown }: { after: string | undefined; shown: number },
): Promise<string> {
  const conditions = [ownedBy(organizationOf(caller))];
  if (after !== undefined) conditions.push(sql`id < ${after}`);
  const rows = await queryShown(sql`
    SELECT listed.id, listed.revision, depth.*
    FROM (SELECT id, revision FROM inboxes
          WHERE ${join(conditions, " AND ")} ORDER BY ${NEWEST_OWNED} LIMIT ${shown}) AS listed
    JOIN inbox_state AS inbox ON inbox.inbox_id = listed.id
    CROSS JOIN LATERAL (${DEPTH}) AS depth
    ORDER BY listed.id`);
  return entityTag(JSON.stringify(rows));
}

/**
 * The depth of the row `inbox` of `inbox_state`. Reads index entries of dead or lapsed events and of
 * the first ready one, but never all pending ones: the planner takes a comparison of rows to be true more often than a
 * range of times, and so reads the index in its order instead of sorting what it finds. `id > ''` keeps it from
 * combining two indexes.
 */
export const DEPTH = sql`
  SELECT inbox.occupied - lapsed.pending AS pending, lapsed.dead + dead.count AS dead,
         floor(extract(epoch FROM ready.at))::bigint AS ready_since
  FROM (SELECT count(*) FILTER (WHERE event.visible_at < 'infinity') AS pending,
               count(*) FILTER (WHERE event.visible_at < 'infinity' AND ${ALIVE}) AS dead
        FROM inbox_events AS event WHERE event.inbox_id = inbox.inbox_id AND ${LAPSED}) AS lapsed,
       (SELECT count(*) FROM inbox_events AS event
        WHERE ${OF_INBOX} AND event.visible_at = 'infinity' AND ${ALIVE}) AS dead
  LEFT JOIN LATERAL (
    SELECT event.visible_at AS at FROM inbox_events AS event
    WHERE event.queue_id = inbox.inbox_id AND event.inbox_id = inbox.inbox_id AND event.id > ''
      AND (event.visible_at, event.id) >= (inbox.ready_from, '')
      AND event.visible_at <= now() AND ${PENDING}
    ORDER BY event.visible_at, event.id LIMIT 1
  ) AS ready ON true`;
