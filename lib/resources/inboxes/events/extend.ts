import { assertAccess, mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { OrNull } from "@/lib/platform/db/columns";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { announce } from "@/lib/platform/wakeups/pubsub";
import type { Extend } from "./consumer-contract";
import type { InboxEvent } from "./contract";
import { notHeld } from "./not-held";
import { readyTopic } from "./ready-topic";
import { serializeEvent } from "./serialize";
import { ALIVE, EVENT_COLUMNS, type EventRow, PENDING } from "./state";

/**
 * Extends a lease to `lease_seconds` from now. An expired lease is accepted until the event is
 * delivered again or dead. Throws 404, 403, and 409 `lease_lost`.
 */
export async function extend(
  caller: Caller,
  inboxId: string,
  eventId: string,
  input: Extend,
  db?: Transaction,
): Promise<InboxEvent> {
  const row = await queryOne<OrNull<EventRow> & Found>(
    sql`
    WITH inbox AS (
      -- Locked, because the new lease may end before the old one, but not before ready_from.
      SELECT organization_id, ${mayReach(caller)} AS reachable, ready_from,
             awaited_until > now() AS is_awaited,
             now() + ${input.lease_seconds} * interval '1 second' AS leased_until
      FROM inbox_state WHERE inbox_id = ${inboxId} FOR SHARE
    ), extended AS (
      UPDATE inbox_events AS event SET
        visible_at = greatest(inbox.leased_until, inbox.ready_from),
        lapses_at = CASE
          WHEN delivery_count < ${config().inboxMaxDeliveries} THEN to_timestamp(expires_at)
          ELSE least(to_timestamp(expires_at), inbox.leased_until) END
      FROM inbox
      WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId} AND inbox.reachable
        AND event.lease_id = ${input.lease_id} AND ${PENDING}
      RETURNING event.*
    )
    SELECT inbox.organization_id AS owner, ${EVENT_COLUMNS}, EXISTS (
             SELECT FROM inbox_events AS event
             WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId} AND ${ALIVE}
           ) AS exists,
           -- The statement sees the event as it was before. Receivers wait for the end of that lease.
           inbox.is_awaited AND event.visible_at < (
             SELECT visible_at FROM inbox_events WHERE inbox_id = ${inboxId} AND id = ${eventId}
           ) AS is_sooner
    FROM inbox LEFT JOIN extended AS event ON true`,
    db,
  );
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.owner);
  if (row.id === null) throw notHeld(eventId, row.exists);
  if (row.is_sooner) announce(readyTopic(inboxId), db);
  return serializeEvent(row);
}

interface Found {
  owner: string | null;
  exists: boolean;
  /** Whether receivers wait, and the lease ends earlier than before. */
  is_sooner: boolean | null;
}
