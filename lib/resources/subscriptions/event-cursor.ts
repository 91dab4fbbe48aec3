import { IS_LIVE } from "@/lib/identity/keys/live-key";
import type { Caller, Scope } from "@/lib/platform/caller";
import { columns, columnsOf, type Row, type RowOf } from "@/lib/platform/db/columns";
import { query, queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/resources/messages/enqueue";
import {
  isRefusal,
  PUSH_ATTEMPTS_MAX,
  SUBSCRIPTION_HEADER,
  secretsOfPush,
} from "@/lib/resources/messages/pushed-event";
import { type Envelope, notify } from "./callback";
import { type Occurrence, occurrenceOf } from "./events/source";
import { eventSources } from "./events/sources";

/** The events that are read for the next one: some may not match. */
const READ_MAX = 20;
/** How old the stored position may become while nothing happens. */
const STALE_SECONDS = 60;

const COLUMNS = columnsOf(
  "subscription",
  "Subscription",
  "id, organization_id, url, public_only, event, arguments, key_id, cursor, message_id, message_cursor",
);

type Needed = "url" | "event" | "arguments" | "key_id" | "cursor";

/** A subscription to events, and how its last message ended. */
export type EventSubscription = Omit<RowOf<typeof COLUMNS>, Needed> &
  Record<Needed, string> & {
    scopes: Scope[] | null;
    is_live: boolean;
    is_over: boolean;
    is_stale: boolean;
    is_suspended: boolean;
    /** Whether attempts of its message follow. */
    is_sending: boolean;
    /** Null without a message. */
    status: Row<"ScheduledMessage">["status"] | null;
    response_status: number | null;
  };

/** All subscriptions to events. */
export function eventSubscriptions(): Promise<EventSubscription[]> {
  return query<EventSubscription>(sql`
    SELECT ${COLUMNS}, api_keys.scopes, coalesce(${IS_LIVE} AND api_keys.id IS NOT NULL, false) AS is_live,
      subscription.expires_at <= unix_now() AS is_over,
      subscription.updated_at < unix_now() - ${STALE_SECONDS}::bigint AS is_stale,
      subscription.suspended_at IS NOT NULL AS is_suspended,
      message.due_at IS NOT NULL AS is_sending, message.status, message.response_status
    FROM subscriptions AS subscription
    LEFT JOIN api_keys ON api_keys.id = subscription.key_id
    LEFT JOIN scheduled_messages AS message ON message.id = subscription.message_id
    WHERE subscription.event IS NOT NULL
    ORDER BY subscription.id`);
}

/**
 * Sends the next event of a subscription, once the client has accepted the last, and stores the
 * position with it. Ends the subscription if its client may not read on. Returns whether to go on
 * at once.
 */
export async function advance(one: EventSubscription, caller: Caller): Promise<boolean> {
  if (one.is_over) return end(one.id);
  if (!one.is_live) return end(one.id, new ApiError("forbidden", "The key has ended."));
  if (one.is_suspended || one.is_sending) return false;
  if (one.status === "failed" && !isRefusal(one.response_status)) return suspend(one);
  // A message that somebody deleted was not accepted: its event is sent again.
  const position = one.status === null ? one.cursor : (one.message_cursor ?? one.cursor);
  try {
    return await sendNext(one, position, caller);
  } catch (error) {
    const isGone = error instanceof ApiError && [401, 403, 404].includes(error.status);
    if (isGone) return end(one.id, error);
    throw error;
  }
}

async function sendNext(one: EventSubscription, position: string, caller: Caller) {
  const source = eventSources.find(({ name }) => name === one.event);
  if (!source) throw new ApiError("resource_not_found", "There is no such event any more.");
  const args = source.input.parse(JSON.parse(one.arguments));
  const resumed = (await source.resume(caller, args, position)) ?? position;
  const { events, ...page } = await source.read(caller, args, resumed, { limit: READ_MAX });
  const [event] = events;
  const reached = event ? resumed : page.cursor;
  const isMoved = one.message_id !== null || resumed !== position || page.hasMore || one.is_stale;
  if (!event && !(isMoved && reached !== one.cursor) && one.message_id === null) return false;
  const stored = await transaction(async (db) => {
    // (a) Of two servers, the first stores the message; the other finds another position.
    const row = await queryOne<Told>(
      sql`SELECT ${TOLD_COLUMNS} FROM subscriptions
          WHERE id = ${one.id} AND cursor = ${one.cursor} AND suspended_at IS NULL
            AND message_id IS NOT DISTINCT FROM ${one.message_id} FOR NO KEY UPDATE SKIP LOCKED`,
      db,
    );
    if (!row) return undefined;
    const [messageId = null] = event ? await enqueue([messageOf(one, event)], db) : [];
    await query(
      sql`UPDATE subscriptions SET cursor = ${reached}, message_id = ${messageId},
            message_cursor = ${event?.cursor ?? null}, updated_at = unix_now()
          WHERE id = ${one.id}`,
      db,
    );
    return row;
  });
  if (stored && resumed !== position) void tell(stored, { type: "gap", cursor: resumed });
  return stored !== undefined && !event && page.hasMore;
}

function messageOf(
  { id, organization_id, url, public_only, event: name }: EventSubscription,
  event: Occurrence,
) {
  const body = { ...occurrenceOf(name, event), cursor: event.cursor };
  return {
    subscription_id: id,
    organization_id,
    url,
    method: "POST" as const,
    public_only,
    attempts_max: PUSH_ATTEMPTS_MAX,
    headers: {
      "Content-Type": "application/json",
      [SUBSCRIPTION_HEADER]: id,
      // What the clients compare with the body's `eventId`.
      "webhook-id": event.eventId,
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Until the client subscribes again. */
async function suspend({ id, message_id }: EventSubscription): Promise<false> {
  await query(sql`
    UPDATE subscriptions SET suspended_at = unix_now(), updated_at = unix_now()
    WHERE id = ${id} AND message_id = ${message_id} AND suspended_at IS NULL`);
  return false;
}

/** Deletes a subscription and, if it ends because of an error, tells the client. */
async function end(id: string, error?: ApiError): Promise<false> {
  const gone = await queryOne<Told>(sql`
    DELETE FROM subscriptions WHERE id = ${id} AND event IS NOT NULL
    RETURNING ${TOLD_COLUMNS}`);
  const code = error?.status === 404 ? -32_023 : -32_024;
  if (gone && error)
    void tell(gone, { type: "terminated", error: { code, message: error.message } });
  return false;
}

const TOLD_COLUMNS = columns("Subscription", "id, url, secret, public_only");

type Told = RowOf<typeof TOLD_COLUMNS>;

async function tell({ id, url, secret, public_only }: Told, envelope: Envelope) {
  if (url === null) return;
  const secrets = secretsOfPush(id, { push_secret: secret, push_previous_secret: null });
  await notify({ subscriptionId: id, url, secrets, publicOnly: public_only }, envelope);
}
