import { inBatches, inTurns, WRITES } from "@/lib/platform/db/batches";
import { pool, poolSize, writePipelines } from "@/lib/platform/db/connections";
import { isDistributed } from "@/lib/platform/db/distribution";
import { isDatabaseDown, isLockTimeout } from "@/lib/platform/db/failures";
import { sql } from "@/lib/platform/db/sql";
import { STATEMENT_MS_MAX } from "@/lib/platform/db/time-limits";
import { ApiError, unavailable } from "@/lib/platform/errors";
import { Gate } from "@/lib/platform/limits/gate";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { type CapturedRequest, classify, lockOf, readFlow } from "@/lib/resources/webhooks/flow";
import {
  type Captured,
  type ClassifiedCapture,
  insert,
  insertAt,
  type Stored,
  weightOf,
  whileLocked,
} from "./insert-captures";

/** Leaves database connections for others. */
const BATCHES_AT_ONCE_MAX = 4;
/** Usually the settings have not changed since they were read. */
const TRIES_MAX = 10;

/**
 * Stores a capture and returns its event ID, even if the endpoint does not exist. Captures that
 * arrive during a write are batched. Throws 503 `service_unavailable` if it cannot be stored.
 */
export async function store(captured: Captured, request: CapturedRequest): Promise<string> {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const outcome = classify(captured.endpointId, request);
      const eventId = await storeInBatch({ outcome, ...captured });
      if (eventId !== null) return eventId;
      await readFlow(captured.endpointId);
    }
    throw new Error("The endpoint's settings changed at every try.");
  } catch (error) {
    const isExpected = error instanceof ApiError || isDatabaseDown(error);
    if (!isExpected) logError("A capture could not be stored:", error);
    throw unavailable(NOT_STORED);
  }
}

/**
 * On one server, captures of all endpoints share a transaction and a sync of the disk. On a
 * distributed database that would be a commit in two phases, so each endpoint has its own.
 */
async function storeInBatch(capture: ClassifiedCapture): Promise<Stored> {
  const { endpointId, outcome } = capture;
  const isForwarded = outcome !== undefined && outcome.forward_status !== null;
  if (isForwarded) return storeForwarded(endpointId, capture);
  return (await isOnManyNodes()) ? storeApart(endpointId, capture) : storeTogether("", capture);
}

/** Whether the database is distributed, asked once. */
function isOnManyNodes(): Promise<boolean> {
  const known = oncePerProcess("db.is-distributed", (): { answer?: Promise<boolean> } => ({}));
  known.answer ??= isDistributed(pool()).catch((error) => {
    delete known.answer;
    throw error;
  });
  return known.answer;
}

const bounds = { weightOf, ...WRITES, concurrencyMax: 1 };

const storeTogether = inBatches<ClassifiedCapture, Stored | Promise<Stored>>(
  async (_key, batch) => {
    try {
      return await insert(batch);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // An endpoint is being changed or deleted, perhaps with thousands of events.
      return batch.map((one) => storeApart(one.endpointId, one));
    }
  },
  { ...bounds, concurrencyMax: BATCHES_AT_ONCE_MAX },
);

/** Stores captures of one endpoint. Those of others do not wait for its lock. */
const storeApart = inBatches<ClassifiedCapture, Stored>(async (endpointId, batch) => {
  const db = (await isOnManyNodes()) ? writePipelines() : undefined;
  const write = () => insertAt(endpointId, batch, sql`capture_events`, db);
  return whileLocked(() => (db ? write() : alone(batch, write)));
}, bounds);

/** Stores captures of one endpoint with a forward. Throws 503 if its inbox has no turn for too long. */
const storeForwarded = inBatches<ClassifiedCapture, Stored>(
  (endpointId, batch) =>
    whileLocked(() =>
      inTurn(lockOf(endpointId), () =>
        alone(batch, () => insertAt(endpointId, batch, sql`capture_and_forward`)),
      ),
    ),
  bounds,
);

/** Identical for known and unknown endpoints, so that it reveals nothing. */
const NOT_STORED = "The request could not be stored. Try again.";

/**
 * Runs writes into one inbox one at a time. Those of many endpoints would wait for its lock, each with
 * a connection.
 */
const inTurn = inTurns(1, NOT_STORED);

/** Writes of single endpoints take turns between their senders: very many would take every connection. */
function alone<Result>(
  [first]: ClassifiedCapture[],
  write: () => Promise<Result>,
): Promise<Result> {
  const gate = oncePerProcess("webhooks.gate", () => new Gate(gateLimits()));
  return gate.run({ address: first?.countedFor ?? null, isUnderWay: true }, write);
}

function gateLimits() {
  const running = Math.max(Math.floor(poolSize() / 2), 1);
  // Nothing is refused here: `inBatches` bounds what waits.
  const waiting = Number.POSITIVE_INFINITY;
  return {
    running,
    // On a slow disk, writes that overlap share a sync.
    runningPerNetwork: Math.max(running - 1, 1),
    waiting,
    waitingPerNetwork: waiting,
    waitMsMax: waiting,
    turnMsMax: 2 * STATEMENT_MS_MAX,
    message: NOT_STORED,
  };
}
