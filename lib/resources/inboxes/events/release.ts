import { assertAccess, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { OrNull } from "@/lib/platform/db/columns";
import { afterCommit, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { actorOf } from "@/lib/resources/change";
import type { Nack, NackOne, NackOutcome } from "./consumer-contract";
import type { InboxEvent } from "./contract";
import { moveHeldEventsSoon } from "./move-held-events";
import { notHeld } from "./not-held";
import { readyTopic } from "./ready-topic";
import { serializeEvent } from "./serialize";
import { type EventRow, OWN_COLUMNS } from "./state";

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
  const rows = await releaseAll(caller, inboxId, nacks, db);
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
  const rows = await releaseAll(caller, inboxId, [{ event_id: eventId, ...nack }], db);
  const released = rows.find(isReleased);
  if (!released) throw notHeld(eventId, rows.length > 0);
  return serializeEvent(released);
}

type Row = {
  is_awaited: boolean;
  /** Null for an event that is delivered under another lease. */
  released_lease: string | null;
} & OrNull<EventRow>;

function isReleased(row: Row): row is Row & EventRow {
  return row.released_lease !== null;
}

/** The rows of the events that exist. */
async function releaseAll(
  caller: Caller,
  inboxId: string,
  nacks: Nack[],
  db?: Transaction,
): Promise<Row[]> {
  const rows = await query<Row>(
    sql`
    SELECT event.owner AS organization_id, event.is_awaited, event.released_lease, ${OWN_COLUMNS}
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
  if (first.is_awaited && found.some(isReleased)) announce(readyTopic(inboxId), db);
  // A dead event takes no room.
  if (found.some((row) => isReleased(row) && row.state === "dead")) {
    afterCommit(db, () => moveHeldEventsSoon(inboxId));
  }
  return found;
}
