import type { OrNull, Row } from "@/lib/platform/db/columns";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { waitFor } from "@/lib/platform/wakeups/pubsub";
import { ALIVE } from "@/lib/resources/inboxes/events/state";
import { IS_CLAIMED } from "@/lib/resources/inboxes/service";
import { stateOfSecret } from "./reply-url";

export function replyTopic(eventId: string): string {
  return `reply:${eventId}`;
}

/**
 * The poll interval, since an acknowledgement without a reply, a deletion and an expiry are not
 * published.
 */
const POLL_MS = 2000;

interface Reply {
  contentType: string | null;
  body: Buffer;
}

/**
 * The reply for the sender of an event, waiting up to `seconds` for it; undefined while the event
 * has none. Throws 404 if the secret is wrong or no reply can follow.
 */
export async function readReply(
  { inboxId, eventId, secret }: { inboxId: string; eventId: string; secret: string },
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<Reply | undefined> {
  const state = stateOfSecret(inboxId, eventId, secret);
  if (!state) throw noReply();
  const read = () => findReply(inboxId, eventId, state.isClaimed);
  if (seconds === 0) return read();
  const wait = { milliseconds: seconds * 1000, signal };
  return waitFor([replyTopic(eventId)], wait, (retryIn) => {
    retryIn(POLL_MS);
    return read();
  });
}

async function findReply(
  inboxId: string,
  eventId: string,
  isClaimed: boolean,
): Promise<Reply | undefined> {
  const row = await queryOne<
    { is_pending: boolean } & OrNull<Row<"InboxReply", "content_type" | "body">>
  >(sql`
    SELECT EXISTS (SELECT FROM inbox_events AS event
                   WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId} AND ${ALIVE}) AS is_pending,
           reply.content_type, reply.body
    FROM (SELECT FROM inbox_state WHERE inbox_id = ${inboxId} AND ${IS_CLAIMED} = ${isClaimed}) AS inbox
    LEFT JOIN inbox_replies AS reply
      ON reply.inbox_id = ${inboxId} AND reply.event_id = ${eventId} AND reply.expires_at > unix_now()`);
  if (row?.body) return { contentType: row.content_type, body: row.body };
  if (!row?.is_pending) throw noReply();
  return undefined;
}

function noReply(): ApiError {
  return new ApiError(
    "resource_not_found",
    "There is no reply: the event was acknowledged without one, was deleted or has expired, the reply has expired, the inbox was claimed after the URL was given out, or the URL is wrong.",
  );
}
