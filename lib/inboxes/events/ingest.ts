import { announcement } from "@/lib/db/announcements";
import { inBatches } from "@/lib/db/batches";
import { type Db, query, queryOne, sql } from "@/lib/db/sql";
import { ApiError, notFound } from "@/lib/errors";
import { keyReused } from "@/lib/http/response-records";
import { countStored } from "@/lib/http/stored-bytes";
import { IS_CLAIMED } from "@/lib/inboxes/service";
import type { Arrival } from "./arrival";
import type { EventState, Receipt } from "./contract";
import { expire } from "./expire";
import { STATE } from "./state";
import { hasPlace, measure } from "./storage";
import { topicOf } from "./waiting";

const RETRY_SECONDS = 5;
const BATCH_BYTES_MAX = 1_000_000;
/** Payloads queued in memory; beyond it senders get 503. */
const QUEUED_BYTES_MAX = 200_000_000;
const ATTEMPTS_MAX = 20;

/**
 * Stores an event durably; a stored event is never dropped to make room. Throws 404, and 429
 * `inbox_full` when `max_events` are pending. The limit is exact under concurrent ingests.
 */
export async function ingest(
  inboxId: string,
  arrival: Arrival,
): Promise<{ receipt: Receipt; isClaimed: boolean }> {
  const outcome = await storeTogether(inboxId, arrival);
  if (outcome === "unknown") throw notFound("inbox", inboxId);
  if (outcome === "full") throw inboxFull();
  // Unrelated senders may pick the same Idempotency-Key; an event must not be lost because of it.
  if (outcome.id !== arrival.id && arrival.isKeyed) {
    if ((await hasBody(inboxId, outcome.id, arrival.body)) === false) throw keyReused();
  }
  const receipt: Receipt = {
    object: "inbox_event",
    id: outcome.id,
    inbox_id: inboxId,
    state: outcome.state,
    received_at: outcome.received_at,
    expires_at: outcome.expires_at,
    deduplicated: outcome.id !== arrival.id,
    received: true,
    event_id: outcome.id,
  };
  return { receipt, isClaimed: outcome.is_claimed };
}

/** The receipt for a repeated event, with its current or last known state. */
export async function duplicateOf(first: Receipt): Promise<Receipt> {
  const event = await queryOne<{ state: EventState }>(sql`
    SELECT ${STATE} AS state FROM inbox_events AS event
    WHERE inbox_id = ${first.inbox_id} AND id = ${first.id} AND lapses_at > now()`);
  return { ...first, state: event?.state ?? first.state, deduplicated: true };
}

export function inboxFull(): ApiError {
  return new ApiError(
    "inbox_full",
    "This inbox is full: it has reached its limit of pending events or bytes. Try again after some are acknowledged.",
    { headers: { "Retry-After": String(RETRY_SECONDS) } },
  );
}

/** Whether an event has this body; undefined when the event is gone. */
export async function hasBody(
  inboxId: string,
  id: string,
  body: Uint8Array,
): Promise<boolean | undefined> {
  const event = await queryOne<{ is_same: boolean }>(sql`
    SELECT body = ${Buffer.from(body)} AS is_same FROM inbox_events
    WHERE inbox_id = ${inboxId} AND id = ${id}`);
  return event?.is_same;
}

/** How many of the new events fit: by number and, in a public inbox, by bytes. */
const ROOM = sql`least(
  greatest(max_events - occupied, 0),
  CASE WHEN organization_id IS NULL
       THEN (SELECT count(*)::int FROM unnest(wanted.bytes) AS upto WHERE upto <= bytes_left)
       ELSE wanted.count END)`;

interface Stored {
  id: string;
  state: EventState;
  received_at: number;
  expires_at: number;
  is_claimed: boolean;
}

interface Finding {
  inbox_exists: boolean;
  owner: string | null;
  was_stored: boolean;
}

type Outcome = Stored | "full" | "unknown";

// Each ingest locks the inbox's row, so waiting ones share a statement.
const storeTogether = inBatches<Arrival, Outcome>(store, {
  weightOf: ({ body }) => body.length,
  batchWeightMax: BATCH_BYTES_MAX,
  queuedWeightMax: QUEUED_BYTES_MAX,
  concurrencyMax: 1,
});

