import { assertAccess, mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { columns, type OrNull, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED, unrecorded } from "@/lib/platform/db/commit";
import { looksLikeId } from "@/lib/platform/db/ids";
import {
  afterCommit,
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
} from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { type List, page, rowsToRead, wantsTotal } from "@/lib/platform/lists/list";
import { publish } from "@/lib/platform/wakeups/pubsub";
import { recordedEnd } from "@/lib/resources/inboxes/events/inbox-end";
import { inboxFull } from "@/lib/resources/inboxes/events/ingest";
import { notHeld } from "@/lib/resources/inboxes/events/lease";
import { moveHeldEventsSoon } from "@/lib/resources/inboxes/events/move-held-events";
import { ALIVE } from "@/lib/resources/inboxes/events/state";
import { measure } from "@/lib/resources/inboxes/events/storage";
import { findInbox, IS_CLAIMED } from "@/lib/resources/inboxes/service";
import { countStored } from "@/lib/resources/storage/stored-bytes";
import { type InboxReply, REPLY_SECONDS, type ReplyListQuery } from "./contract";
import { replyTopic } from "./read";
import { replyUrl } from "./reply-url";

/** A worker's reply to the sender of an event. */
export interface ReplyContent {
  contentType: string | null;
  body: Uint8Array;
}

/**
 * Stores the reply to a delivered event and acknowledges the event. A reply may be repeated under
 * its lease. Throws 404, 403, 409 `lease_lost`, and 429 `inbox_full` if it does not fit into a
 * public inbox.
 */
export async function reply(
  caller: Caller,
  inboxId: string,
  eventId: string,
  leaseId: string,
  content: ReplyContent,
  commit: Commit = unrecorded,
): Promise<InboxReply> {
  const attempt = () =>
    commit(async (db) => {
      const row = await replyOnce(caller, inboxId, eventId, leaseId, content, db);
      if (!row) throw notFound("inbox", inboxId);
      assertAccess(caller, row.owner);
      if (row.created_at === null) {
        if (!row.held) throw notHeld(eventId, row.exists);
        return UNRECORDED;
      }
      afterCommit(db, () => countStored(row.owner, null, content.body.length));
      if (row.held && row.is_awaited) afterCommit(db, () => moveHeldEventsSoon(inboxId));
      return serialize(row);
    });
  let stored = await attempt();
  if (stored === UNRECORDED && (await measure(inboxId, content.body.length))) {
    stored = await attempt();
  }
  if (stored === UNRECORDED) throw inboxFull();
  return stored;
}

const COLUMNS = columns(
  "InboxReply",
  "inbox_id, event_id, content_type, size_bytes, created_at, expires_at",
);

type ReplyRow = RowOf<typeof COLUMNS> & { is_claimed: boolean };

/** Includes the reply, if it was stored now. */
type Attempt = OrNull<RowOf<typeof COLUMNS>> & {
  is_claimed: boolean;
  owner: string | null;
  is_awaited: boolean;
  exists: boolean;
  held: boolean;
};

const OF_CLAIMED = sql`(
  SELECT ${IS_CLAIMED} FROM inbox_state
  WHERE inbox_id = inbox_replies.inbox_id) AS is_claimed`;

function replyOnce(
  caller: Caller,
  inboxId: string,
  eventId: string,
  leaseId: string,
  { contentType, body }: ReplyContent,
  db: Transaction | undefined,
) {
  // (a) An acknowledgement, a redelivery and a reply of the same event wait for each other's lock
  // on the inbox. The later ones see that the lease or the event is gone.
  return queryOne<Attempt>(
    sql`
    WITH inbox AS (
      -- Always lock the inbox before its events, to avoid deadlocks.
      SELECT organization_id, ${IS_CLAIMED} AS is_claimed, is_awaited_by_forwards, ${mayReach(caller)} AS reachable,
             organization_id IS NOT NULL OR bytes_used <= ${config().publicEventsMaxBytes - body.length}::bigint AS fits
      FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE
    ), given AS (
      SELECT ${Buffer.from(body)}::bytea AS body
    ), found AS (
      SELECT event.id, event.lease_id = ${leaseId} AS held FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId}
        AND (SELECT reachable FROM inbox) AND ${ALIVE}
      FOR UPDATE
    ), gone AS (
      DELETE FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId}
        AND (SELECT fits FROM inbox) AND EXISTS (SELECT FROM found WHERE held)
      RETURNING event.visible_at < 'infinity' AS counted, ${recordedEnd("replied")}
    ), stored AS (
      INSERT INTO inbox_replies (inbox_id, event_id, lease_id, content_type, body, size_bytes, expires_at)
      SELECT ${inboxId}, ${eventId}, ${leaseId}, ${contentType}, given.body, ${body.length}::int,
             unix_now() + ${REPLY_SECONDS}
      FROM gone CROSS JOIN given
      RETURNING ${COLUMNS}, ${publish(replyTopic(eventId))}::text
    ), counted AS (
      UPDATE inbox_state SET
        occupied = occupied - CASE WHEN gone.counted THEN 1 ELSE 0 END,
        acknowledged = acknowledged + 1,
        bytes_used = bytes_used + ${body.length}::int,
        active_at = unix_now()
      FROM gone WHERE inbox_id = ${inboxId}
    ), earlier AS (
      SELECT ${COLUMNS} FROM inbox_replies AS reply CROSS JOIN given
      WHERE inbox_id = ${inboxId} AND event_id = ${eventId} AND (SELECT reachable FROM inbox)
        AND lease_id = ${leaseId} AND content_type IS NOT DISTINCT FROM ${contentType}
        AND reply.body = given.body AND expires_at > unix_now()
    ), kept AS (
      SELECT ${COLUMNS} FROM stored UNION ALL SELECT ${COLUMNS} FROM earlier
    )
    SELECT inbox.organization_id AS owner, inbox.is_claimed, inbox.is_awaited_by_forwards AS is_awaited,
           found.id IS NOT NULL AS exists, coalesce(found.held, false) AS held, kept.*
    FROM inbox LEFT JOIN found ON true LEFT JOIN kept ON true`,
    db,
  );
}

/** The replies of an inbox, ordered by event, the newest first. Throws 404 and 403. */
export async function list(
  caller: Caller,
  inboxId: string,
  listQuery: ReplyListQuery,
): Promise<List<InboxReply>> {
  await findInbox(caller, inboxId);
  const matching = sql`${isReachable(caller, inboxId)} AND expires_at > unix_now()`;
  const position = listQuery.after === undefined ? sql`` : sql`AND event_id < ${listQuery.after}`;
  const rows = await query<ReplyRow>(sql`
    SELECT ${COLUMNS}, ${OF_CLAIMED} FROM inbox_replies WHERE ${matching} ${position}
    ORDER BY event_id DESC LIMIT ${rowsToRead(listQuery)}`);
  const total = wantsTotal(listQuery)
    ? await queryOne<{ count: number }>(sql`SELECT count(*) FROM inbox_replies WHERE ${matching}`)
    : undefined;
  return page(rows.map(serialize), listQuery, total?.count);
}

/** The reply to an event with its bytes, or null. Throws 404 and 403 for the inbox. */
export async function find(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<(InboxReply & { bytes: Buffer }) | null> {
  await findInbox(caller, inboxId);
  if (!looksLikeId("iev", eventId)) return null;
  const row = await queryOne<ReplyRow & Row<"InboxReply", "body">>(sql`
    SELECT ${COLUMNS}, ${OF_CLAIMED}, body FROM inbox_replies
    WHERE ${isReachable(caller, inboxId)} AND event_id = ${eventId} AND expires_at > unix_now()`);
  return row ? { ...serialize(row), bytes: row.body } : null;
}

/**
 * (a) The SQL condition for the replies of this inbox. It matches none if the inbox was claimed
 * after `findInbox` read it.
 */
function isReachable(caller: Caller, inboxId: string): Sql {
  return sql`inbox_id = (
    SELECT inbox_id FROM inbox_state WHERE inbox_id = ${inboxId} AND ${mayReach(caller)})`;
}

/** Deletes up to `limit` expired replies and returns their number. */
export async function removeOldReplies(limit: number): Promise<number> {
  // (a) Concurrent sweeps skip each other's rows.
  const removed = await query(sql`
    DELETE FROM inbox_replies WHERE (inbox_id, event_id) IN (
      SELECT inbox_id, event_id FROM inbox_replies WHERE expires_at <= unix_now()
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING event_id`);
  return removed.length;
}

function serialize(row: ReplyRow): InboxReply {
  return {
    id: row.event_id,
    object: "inbox_reply",
    inbox_id: row.inbox_id,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    reply_url: replyUrl(row.inbox_id, row.event_id, row.is_claimed),
    created_at: row.created_at,
    expires_at: row.expires_at,
  };
}
