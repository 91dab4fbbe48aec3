import { inBatches, WRITES } from "@/lib/platform/db/batches";
import { type Commit, UNRECORDED, unrecorded } from "@/lib/platform/db/commit";
import { ApiError, notFound, retryAfter } from "@/lib/platform/errors";
import { keyReused } from "@/lib/platform/http/response-records";
import type { Arrival } from "./arrival";
import type { Receipt } from "./contract";
import { hasBody } from "./duplicate";
import { insert, type Outcome, type Stored } from "./insert";
import { RETRY_SECONDS } from "./storage";

const BATCH_BYTES_MAX = 1_000_000;

/** The event that an ingest stored, or found. */
export interface Ingested {
  receipt: Receipt;
  isClaimed: boolean;
}

/**
 * Stores an event durably; a stored event is never dropped in favour of a new one. `commit` and
 * `shown` record the response for a stored event. Throws 404, 422 for an `Idempotency-Key` that an
 * event with another body has, and 429 `inbox_full` when `max_events` are pending. The limit is exact
 * under concurrent ingests.
 */
export async function ingest(
  inboxId: string,
  arrival: Arrival,
  commit: Commit,
  shown: (ingested: Ingested) => unknown,
): Promise<Ingested> {
  // Only a recorded ingest needs a transaction of its own.
  const outcome =
    commit === unrecorded
      ? await storeTogether(inboxId, arrival)
      : await storeRecorded(inboxId, arrival, commit, shown);
  if (outcome === "unknown") throw notFound("inbox", inboxId);
  if (outcome === "full") throw inboxFull();
  return ingestedOf(inboxId, arrival, outcome);
}

function ingestedOf(inboxId: string, arrival: Arrival, stored: Stored): Ingested {
  const receipt: Receipt = {
    object: "inbox_event",
    id: stored.id,
    inbox_id: inboxId,
    state: stored.state,
    received_at: stored.received_at,
    expires_at: stored.expires_at,
    deduplicated: stored.id !== arrival.id,
    received: true,
    event_id: stored.id,
  };
  return { receipt, isClaimed: stored.is_claimed };
}

async function storeRecorded(
  inboxId: string,
  arrival: Arrival,
  commit: Commit,
  shown: (ingested: Ingested) => unknown,
): Promise<Outcome> {
  let outcome: Outcome = "unknown";
  await commit(
    async (db) => {
      [outcome = "unknown"] = await insert(inboxId, [arrival], db, "rarely");
      if (typeof outcome !== "object") return UNRECORDED;
      if (outcome.id === arrival.id) return outcome;
      // Unrelated senders may choose the same Idempotency-Key, and no event may be lost because of it.
      // The inbox is still locked, so nobody acknowledges the earlier one before it is compared.
      if (arrival.isKeyed && !(await hasBody(inboxId, outcome.id, arrival.body, db))) {
        throw keyReused();
      }
      // An earlier event is not an effect of this request.
      return UNRECORDED;
    },
    (stored) => shown(ingestedOf(inboxId, arrival, stored)),
  );
  return outcome;
}

export function inboxFull(): ApiError {
  return new ApiError(
    "inbox_full",
    "This inbox is full: it has reached its limit of pending events or bytes. Try again after some are acknowledged.",
    { headers: retryAfter(RETRY_SECONDS) },
  );
}

// Each ingest locks the inbox's row, so waiting ones share a statement.
const storeTogether = inBatches<Arrival, Outcome>(
  (inboxId, arrivals) => insert(inboxId, arrivals, undefined, "rarely"),
  {
    weightOf: ({ body }) => body.length,
    ...WRITES,
    batchWeightMax: BATCH_BYTES_MAX,
    concurrencyMax: 1,
  },
);