async function store(inboxId: string, arrivals: Arrival[]): Promise<Outcome[]> {
  const outcomes = new Map<Arrival, Outcome>();
  let left = arrivals;
  for (let tries = 1; left.length > 0; tries += 1) {
    const batch = firstPerDedupId(left);
    const results = await insert(inboxId, batch).catch((error: unknown) => {
      // Another process was faster, or the event holding the key has expired: retry.
      if (isDuplicate(error) && tries < ATTEMPTS_MAX) return undefined;
      throw error;
    });
    const refused = results ? batch[results.indexOf("full")] : batch[0];
    const mayHelp =
      refused !== undefined && tries < ATTEMPTS_MAX && (await makeRoom(inboxId, weightOf(refused)));
    for (const [index, outcome] of results?.entries() ?? []) {
      const arrival = batch[index];
      if (arrival && !(outcome === "full" && mayHelp)) outcomes.set(arrival, outcome);
    }
    left = left.filter((arrival) => !outcomes.has(arrival));
  }
  return arrivals.map((arrival) => outcomes.get(arrival) ?? "unknown");
}

/**
 * Removes lapsed events and recounts bytes. Returns whether there may be room for an event of this many
 * bytes now: another process may have made it, too.
 */
export async function makeRoom(inboxId: string, bytes: number): Promise<boolean> {
  const lapsed = (await expire(inboxId)) > 0;
  if (!lapsed && !(await hasPlace(inboxId))) return false;
  return (await measure(inboxId, bytes)) || lapsed;
}

/** The bytes an event uses in a public inbox. */
export function weightOf({ body, headers, queryString }: Arrival): number {
  return body.length + Buffer.byteLength(headers.whole) + Buffer.byteLength(queryString);
}

/** The first arrival per `dedup_id`; the others follow in a later statement and find it. */
function firstPerDedupId(arrivals: Arrival[]): Arrival[] {
  const seen = new Set<string>();
  return arrivals.filter(({ dedupId }) => {
    if (dedupId === null) return true;
    const isFirst = !seen.has(dedupId);
    seen.add(dedupId);
    return isFirst;
  });
}

/** Stores those events that fit, the first ones, in a transaction. They have no `dedupId`. */
export function storeWithin(db: Db, inboxId: string, arrivals: Arrival[]): Promise<Outcome[]> {
  return insert(inboxId, arrivals, db);
}

async function insert(inboxId: string, arrivals: Arrival[], db?: Db): Promise<Outcome[]> {
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
  const rows = await query<Stored & Finding>(
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
      -- The room is taken and looked at in one write of one row: no burst gets past it.
      UPDATE inboxes SET
        admitted = ${ROOM},
        occupied = occupied + ${ROOM},
        ingested = ingested + ${ROOM},
        hourly[slot_of_hour()] = add_in_hour(hourly[slot_of_hour()], ${ROOM}),
        bytes_left = bytes_left - coalesce(wanted.bytes[${ROOM}], 0),
        active_at = unix_now(),
        -- Waiting consumers are notified once; one that keeps waiting registers again.
        awaited_until = CASE WHEN awaited_until > now() THEN '-infinity'::timestamptz END
      FROM (SELECT count(*)::int AS count, array_agg(bytes::bigint ORDER BY place) AS bytes
            FROM fresh) AS wanted
      WHERE id = ${inboxId}
      RETURNING id, organization_id, ${IS_CLAIMED} AS is_claimed, admitted, default_ttl_seconds, ready_from, awaited_until = '-infinity' AS is_awaited
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
           stored.id IS NOT NULL AS was_stored, stored.*,
           CASE WHEN inbox.is_awaited AND arrival.position = 1
                THEN ${announcement(topicOf(inboxId))}::text END
    FROM arrival
    LEFT JOIN inbox ON true
    LEFT JOIN earlier USING (position)
    LEFT JOIN stored ON stored.id = coalesce(earlier.id, arrival.id)
    ORDER BY arrival.position`,
    db,
  );
  return rows.map(({ inbox_exists, owner, was_stored, ...stored }, index) => {
    if (!inbox_exists) return "unknown";
    const arrival = arrivals[index];
    if (arrival?.id === stored.id) countStored(owner, arrival.sourceIp, weightOf(arrival));
    return was_stored ? stored : "full";
  });
}

/** Whether the error is a violation of the unique `dedup_key`. */
export function isDuplicate(error: unknown): boolean {
  const UNIQUE_VIOLATION = "23505";
  return error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
}
