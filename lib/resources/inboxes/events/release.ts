import { assertAccess, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { OrNull } from "@/lib/platform/db/columns";
import { afterCommit, query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { actorOf } from "@/lib/resources/change";
import type { Nack, NackOne, NackOutcome } from "./consumer-contract";
import type { InboxEvent } from "./contract";
import { moveHeldEventsSoon } from "./move-held-events";
import { notHeld } from "./not-held";
import { readyTopic } from "./ready-topic";
import { serializeEvent } from "./serialize";
import { type EventRow, OWN_COLUMNS, STATE } from "./state";
import { countErrorsSoon } from "./storage";

/**
 * Returns delivered events for redelivery after their delay, or marks them dead after the last
 * delivery or on request. Returns an outcome for each. Throws 404 and 403 for the inbox, which an
 * empty list does not look at.
 */
export async function release(
  caller: Caller,
  inboxId: string,
  nacks: Nack[],
  db?: Transaction,
): Promise<NackOutcome[]> {
  if (nacks.length === 0) return [];
  // Without bodies: those of a hundred events may have a hundred megabytes.
  const columns = sql`event.id, ${STATE} AS state`;
  const rows = await releaseAll<Outcome>(caller, inboxId, nacks, columns, db);
  return nacks.map(({ event_id, lease_id }) => {
    const found = rows.filter((row) => row.id === event_id);
    const released = found.find((row) => row.released_lease === lease_id);
    const outcome = released?.state === "dead" ? "dead" : "released";
    return { event_id, outcome: released ? outcome : found[0] ? "lease_lost" : "not_found" };
  });
}

/** Releases and returns one event. Throws 404, and 409 `lease_lost`. */
export async function releaseOne(
  caller: Caller,
  inboxId: string,
  eventId: string,
  nack: NackOne,
  db?: Transaction,
): Promise<InboxEvent> {
  const nacks = [{ event_id: eventId, ...nack }];
  const rows = await releaseAll<EventRow>(caller, inboxId, nacks, OWN_COLUMNS, db);
  const released = rows.find(isReleased);
  if (!released) throw notHeld(eventId, rows.length > 0);
  return serializeEvent(released);
}

type Outcome = Pick<EventRow, "id" | "state" | "organization_id">;

type Row<Event extends Outcome> = {
  is_awaited: boolean;
  /** Null for an event that is delivered under another lease. */
  released_lease: string | null;
  error_bytes: number;
} & OrNull<Event>;

function isReleased<Event extends Outcome>(row: Row<Event>): row is Row<Event> & Event {
  return row.released_lease !== null;
}

/** The rows of the events that exist, with these columns. */
async function releaseAll<Event extends Outcome>(
  caller: Caller,
  inboxId: string,
  nacks: Nack[],
  columns: Sql,
  db?: Transaction,
): Promise<Row<Event>[]> {
  const rows = await query<Row<Event>>(
    sql`
    SELECT event.owner AS organization_id, event.is_awaited, event.released_lease,
           coalesce(octet_length(event.last_error), 0) AS error_bytes, ${columns}
    FROM release_events(
      ${inboxId}, ${organizationOf(caller)}, ${nacks.map((nack) => nack.event_id)},
      ${nacks.map((nack) => nack.lease_id)}, ${nacks.map((nack) => nack.delay_seconds ?? 0)},
      ${nacks.map((nack) => nack.error ?? null)}, ${nacks.map((nack) => nack.dead ?? false)},
      ${config().inboxMaxDeliveries}, ${actorOf(caller)}
    ) AS event`,
    db,
  );
  const first = rows[0];
  if (!first) throw notFound("inbox", inboxId);
  assertAccess(caller, first.organization_id);
  const found = rows.filter((row) => row.id !== null);
  const released = found.filter(isReleased);
  if (first.is_awaited && released.length > 0) announce(readyTopic(inboxId), db);
  // A dead event takes no place, but keeps its bytes.
  if (released.some(({ state }) => state === "dead")) {
    afterCommit(db, () => moveHeldEventsSoon(inboxId, { isFreed: false }));
  }
  const bytes = released.reduce((sum, { error_bytes }) => sum + error_bytes, 0);
  if (first.organization_id === null && bytes > 0) {
    afterCommit(db, () => countErrorsSoon(inboxId, bytes));
  }
  return found;
}
