import { columnsOf, type Row, type RowOf } from "@/lib/platform/db/columns";
import { join, type Sql, sql } from "@/lib/platform/db/sql";
import type { EventState } from "./contract";

/*
 * An event's state follows from its row and the clock, so it changes without a write. `visible_at`
 * is the end of its delay or lease, and infinity once it is dead. `lapses_at` is when it stops
 * being pending without a write: when it expires or its last lease ends.
 */

/** Not expired. Expired events are invisible even while their rows exist. */
export const ALIVE = sql`event.expires_at > unix_now()`;

/** Ready, delayed or leased. */
export const PENDING = sql`(event.visible_at < 'infinity' AND event.lapses_at > now())`;

const DEAD = sql`(event.visible_at = 'infinity' OR event.lapses_at <= now())`;

/**
 * Expired, or out of deliveries, and not yet removed or marked dead. The first condition always
 * holds: it lets the planner use the index of lapsed events.
 */
export const LAPSED = sql`(event.lapses_at > '-infinity' AND event.lapses_at <= now())`;

/** The state of an unexpired event. */
export const STATE = sql`CASE
  WHEN ${DEAD} THEN 'dead'
  WHEN event.visible_at <= now() THEN 'ready'
  WHEN event.lease_id IS NULL THEN 'delayed'
  ELSE 'leased' END`;

/** A further condition for the events in one state, or in any. */
export function inState(state: EventState | undefined): Sql {
  return state === undefined ? sql`` : sql`AND ${STATE} = ${state}`;
}

/** With 10 copies, the planner still reads a small table by its primary key; with 100, an empty one. */
const COPIES = 30;

/**
 * The events of an inbox, found by the index for receiving: `queue_id` leads to it, and `inbox_id`
 * names the partition. The rest keeps the planner from using the primary key, with which it would
 * read the whole inbox: a long array of the same ID makes every inbox look large, and the planner
 * does not combine two indexes that both serve a condition, here `id > ''`, which is always true.
 */
export function queueOf(inboxId: string | Sql): Sql {
  const ids = join(Array<Sql>(COPIES).fill(sql`${inboxId}`), ", ");
  return sql`event.queue_id = ${inboxId} AND event.inbox_id = ANY (ARRAY[${ids}]) AND event.id > ''`;
}

/**
 * The events of the row `inbox` of `inbox_state`. The second condition lets a distributed database
 * join the tables on each node. But it makes every inbox look small, so that the planner sorts all
 * events of one instead of reading the first. A lookup with a limit therefore uses `queueOf` alone,
 * and joins its result on the inbox's ID.
 */
export const OF_INBOX = sql`${queueOf(sql`inbox.inbox_id`)} AND event.inbox_id = inbox.inbox_id`;

/** The columns that an event keeps in all of its states. */
const CONTENT_COLUMNS = columnsOf(
  "event",
  "InboxEvent",
  `id, content_type, headers, body, query_string, source_ip, size_bytes, dedup_id,
   delivery_count, lease_id, last_error, received_at, expires_at`,
);

/** The columns of an `EventRow` but its owner. `event` is the row of inbox_events. */
export const OWN_COLUMNS = sql`${CONTENT_COLUMNS}, event.inbox_id, event.consumer, ${STATE} AS state,
  CASE WHEN ${STATE} = 'leased' THEN floor(extract(epoch FROM event.visible_at))::bigint END
    AS leased_until,
  CASE WHEN ${STATE} <> 'dead' THEN floor(extract(epoch FROM event.visible_at))::bigint END
    AS visible_at`;

/** The columns of an `EventRow`. `inbox` is its inbox's state. */
export const EVENT_COLUMNS = sql`${OWN_COLUMNS}, inbox.organization_id`;

/** A row of `inbox_events` with its inbox's owner. */
export type EventRow = RowOf<typeof CONTENT_COLUMNS> &
  Row<"InboxEvent", "inbox_id" | "consumer"> &
  Row<"Inbox", "organization_id"> & {
    state: EventState;
    leased_until: number | null;
    visible_at: number | null;
  };
