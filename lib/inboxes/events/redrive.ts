import { assertAccess, mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { announcement } from "@/lib/db/announcements";
import { queryOne, sql } from "@/lib/db/sql";
import { invalidParam, notFound } from "@/lib/errors";
import { findInbox } from "@/lib/inboxes/service";
import type { EventState, InboxEvent } from "./contract";
import { lapse } from "./expire";
import { inboxFull, isDuplicate } from "./ingest";
import { type EventRow, serializeEvent } from "./serialize";
import { ALIVE, DEAD, EVENT_COLUMNS, STATE } from "./state";
import { topicOf } from "./waiting";

/**
 * Makes a dead event ready again, with all its deliveries before it. Throws 404, 403, 400 when it is
 * not dead, and 429 `inbox_full` when there is no room for one more pending event.
 */
export async function redrive(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<InboxEvent> {
  await findInbox(caller, inboxId);
  // What has lapsed holds neither room nor a `dedup_id` any longer.
  await lapse(inboxId);
  const row = await reviveOnce(caller, inboxId, eventId).catch(async (error: unknown) => {
    // An event with the same `dedup_id` arrived meanwhile: the second look sees it.
    if (!isDuplicate(error)) throw error;
    return reviveOnce(caller, inboxId, eventId);
  });
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.owner);
  if (row.id !== null) return serializeEvent(row);
  if (row.state_before === null) throw notFound("event of this inbox", eventId);
  if (row.state_before !== "dead") {
    throw invalidParam(
      "state",
      `Only a dead event can be redriven; this one is ${row.state_before}.`,
    );
  }
  throw inboxFull();
}

function reviveOnce(caller: Caller, inboxId: string, eventId: string) {
  return queryOne<EventRow & { owner: string | null; state_before: EventState | null }>(sql`
    WITH inbox AS (
      -- Whoever locks both locks the inbox first: no deadlock.
      SELECT organization_id, ${mayReach(caller)} AS reachable, occupied < max_events AS has_room,
             awaited_until > now() AS is_awaited
      FROM inboxes WHERE id = ${inboxId} FOR NO KEY UPDATE
    ), found AS (
      SELECT event.id, event.visible_at < 'infinity' AS counted, ${STATE} AS state
      FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId} AND ${ALIVE}
        AND (SELECT reachable FROM inbox)
      FOR UPDATE
    ), revived AS (
      UPDATE inbox_events AS event SET
        visible_at = now(), lapses_at = to_timestamp(expires_at), delivery_count = 0,
        lease_id = NULL, dedup_key = CASE WHEN EXISTS (
          SELECT FROM inbox_events AS other
          WHERE other.inbox_id = ${inboxId} AND other.dedup_key = event.dedup_id
        ) THEN NULL ELSE event.dedup_id END
      FROM found CROSS JOIN inbox
      WHERE event.inbox_id = ${inboxId} AND event.id = found.id AND ${DEAD}
        AND (found.counted OR inbox.has_room)
      RETURNING found.counted, ${EVENT_COLUMNS}
    ), counted AS (
      UPDATE inboxes SET occupied = occupied + 1, active_at = unix_now()
      FROM revived WHERE inboxes.id = ${inboxId} AND NOT revived.counted
    )
    SELECT inbox.organization_id AS owner, found.state AS state_before, revived.*,
           CASE WHEN inbox.is_awaited AND revived.id IS NOT NULL
                THEN ${announcement(topicOf(inboxId))}::text END
    FROM inbox LEFT JOIN found ON true LEFT JOIN revived ON true`);
}
