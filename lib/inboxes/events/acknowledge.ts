import { assertAccess, mayReach, organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { inBatches } from "@/lib/db/batches";
import { query, sql } from "@/lib/db/sql";
import { notFound } from "@/lib/errors";
import type { Ack, AckOutcome } from "./consumer-contract";
import { assertHeld } from "./lease";
import { ALIVE } from "./state";

/**
 * Deletes delivered events and returns an outcome for each. An expired lease is accepted until the
 * event is delivered again. Throws 404 and 403 for the inbox.
 */
export async function acknowledge(
  caller: Caller,
  inboxId: string,
  acks: Ack[],
): Promise<AckOutcome[]> {
  const key = JSON.stringify([inboxId, organizationOf(caller)]);
  return acknowledgeTogether(key, { caller, inboxId, acks });
}

/** Acknowledges one event. Throws 404, and 409 `lease_lost` when it was delivered again. */
export async function acknowledgeOne(
  caller: Caller,
  inboxId: string,
  eventId: string,
  leaseId: string,
): Promise<void> {
  const [ack] = await acknowledge(caller, inboxId, [{ event_id: eventId, lease_id: leaseId }]);
  assertHeld(eventId, ack?.outcome);
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
  const { caller, inboxId } = first;
  const all = requests.flatMap(({ acks }) => acks);
  const rows = await query<{ owner: string | null; exists: boolean; held: boolean }>(sql`
    WITH inbox AS (
      -- Always lock the inbox before its events, to avoid deadlocks.
      SELECT organization_id, ${mayReach(caller)} AS reachable FROM inboxes
      WHERE id = ${inboxId} FOR NO KEY UPDATE
    ), ack AS (
      SELECT * FROM unnest(${all.map((ack) => ack.event_id)}::text[],
                           ${all.map((ack) => ack.lease_id)}::text[])
        WITH ORDINALITY AS a (event_id, lease_id, position)
    ), found AS (
      SELECT event.id, event.lease_id FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND (SELECT reachable FROM inbox) AND ${ALIVE}
        AND event.id = ANY (ARRAY(SELECT event_id FROM ack))
      ORDER BY event.id
      FOR UPDATE
    ), gone AS (
      -- By an array, because a plan for a join may scan the whole inbox.
      DELETE FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND event.id = ANY (ARRAY(
        SELECT id FROM found JOIN ack ON event_id = id AND ack.lease_id = found.lease_id
      ))
      RETURNING event.visible_at < 'infinity' AS counted
    ), counted AS (
      UPDATE inboxes SET
        occupied = occupied - totals.freed,
        acknowledged = acknowledged + totals.count,
        active_at = unix_now()
      FROM (SELECT count(*), count(*) FILTER (WHERE counted) AS freed FROM gone) AS totals
      WHERE id = ${inboxId} AND totals.count > 0
    )
    SELECT inbox.organization_id AS owner, found.id IS NOT NULL AS exists,
           coalesce(found.lease_id = ack.lease_id, false) AS held
    FROM inbox LEFT JOIN ack ON true LEFT JOIN found ON found.id = ack.event_id
    ORDER BY ack.position`);
  const owner = rows[0];
  if (!owner) throw notFound("inbox", inboxId);
  assertAccess(caller, owner.owner);
  let position = 0;
  return requests.map(({ acks }) =>
    acks.map(({ event_id }) => ({ event_id, outcome: outcomeOf(rows[position++]) })),
  );
}

function outcomeOf(row: { exists: boolean; held: boolean } | undefined): AckOutcome["outcome"] {
  if (!row?.exists) return "not_found";
  return row.held ? "acknowledged" : "lease_lost";
}
