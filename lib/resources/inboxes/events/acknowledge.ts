import { assertAccess, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { inBatches } from "@/lib/platform/db/batches";
import { afterCommit, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Ack, AckOutcome } from "./consumer-contract";
import { moveHeldEventsSoon } from "./move-held-events";
import { notHeld } from "./not-held";

/**
 * Deletes delivered events and returns an outcome for each. An expired lease is accepted until the
 * event is delivered again. Throws 404 and 403 for the inbox, which an empty list does not look at.
 */
export async function acknowledge(
  caller: Caller,
  inboxId: string,
  acks: Ack[],
  db?: Transaction,
): Promise<AckOutcome[]> {
  if (acks.length === 0) return [];
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
  const acked = await queryOne<Acked>(
    sql`
    SELECT * FROM acknowledge_deliveries(
      ${inboxId}, ${organizationOf(caller)}, ${acks.map((ack) => ack.event_id)},
      ${acks.map((ack) => ack.lease_id)})`,
    db,
  );
  if (!acked) throw notFound("inbox", inboxId);
  assertAccess(caller, acked.owner);
  if (acked.is_awaited_by_forwards) afterCommit(db, () => moveHeldEventsSoon(inboxId));
  const { are_all, outcomes } = acked;
  return acks.map(({ event_id }, index) => ({
    event_id,
    outcome: are_all ? "acknowledged" : (outcomes[index] ?? "not_found"),
  }));
}

interface Acked {
  owner: string | null;
  is_awaited_by_forwards: boolean;
  /** Whether all were acknowledged; otherwise each has an outcome. */
  are_all: boolean;
  outcomes: AckOutcome["outcome"][];
}
