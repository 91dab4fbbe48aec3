import { assertAccess, mayReach, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { inBatches } from "@/lib/platform/db/batches";
import { afterCommit, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Ack, AckOutcome } from "./consumer-contract";
import { recordedEnd } from "./inbox-end";
import { notHeld } from "./lease";
import { moveHeldEventsSoon } from "./move-held-events";
import { ALIVE } from "./state";

/**
 * Deletes delivered events and returns an outcome for each. An expired lease is accepted until the
 * event is delivered again. Throws 404 and 403 for the inbox.
 */
export async function acknowledge(
  caller: Caller,
  inboxId: string,
  acks: Ack[],
  db?: Transaction,
): Promise<AckOutcome[]> {
  if (db) return acknowledgeAll(caller, inboxId, acks, db);
  const key = JSON.stringify([inboxId, organizationOf(caller)]);
  return acknowledgeTogether(key, { caller, inboxId, acks });
}

/** Acknowledges one event. Throws 404, and 409 `lease_lost` if it was delivered again. */
export async function acknowledgeOne(
  caller: Caller,
  inboxId: string,
  eventId: string,
  leaseId: string,
  db?: Transaction,
): Promise<void> {
  const [ack] = await acknowledge(caller, inboxId, [{ event_id: eventId, lease_id: leaseId }], db);
  if (ack?.outcome !== "acknowledged") throw notHeld(eventId, ack?.outcome === "lease_lost");
}

interface Request {
  caller: Caller;
  inboxId: string;
  acks: Ack[];
}

// Each acknowledgement locks the inbox's row, so those of one owner share a statement.
const acknowledgeTogether = inBatches<Request, AckOutcome[]>(run, {
  weightOf: ({ acks }) => acks.length,
  batchWeightMax: 1000,
  queuedWeightMax: 200_000,
  concurrencyMax: 1,
});

async function run(_key: string, requests: Request[]): Promise<AckOutcome[][]> {
  const first = requests[0];
  if (!first) return [];
  const outcomes = await acknowledgeAll(
    first.caller,
    first.inboxId,
    requests.flatMap(({ acks }) => acks),
  );
  return requests.map(({ acks }) => outcomes.splice(0, acks.length));
}

async function acknowledgeAll(
  caller: Caller,
  inboxId: string,
  acks: Ack[],
  db?: Transaction,
): Promise<AckOutcome[]> {
  const rows = await query<AckedRow & { owner: string | null; is_awaited: boolean }>(
    sql`
    WITH inbox AS (
      -- Always lock the inbox before its events, to avoid deadlocks.
      SELECT organization_id, is_awaited_by_forwards, ${mayReach(caller)} AS reachable
      FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE
    ), ack AS (
      SELECT * FROM unnest(${acks.map((ack) => ack.event_id)}::text[],
                           ${acks.map((ack) => ack.lease_id)}::text[])
        WITH ORDINALITY AS a (event_id, lease_id, position)
    ), found AS (
      SELECT ack.position, event.id, event.lease_id = ack.lease_id AS held
      FROM ack CROSS JOIN LATERAL (
        SELECT event.id, event.lease_id FROM inbox_events AS event
        WHERE event.inbox_id = ${inboxId} AND event.id = ack.event_id
          AND (SELECT reachable FROM inbox) AND ${ALIVE}
        FOR UPDATE
      ) AS event
    ), gone AS (
      -- As an array, because the plan for a join may scan the whole inbox.
      DELETE FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId}
        AND event.id = ANY (ARRAY(SELECT id FROM found WHERE held))
      RETURNING event.visible_at < 'infinity' AS counted, ${recordedEnd("acknowledged")}
    ), counted AS (
      UPDATE inbox_state SET
        occupied = occupied - totals.freed,
        acknowledged = acknowledged + totals.count,
        active_at = unix_now()
      FROM (SELECT count(*), count(*) FILTER (WHERE counted) AS freed FROM gone) AS totals
      WHERE inbox_id = ${inboxId} AND totals.count > 0
    )
    SELECT inbox.organization_id AS owner, inbox.is_awaited_by_forwards AS is_awaited,
           found.id IS NOT NULL AS exists, coalesce(found.held, false) AS held
    FROM inbox LEFT JOIN ack ON true LEFT JOIN found USING (position)
    ORDER BY ack.position`,
    db,
  );
  const inbox = rows[0];
  if (!inbox) throw notFound("inbox", inboxId);
  assertAccess(caller, inbox.owner);
  if (inbox.is_awaited) afterCommit(db, () => moveHeldEventsSoon(inboxId));
  return acks.map(({ event_id }, index) => ({ event_id, outcome: outcomeOf(rows[index]) }));
}

interface AckedRow {
  exists: boolean;
  held: boolean;
}

function outcomeOf(row: AckedRow | undefined): AckOutcome["outcome"] {
  if (!row?.exists) return "not_found";
  return row.held ? "acknowledged" : "lease_lost";
}
