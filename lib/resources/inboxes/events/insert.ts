import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { publish } from "@/lib/platform/wakeups/pubsub";
import { IS_CLAIMED } from "@/lib/resources/inboxes/service";
import { countStored } from "@/lib/resources/storage/stored-bytes";
import type { Arrival } from "./arrival";
import type { EventState } from "./contract";
import { readyTopic } from "./ready-topic";
import { STATE } from "./state";

/** How many of the new events fit: by number and, in a public inbox, by bytes. */
const freeQuota = (maxBytes: number) => sql`least(
  greatest(max_events - occupied, 0),
  CASE WHEN organization_id IS NULL
       THEN (SELECT count(*)::int FROM unnest(wanted.bytes) AS upto
             WHERE bytes_used + upto <= ${maxBytes}::bigint)
       ELSE wanted.count END)`;

/** An event that was stored now or, under the same `dedup_id`, earlier. */
export type Stored = Row<"InboxEvent", "id" | "received_at" | "expires_at"> & {
  state: EventState;
  is_claimed: boolean;
};

/** No event if there is no inbox or its quota is used up. */
type Finding = { owner: string | null } & (
  | ({ inbox_exists: true } & Stored)
  | { inbox_exists: boolean; id: null }
);

export type Outcome = Stored | "full" | "unknown";

/** The bytes an event uses in a public inbox. */
export function weightOf({ body, headers, queryString }: Arrival): number {
  return body.length + Buffer.byteLength(headers.whole) + Buffer.byteLength(queryString);
}

/** Stores the first events, as many as fit, in a transaction. They have no `dedupId`. */
export function storeWithin(
  db: Transaction,
  inboxId: string,
  arrivals: Arrival[],
): Promise<Outcome[]> {
  return insert(inboxId, arrivals, db);
}

/** Stores the arrivals that fit, in one statement, and returns the outcome for each. */
export async function insert(
  inboxId: string,
  arrivals: Arrival[],
  db?: Transaction,
): Promise<Outcome[]> {
  const sizes = arrivals.map(({ body }) => body.length);
  let end = 1;
  const starts = sizes.map((size) => {
    end += size;
    return end - size;
  });
  // Without a dedup_id nothing is looked up, and the plan for those with one never scans an inbox.
  const dedupIds = arrivals.flatMap(({ dedupId }) => (dedupId === null ? [] : [dedupId]));
  const mayRepeat =
    dedupIds.length === 0 ? sql`false` : sql`event.dedup_key = ANY (${dedupIds}::text[])`;
  const quota = freeQuota(config().publicEventsMaxBytes);
  const rows = await query<Finding>(
    sql`
    WITH arrival AS (
      SELECT * FROM unnest(
        ${arrivals.map(({ id }) => id)}::text[],
        ${arrivals.map(({ contentType }) => contentType)}::text[],
        ${arrivals.map(({ headers }) => headers.whole)}::text[],
        ${arrivals.map(({ headers }) => headers.redacted)}::text[],
        ${starts}::int[],
        ${sizes}::int[],
        ${arrivals.map(weightOf)}::int[],
        ${arrivals.map(({ queryString }) => queryString)}::text[],
        ${arrivals.map(({ sourceIp }) => sourceIp)}::text[],
        ${arrivals.map(({ dedupId }) => dedupId)}::text[],
        ${arrivals.map(({ ttlSeconds }) => ttlSeconds)}::int[],
        ${arrivals.map(({ delaySeconds }) => delaySeconds)}::int[]
      ) WITH ORDINALITY AS a (id, content_type, headers, redacted, start, size_bytes, weight, query_string, source_ip,
                              dedup_id, ttl_seconds, delay_seconds, position)
    ), earlier AS (
      SELECT arrival.position, event.id, ${STATE} AS state, event.received_at, event.expires_at
      FROM arrival JOIN inbox_events AS event
        ON event.inbox_id = ${inboxId} AND event.dedup_key = arrival.dedup_id
      WHERE event.lapses_at > now() AND ${mayRepeat}
    ), fresh AS (
      SELECT arrival.*, row_number() OVER upto AS place, sum(weight) OVER upto AS bytes FROM arrival
      WHERE position NOT IN (SELECT position FROM earlier)
      WINDOW upto AS (ORDER BY position)
    ), inbox AS (
      -- One UPDATE both reserves and checks the quota, so bursts cannot exceed it.
      UPDATE inbox_state SET
        admitted = ${quota},
        occupied = occupied + ${quota},
        ingested = ingested + ${quota},
        hourly[slot_of_hour()] = add_in_hour(hourly[slot_of_hour()], ${quota}),
        bytes_used = bytes_used + coalesce(wanted.bytes[${quota}], 0),
        active_at = unix_now(),
        -- Waiting consumers are notified once; one that keeps waiting subscribes again.
        awaited_until = CASE WHEN awaited_until > now() THEN '-infinity'::timestamptz END
      FROM (SELECT count(*)::int AS count, array_agg(bytes::bigint ORDER BY place) AS bytes
            FROM fresh) AS wanted
      WHERE inbox_id = ${inboxId}
      RETURNING inbox_id AS id, organization_id, ${IS_CLAIMED} AS is_claimed, admitted, default_ttl_seconds, ready_from, awaited_until = '-infinity' AS is_awaited
    ), event AS (
      INSERT INTO inbox_events (inbox_id, id, content_type, headers, body, size_bytes, query_string,
                                source_ip, dedup_id, dedup_key, queue_id, visible_at, lapses_at, expires_at)
      -- Under the lock of the inbox's row, so that a claim comes before or after.
      SELECT inbox.id, fresh.id, content_type,
             CASE WHEN organization_id IS NULL THEN coalesce(redacted, headers) ELSE headers END,
             substring(${Buffer.concat(arrivals.map(({ body }) => body))}::bytea
                       FROM start FOR size_bytes),
             size_bytes, query_string, source_ip, dedup_id, dedup_id, inbox.id,
             greatest(now() + delay_seconds * interval '1 second', inbox.ready_from), to_timestamp(expiry.at), expiry.at
      FROM fresh CROSS JOIN inbox
      CROSS JOIN LATERAL (
        SELECT unix_now() + coalesce(ttl_seconds, default_ttl_seconds) AS at
      ) AS expiry
      WHERE fresh.place <= inbox.admitted
      RETURNING *
    ), stored AS (
      SELECT event.id, ${STATE} AS state, event.received_at, event.expires_at FROM event
      UNION ALL SELECT id, state, received_at, expires_at FROM earlier
    )
    SELECT inbox.id IS NOT NULL AS inbox_exists, inbox.organization_id AS owner, inbox.is_claimed,
           stored.*,
           CASE WHEN inbox.is_awaited AND arrival.position = 1
                THEN ${publish(readyTopic(inboxId))}::text END
    FROM arrival
    LEFT JOIN inbox ON true
    LEFT JOIN earlier USING (position)
    LEFT JOIN stored ON stored.id = coalesce(earlier.id, arrival.id)
    ORDER BY arrival.position`,
    db,
  );
  return rows.map(({ owner, ...stored }, index) => {
    if (!stored.inbox_exists) return "unknown";
    if (stored.id === null) return "full";
    const arrival = arrivals[index];
    if (arrival?.id === stored.id) countStored(owner, arrival.sourceIp, weightOf(arrival));
    return stored;
  });
}

/** Whether the error is a violation of the unique `dedup_key`. */
export function isDuplicate(error: unknown): boolean {
  const UNIQUE_VIOLATION = "23505";
  return error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
}
