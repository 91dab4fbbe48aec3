import { assertAccess, mayReach, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { columns, type OrNull, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { looksLikeId } from "@/lib/platform/db/ids";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { afterCommit, query, queryOne, type Sql, sql, transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { type List, type ListQuery, page, rowsToRead, wantsTotal } from "@/lib/platform/lists/list";
import { publish } from "@/lib/platform/wakeups/pubsub";
import { inboxFull } from "@/lib/resources/inboxes/events/ingest";
import { moveHeldEventsSoon } from "@/lib/resources/inboxes/events/move-held-events";
import { notHeld } from "@/lib/resources/inboxes/events/not-held";
import { measure } from "@/lib/resources/inboxes/events/storage";
import { findInbox, IS_CLAIMED } from "@/lib/resources/inboxes/service";
import { isNetworkFull } from "@/lib/resources/storage/network-bytes";
import { isPublic } from "@/lib/resources/storage/public-owners";
import { assertNetworkStorage, countStored } from "@/lib/resources/storage/stored-bytes";
import { PART_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import { toResource } from "@/lib/resources/to-resource";
import { walkRanges } from "@/lib/resources/walk";
import { InboxReply, REPLY_SECONDS } from "./contract";
import { replyTopic } from "./read";
import { replyUrl } from "./reply-url";

/** A worker's reply to the sender of an event. */
interface ReplyContent {
  contentType: string | null;
  body: Uint8Array;
  /** The worker's, if known. */
  address: string | null;
}

/**
 * Stores the reply to a delivered event and acknowledges the event. A reply may be repeated under
 * its lease. Throws 404, 403, 409 `lease_lost`, and 429 `inbox_full` if it does not fit into a
 * public inbox, or `rate_limited` without storage left.
 */
export async function reply(
  caller: Caller,
  inboxId: string,
  eventId: string,
  leaseId: string,
  content: ReplyContent,
  commit: Commit,
): Promise<InboxReply> {
  const owner = organizationOf(caller);
  const isRefused = isNetworkFull(content.address) && (owner === null || (await isPublic(inboxId)));
  if (isRefused) assertNetworkStorage(content.address);
  const bytes = content.body.length + PART_BYTES;
  const attempt = () =>
    commit(async (db) => {
      const row = await queryOne<Attempt>(
        sql`
        SELECT decided.owner, decided.is_claimed, decided.is_awaited_by_forwards, decided.is_held,
               decided.event_exists, ${COLUMNS},
               CASE WHEN decided.is_held AND decided.event_id IS NOT NULL
                    THEN ${publish(replyTopic(eventId))}::text END
        FROM reply_to_event(
          ${inboxId}, ${owner}, ${eventId}, ${leaseId}, ${content.contentType},
          ${Buffer.from(content.body)}, ${REPLY_SECONDS}, ${config().publicEventsMaxBytes}
        ) AS decided`,
        db,
      );
      if (!row) throw notFound("inbox", inboxId);
      assertAccess(caller, row.owner);
      if (row.created_at === null) {
        if (!row.is_held) throw notHeld(eventId, row.event_exists);
        return UNRECORDED;
      }
      if (row.is_held) {
        afterCommit(db, () => countStored(row.owner, content.address, bytes));
        if (row.is_awaited_by_forwards) afterCommit(db, () => moveHeldEventsSoon(inboxId));
      }
      return serialize(row);
    });
  let stored = await attempt();
  if (stored === UNRECORDED && (await measure(inboxId, bytes))) stored = await attempt();
  if (stored === UNRECORDED) throw inboxFull();
  return stored;
}

const COLUMNS = columns(
  "InboxReply",
  "inbox_id, event_id, content_type, size_bytes, created_at, expires_at",
);

type ReplyRow = RowOf<typeof COLUMNS> & { is_claimed: boolean };

/** Without a reply if the lease is not held, or if the reply does not fit. */
type Attempt = OrNull<RowOf<typeof COLUMNS>> & {
  owner: string | null;
  is_claimed: boolean;
  is_awaited_by_forwards: boolean;
  is_held: boolean;
  event_exists: boolean;
};

const OF_CLAIMED = sql`(
  SELECT ${IS_CLAIMED} FROM inbox_state
  WHERE inbox_id = inbox_replies.inbox_id) AS is_claimed`;

/** The replies of an inbox, ordered by event, the newest first. Throws 404 and 403. */
export async function list(
  caller: Caller,
  inboxId: string,
  listQuery: ListQuery,
): Promise<List<InboxReply>> {
  await findInbox(caller, inboxId);
  const matching = sql`${isReachable(caller, inboxId)} AND expires_at > unix_now()`;
  const position = listQuery.after === undefined ? sql`` : sql`AND event_id < ${listQuery.after}`;
  const [rows, total] = await Promise.all([
    queryShown<ReplyRow>(sql`
      SELECT ${COLUMNS}, ${OF_CLAIMED} FROM inbox_replies WHERE ${matching} ${position}
      ORDER BY event_id DESC LIMIT ${rowsToRead(listQuery)}`),
    wantsTotal(listQuery)
      ? queryShownOne<{ count: number }>(sql`SELECT count(*) FROM inbox_replies WHERE ${matching}`)
      : undefined,
  ]);
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

/** Deletes about `limit` expired replies. */
export const removeOldReplies = walkRanges(
  "Expired replies could not be removed",
  (after, limit) =>
    query(sql`
      SELECT /* asks every node */ expires_at::text AS id FROM inbox_replies
      WHERE expires_at <= unix_now() AND expires_at > coalesce(nullif(${after}, '')::bigint, -1)
      ORDER BY expires_at LIMIT ${limit}`),
  removeReplies,
);

/** Deletes up to `limit` replies that expired between these seconds. An inbox in use keeps its own. */
async function removeReplies(first: string, last: string, limit: number): Promise<number> {
  const expired = await query<{ inbox_id: string; event_ids: string[] }>(sql`
    SELECT inbox_id, array_agg(event_id) AS event_ids FROM (
      SELECT /* asks every node */ inbox_id, event_id FROM inbox_replies
      WHERE expires_at BETWEEN ${first}::bigint AND ${last}::bigint LIMIT ${limit}
    ) AS expired GROUP BY inbox_id`);
  let count = 0;
  for (const { inbox_id, event_ids } of expired) {
    count += await transaction(async (db) => {
      // (a) Every writer that deletes several replies of an inbox takes this lock first, so they cannot
      // deadlock. An inbox in use waits for the next sweep, and delays no other.
      const isLocked = await queryOne(
        sql`SELECT FROM inbox_state WHERE inbox_id = ${inbox_id} FOR NO KEY UPDATE SKIP LOCKED`,
        db,
      );
      if (!isLocked) return 0;
      const removed = await query(
        sql`DELETE FROM inbox_replies WHERE inbox_id = ${inbox_id} AND event_id = ANY (${event_ids})
            RETURNING event_id`,
        db,
      );
      return removed.length;
    });
  }
  return count;
}

function serialize(row: ReplyRow): InboxReply {
  return toResource(InboxReply, row, {
    id: row.event_id,
    reply_url: replyUrl(row.inbox_id, row.event_id, row.is_claimed),
  });
}
