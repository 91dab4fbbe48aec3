import { assertAccess, mayReach } from "@/lib/accounts/access";
import { invalidKey } from "@/lib/accounts/authenticate";
import { credentialOf, isLive } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { retryOnAnnouncement } from "@/lib/db/announcements";
import { newId } from "@/lib/db/ids";
import { query, sql } from "@/lib/db/sql";
import { notFound } from "@/lib/errors";
import { acknowledge } from "./acknowledge";
import type { Receive, Received } from "./consumer-contract";
import { expireSoon } from "./expire";
import { type EventRow, serializeLeased } from "./serialize";
import { EVENT_COLUMNS, PENDING } from "./state";
import { requestAnnouncements, topicOf } from "./waiting";

export const LEASE_SECONDS_DEFAULT = 60;
/** Total size of bodies in a response, unless it is a single event. */
const BODY_BYTES_MAX = 4_000_000;

/**
 * Acknowledges earlier deliveries, then leases the events that have been ready longest, waiting up
 * to `wait_seconds` for the first. Throws 404 and 403.
 */
export async function receive(
  caller: Caller,
  inboxId: string,
  input: Receive,
  signal: AbortSignal,
): Promise<Received> {
  const acks = input.ack && (await acknowledge(caller, inboxId, input.ack));
  const milliseconds = (input.wait_seconds ?? 0) * 1000;
  const rows =
    milliseconds === 0
      ? await lease(caller, inboxId, input)
      : await leaseWithin(milliseconds, caller, inboxId, input, signal);
  return {
    object: "list",
    data: rows.map(serializeLeased),
    has_more: false,
    next_cursor: null,
    ...(acks && { acks }),
  };
}

async function leaseWithin(
  milliseconds: number,
  caller: Caller,
  inboxId: string,
  input: Receive,
  signal: AbortSignal,
): Promise<EventRow[]> {
  const credential = credentialOf(caller);
  const atOnce = await lease(caller, inboxId, input);
  if (atOnce.length > 0) return atOnce;
  const deadline = performance.now() + milliseconds;
  const topics = [topicOf(inboxId), ...credential.topics];
  const found = await retryOnAnnouncement(topics, { milliseconds, signal }, async (lookAgainIn) => {
    const left = Math.max(Math.ceil(deadline - performance.now()), 0);
    const next = await requestAnnouncements(inboxId, left);
    if (next !== null) lookAgainIn(next);
    const endsIn = await credential.assertLive();
    if (endsIn !== undefined) lookAgainIn(endsIn);
    if (signal.aborted) return undefined; // the caller would never learn of the lease
    const rows = await lease(caller, inboxId, input, isLive(caller));
    return rows.length > 0 ? rows : undefined;
  });
  return found ?? [];
}

/** `live`: whether the credential is still valid, for callers that have been waiting. */
async function lease(
  caller: Caller,
  inboxId: string,
  input: Receive,
  live = sql`true`,
): Promise<EventRow[]> {
  const limit = input.limit ?? 1;
  const leaseIds = Array.from({ length: limit }, () => newId("lse"));
  // Two receivers never lease the same event: the second skips locked rows, and a row changed
  // before it was locked no longer matches. The join on ctid is fast under any plan; a row that
  // changed at this moment is left for the next call.
  const rows = await query<
    EventRow & { owner: string | null; live: boolean; has_lapsed: boolean }
  >(sql`
    WITH inbox AS (
      SELECT organization_id, ${mayReach(caller)} AS reachable, ${live} AS live FROM inboxes WHERE id = ${inboxId}
    ), next AS (
      SELECT event.ctid, event.id, event.visible_at, event.size_bytes
      FROM inbox_events AS event
      WHERE event.queue_id = ${inboxId} AND event.visible_at <= now() AND ${PENDING}
        AND (SELECT reachable AND live FROM inbox)
      ORDER BY event.visible_at, event.id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    ), chosen AS (
      SELECT ctid, row_number() OVER first_in_first_out AS place,
             sum(size_bytes) OVER first_in_first_out AS total
      FROM next WINDOW first_in_first_out AS (ORDER BY visible_at, id ROWS UNBOUNDED PRECEDING)
    ), leased AS (
      UPDATE inbox_events AS event SET
        lease_id = (${leaseIds}::text[])[chosen.place],
        visible_at = now() + ${input.lease_seconds ?? LEASE_SECONDS_DEFAULT} * interval '1 second',
        lapses_at = CASE
          WHEN delivery_count + 1 < ${config().inboxMaxDeliveries} THEN to_timestamp(expires_at)
          ELSE least(to_timestamp(expires_at), now() + ${
            input.lease_seconds ?? LEASE_SECONDS_DEFAULT
          } * interval '1 second') END,
        delivery_count = delivery_count + 1,
        consumer = ${input.consumer ?? null}
      FROM chosen CROSS JOIN inbox
      WHERE event.ctid = chosen.ctid AND (chosen.place = 1 OR chosen.total <= ${BODY_BYTES_MAX})
      RETURNING chosen.place, ${EVENT_COLUMNS}
    )
    SELECT inbox.organization_id AS owner, inbox.live, leased.*, EXISTS (
             SELECT FROM inbox_events AS event
             WHERE event.inbox_id = ${inboxId} AND event.lapses_at <= now()
           ) AS has_lapsed
    FROM inbox LEFT JOIN leased ON true ORDER BY leased.place`);
  const first = rows[0];
  if (!first) throw notFound("inbox", inboxId);
  if (!first.live) throw invalidKey();
  assertAccess(caller, first.owner);
  if (first.has_lapsed) expireSoon(inboxId);
  return rows.filter(({ id }) => id !== null);
}
