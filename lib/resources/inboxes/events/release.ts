import { assertAccess, mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { OrNull } from "@/lib/platform/db/columns";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { publish } from "@/lib/platform/wakeups/pubsub";
import { actorOf } from "@/lib/resources/change";
import type { Nack, NackOne, NackOutcome } from "./consumer-contract";
import type { InboxEvent } from "./contract";
import { recordDeadEvents } from "./dead";
import { notHeld } from "./lease";
import { readyTopic } from "./ready-topic";
import { serializeEvent } from "./serialize";
import { ALIVE, EVENT_COLUMNS, type EventRow } from "./state";

/**
 * Returns delivered events for redelivery after their delay, or marks them dead after the last
 * delivery or on request. Returns an outcome for each. Throws 404 and 403 for the inbox.
 */
export async function release(
  caller: Caller,
  inboxId: string,
  nacks: Nack[],
  db?: Transaction,
): Promise<NackOutcome[]> {
  const rows = await releaseAll(caller, inboxId, nacks, db);
  return nacks.map(({ event_id }, index) => ({ event_id, outcome: outcomeOf(rows[index]) }));
}

/** Releases and returns one event. Throws 404, and 409 `lease_lost`. */
export async function releaseOne(
  caller: Caller,
  inboxId: string,
  eventId: string,
  nack: NackOne,
  db?: Transaction,
): Promise<InboxEvent> {
  const [row] = await releaseAll(caller, inboxId, [{ event_id: eventId, ...nack }], db);
  if (!row || row.id === null) throw notHeld(eventId, row?.exists);
  return serializeEvent(row);
}

type ReleasedRow = OrNull<EventRow> & { owner: string | null; exists: boolean };

async function releaseAll(
  caller: Caller,
  inboxId: string,
  nacks: Nack[],
  db?: Transaction,
): Promise<ReleasedRow[]> {
  const rows = await query<ReleasedRow>(
    sql`
    WITH inbox AS (
      -- Always lock the inbox before its events, to avoid deadlocks.
      SELECT organization_id, ${mayReach(caller)} AS reachable, ready_from, awaited_until > now() AS is_awaited
      FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE
    ), nack AS (
      SELECT * FROM unnest(
        ${nacks.map((nack) => nack.event_id)}::text[],
        ${nacks.map((nack) => nack.lease_id)}::text[],
        ${nacks.map((nack) => nack.delay_seconds ?? 0)}::int[],
        ${nacks.map((nack) => nack.error ?? null)}::text[],
        ${nacks.map((nack) => nack.dead ?? false)}::boolean[]
      ) WITH ORDINALITY AS n (event_id, lease_id, delay_seconds, error, dead, position)
    ), found AS (
      SELECT event.id, event.lease_id, event.visible_at < 'infinity' AS counted,
             event.delivery_count >= ${config().inboxMaxDeliveries} OR event.visible_at = 'infinity' AS is_last
      FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND (SELECT reachable FROM inbox) AND ${ALIVE}
        AND event.id = ANY (${nacks.map((nack) => nack.event_id)}::text[])
      ORDER BY event.id
      FOR UPDATE
    ), released AS (
      UPDATE inbox_events AS event SET
        lease_id = NULL,
        last_error = nack.error,
        lapses_at = to_timestamp(expires_at),
        visible_at = CASE WHEN found.is_last OR nack.dead THEN 'infinity'
                          ELSE greatest(now() + nack.delay_seconds * interval '1 second', inbox.ready_from) END,
        dedup_key = CASE WHEN found.is_last OR nack.dead THEN NULL ELSE dedup_key END
      FROM found JOIN nack ON nack.event_id = found.id AND nack.lease_id = found.lease_id
      CROSS JOIN inbox
      -- Also by the array, because the plan for the join alone may scan the whole inbox.
      WHERE event.inbox_id = ${inboxId} AND event.id = found.id
        AND event.id = ANY (${nacks.map((nack) => nack.event_id)}::text[])
      RETURNING found.counted AND (found.is_last OR nack.dead) AS died, ${EVENT_COLUMNS}
    ), recorded AS (
      ${recordDeadEvents(sql`(SELECT * FROM released WHERE died)`, actorOf(caller))}
    ), counted AS (
      UPDATE inbox_state SET occupied = occupied - totals.died, active_at = unix_now()
      FROM (SELECT count(*) FILTER (WHERE died) AS died, count(*) FROM released) AS totals
      WHERE inbox_state.inbox_id = ${inboxId} AND totals.count > 0
    )
    SELECT inbox.organization_id AS owner, found.id IS NOT NULL AS exists, released.*,
           CASE WHEN inbox.is_awaited AND nack.position = 1
                THEN ${publish(readyTopic(inboxId))}::text END
    FROM inbox LEFT JOIN nack ON true
    LEFT JOIN found ON found.id = nack.event_id
    LEFT JOIN released ON released.id = found.id AND found.lease_id = nack.lease_id
    ORDER BY nack.position`,
    db,
  );
  const first = rows[0];
  if (!first) throw notFound("inbox", inboxId);
  assertAccess(caller, first.owner);
  return rows;
}

function outcomeOf(row: ReleasedRow | undefined): NackOutcome["outcome"] {
  if (!row?.exists) return "not_found";
  if (row.id === null) return "lease_lost";
  return row.state === "dead" ? "dead" : "released";
}
