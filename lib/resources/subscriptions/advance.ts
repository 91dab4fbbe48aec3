import { waitUntil } from "@vercel/functions";
import { IS_LIVE } from "@/lib/identity/keys/live-key";
import type { Caller, Scope } from "@/lib/platform/caller";
import { columnsOf, type Row, type RowOf } from "@/lib/platform/db/columns";
import {
  afterCommit,
  query,
  queryOne,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { positionOf, textOf } from "@/lib/resources/changes/position";
import { type Enqueued, enqueue, freeSlots } from "@/lib/resources/messages/enqueue";
import { isRefusal } from "@/lib/resources/messages/pushed-event";
import { countStored, isStorageFull } from "@/lib/resources/storage/stored-bytes";
import { RESOURCE_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import { callbackMessage } from "./callback-message";
import { end, endExpired, NOTIFIED_COLUMNS, type Notified, notifyClient, suspend } from "./ending";
import { change } from "./events/changed";
import type { Occurrence } from "./events/source";
import { type Asked, eventSources } from "./events/sources";
import { intoInbox, requestOf } from "./pushed-change";

/** How many changes are pushed at once. */
const CHANGES_MAX = 100;
/** The events that are read if the next one does not match. */
const EVENTS_MAX = 20;

const COLUMNS = columnsOf(
  "subscription",
  "Subscription",
  `id, organization_id, url, inbox_id, text_field, public_only, kinds, actions, after_xid, after_id, obstacle,
   event, arguments, key_id, cursor, message_id, message_cursor`,
);

/** A subscription, and how its last message ended. Changes have no `event`, and need no key. */
export type Subscribed = RowOf<typeof COLUMNS> & {
  scopes: Scope[] | null;
  is_live: boolean;
  is_over: boolean;
  is_suspended: boolean;
  /** Whether the message with its next event is still to be sent or retried. */
  is_sending: boolean;
  /** Null without a message. */
  status: Row<"ScheduledMessage">["status"] | null;
  response_status: number | null;
  /** A hash of the sealed secret, which a subscription to changes lacks: its ID does not come back. */
  sealed: number | null;
};

/** Reads the next subscriptions after an ID, or those with the given IDs. */
export function readSubscriptions(which: { after: string; limit: number } | { ids: string[] }) {
  const condition =
    "ids" in which
      ? sql`subscription.id = ANY (${which.ids}::text[])`
      : sql`subscription.id > ${which.after} ORDER BY subscription.id LIMIT ${which.limit}`;
  // (b) For all organizations.
  return query<Subscribed>(sql`
    SELECT ${COLUMNS}, api_keys.scopes,
      subscription.event IS NULL OR coalesce(${IS_LIVE} AND api_keys.id IS NOT NULL, false) AS is_live,
      coalesce(subscription.expires_at <= unix_now(), false) AS is_over,
      subscription.suspended_at IS NOT NULL AS is_suspended,
      message.due_at IS NOT NULL AS is_sending, message.status, message.response_status,
      hashtext(encode(subscription.secret, 'hex')) AS sealed
    FROM subscriptions AS subscription
    LEFT JOIN api_keys ON api_keys.id = subscription.key_id
    LEFT JOIN scheduled_messages AS message ON message.id = subscription.message_id
    WHERE ${condition}`);
}

/** Whether this version of the service has its event and takes its arguments. */
export function isKnownEvent({ event, arguments: args }: Subscribed): boolean {
  if (event === null) return true;
  const source = eventSources.find(({ name }) => name === event);
  return source?.input.safeParse(JSON.parse(args ?? "{}")).success ?? false;
}

/** What a subscription reads. */
export function askedBy({ event, arguments: args, kinds, actions }: Subscribed): Asked {
  if (event === null) {
    const filter = {
      kinds: kinds.length ? kinds : undefined,
      actions: actions.length ? actions : undefined,
    };
    return { source: change, args: filter };
  }
  const source = eventSources.find(({ name }) => name === event);
  if (!source) throw new Error(`The event ${event} no longer exists.`);
  return { source, args: source.input.parse(JSON.parse(args ?? "{}")) };
}

const HELD_MS = 1000;

/**
 * Pushes what comes next, and stores the position with it. Events go one at a time: the next one
 * once the client has accepted the last. Ends the subscription if its client may not read on.
 * Returns in how many milliseconds to look again even if nothing changes, or null.
 */
export async function advance(one: Subscribed, asked: Asked): Promise<number | null> {
  try {
    if (one.is_over) await endExpired(one.id);
    else if (!one.is_live) await end(one.id, new ApiError("forbidden", "The key has ended."));
    else if (one.is_suspended || one.is_sending) {
      // Throws if the subscriber has lost access to what it watches.
      if (one.event !== null) await asked.source.start(callerOf(one), asked.args);
    } else if (one.status === "failed" && !isRefusal(one.response_status)) await suspend(one);
    // Pushed messages count towards the storage.
    else if (isStorageFull(one.organization_id, null)) return HELD_MS;
    else return await pushNext(one, asked);
  } catch (error) {
    const isGone = error instanceof ApiError && [401, 403, 404].includes(error.status);
    if (!isGone || one.event === null) throw error;
    await end(one.id, error);
  }
  return null;
}

async function pushNext(one: Subscribed, { source, args }: Asked): Promise<number | null> {
  const position = positionAfter(one);
  const caller = callerOf(one);
  const resumed = (await source.resume(caller, args, position)) ?? position;
  const read = (limit: number) => source.read(caller, args, resumed, { limit });
  const first = await read(one.event === null ? CHANGES_MAX : 1);
  const isPassed = one.event !== null && first.events.length === 0 && first.hasMore;
  const { nextInMs = null, ...page } = isPassed ? await read(EVENTS_MAX) : first;
  const isMoved = page.events.length > 0 || page.cursor !== position;
  if (!isMoved && one.message_id === null && one.obstacle === null) return nextInMs;
  const stored = await transaction(async (db) => {
    // (a) If two servers race, the first pushes; the second sees a moved position.
    const row = await queryOne<Notified>(
      sql`SELECT ${NOTIFIED_COLUMNS} FROM subscriptions
          WHERE id = ${one.id} AND cursor IS NOT DISTINCT FROM ${one.cursor}
            AND after_xid = ${one.after_xid} AND after_id = ${one.after_id} AND suspended_at IS NULL
            AND message_id IS NOT DISTINCT FROM ${one.message_id} FOR NO KEY UPDATE SKIP LOCKED`,
      db,
    );
    if (!row) return undefined;
    const isHeld = await push(one, { ...page, from: resumed }, db);
    return { row, isHeld };
  });
  if (!stored) return HELD_MS;
  const isGap = one.event !== null && resumed !== position;
  if (isGap) waitUntil(notifyClient(stored.row, { type: "gap", cursor: resumed }));
  // An event is tried again once its message has ended, and changes with the scheduler's next round
  // (`pushRound`) or the next change.
  if (stored.isHeld) return null;
  return page.hasMore ? 0 : nextInMs;
}

/** The position up to which everything was pushed and, of events, accepted. */
function positionAfter(one: Subscribed): string {
  if (one.event === null) return textOf({ xid: one.after_xid, id: one.after_id });
  // A message that somebody deleted was not accepted: its event is sent again.
  const accepted = one.status === null ? null : one.message_cursor;
  return accepted ?? one.cursor ?? "";
}

interface Page {
  events: Occurrence[];
  cursor: string;
  /** The position that it continues from. */
  from: string;
}

/** Pushes a page, as far as the target takes it, and stores the position. Returns whether the rest is held. */
async function push(one: Subscribed, page: Page, db: Transaction): Promise<boolean> {
  if (one.event !== null) {
    const [event] = page.events;
    const [messageId = null] = event ? await send([callbackMessage(one, event)], one, db) : [];
    await query(
      sql`UPDATE subscriptions SET cursor = ${event ? page.from : page.cursor}, message_id = ${messageId},
            message_cursor = ${event?.cursor ?? null}, updated_at = unix_now()
          WHERE id = ${one.id}`,
      db,
    );
    return event !== undefined;
  }
  const count = await pushChanges(one, page.events, db);
  const isHeld = count < page.events.length;
  const reached = isHeld ? (page.events[count - 1]?.cursor ?? page.from) : page.cursor;
  const { xid, id } = positionOf(reached) ?? { xid: one.after_xid, id: one.after_id };
  const obstacle = one.url === null ? "inbox_full" : "too_many_pending";
  const found = isHeld ? obstacle : null;
  await query(
    sql`UPDATE subscriptions SET obstacle = ${found}, after_xid = ${xid}, after_id = ${id}
        WHERE id = ${one.id}
          AND (obstacle, after_xid, after_id) IS DISTINCT FROM (${found}, ${xid}, ${id})`,
    db,
  );
  return isHeld;
}

/** Makes messages or inbox events of the first changes, as many as the limit allows. Returns how many. */
async function pushChanges(one: Subscribed, events: Occurrence[], db: Transaction) {
  const { id, url, inbox_id, organization_id, public_only } = one;
  if (events.length === 0) return 0;
  if (inbox_id !== null) return intoInbox(id, inbox_id, events, db);
  if (url === null) throw new Error("A subscription has a target.");
  const slots = await freeSlots("subscription_id", { id, owner: organization_id }, db);
  const fitting = events.slice(0, slots);
  if (fitting.length === 0) return 0;
  const message = { subscription_id: id, organization_id, url, public_only, takes_headers: true };
  const messages = fitting.map((event) => ({ ...message, ...requestOf(one, event) }));
  await send(messages, one, db);
  return fitting.length;
}

/** Stores messages, which count as stored by the organization. Returns their IDs. */
function send(messages: Enqueued[], { organization_id }: Subscribed, db: Transaction) {
  const bytes = messages.reduce((sum, { body }) => sum + body.length + RESOURCE_BYTES, 0);
  afterCommit(db, () => countStored(organization_id, null, bytes));
  return enqueue(messages, db);
}

/** Events are read with the rights of the key, changes with those of the organization. */
function callerOf({ id, key_id, organization_id, scopes }: Subscribed): Caller {
  return {
    kind: "key",
    keyId: key_id ?? id,
    organizationId: organization_id,
    scopes: scopes ?? [],
  };
}
