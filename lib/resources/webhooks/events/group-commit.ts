import { config } from "@/lib/platform/config/config";
import { inBatches } from "@/lib/platform/db/batches";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { randomBase62 } from "@/lib/platform/db/ids";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import type { RecordedHeaders } from "@/lib/platform/http/recorded-headers";
import { logError } from "@/lib/platform/telemetry/log";
import { jsonOf } from "@/lib/resources/insertion";
import { countStored, countsStorage } from "@/lib/resources/storage/stored-bytes";
import {
  type CapturedRequest,
  type CaptureOutcome,
  classify,
  readFlow,
} from "@/lib/resources/webhooks/flow";
import { catchUpLater } from "@/lib/resources/webhooks/forward/catch-up";
import { trimLater } from "./trim";
import { publishEvents } from "./wait";

/** A captured request to store. */
export interface Captured {
  endpointId: string;
  method: string;
  path: string;
  queryString: string;
  headers: RecordedHeaders;
  /** The kept part of the body, in chunks. */
  body: Uint8Array[];
  sizeBytes: number;
  sourceIp: string | null;
}

const BATCH_BYTES_MAX = 4_000_000;
/** Bodies queued in memory. Beyond this, senders get 503. */
const QUEUED_BYTES_MAX = 200_000_000;
/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;
const ID_RANDOM_LENGTH = 16;
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
      const classified = { ...captured, outcome };
      const isForwarded = outcome !== undefined && outcome.forward_status !== null;
      const eventId = isForwarded
        ? await storeForwarded(captured.endpointId, classified)
        : await storeTogether("", classified);
      if (eventId !== null) return eventId;
      await readFlow(captured.endpointId);
    }
    throw unavailable();
  } catch (error) {
    const isExpected = error instanceof ApiError || isDatabaseDown(error);
    if (!isExpected) logError("A capture could not be stored:", error);
    throw unavailable();
  }
}

type ClassifiedCapture = Captured & { outcome: CaptureOutcome | undefined };

function weightOf({ body, headers, queryString }: ClassifiedCapture): number {
  return headers.whole.length + queryString.length + lengthOf(body);
}

const bounds = {
  weightOf,
  batchWeightMax: BATCH_BYTES_MAX,
  queuedWeightMax: QUEUED_BYTES_MAX,
};

/** Null for a capture that was classified by outdated settings, which is not stored. */
const storeTogether = inBatches<ClassifiedCapture, string | null>((_key, batch) => insert(batch), {
  ...bounds,
  concurrencyMax: BATCHES_AT_ONCE_MAX,
});

/**
 * Captures of an endpoint with a forward. The statement also forwards them, and captures of other
 * endpoints do not wait for it.
 */
const storeForwarded = inBatches<ClassifiedCapture, string | null>(
  (_endpointId, batch) => insert(batch),
  {
    ...bounds,
    concurrencyMax: 1,
  },
);

async function insert(batch: ClassifiedCapture[]): Promise<(string | null)[]> {
  const bodies = batch.map(({ body }) => body);
  const lengths = bodies.map(lengthOf);
  let end = 0;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  const endpointIds = batch.map((one) => one.endpointId);
  const owners = countsStorage()
    ? sql`(SELECT json_object_agg(endpoint_id, organization_id) FROM endpoint_state
        WHERE endpoint_id = ANY (${endpointIds}))`
    : sql`NULL::json`;
  const written = await queryOne<Written>(sql`
    SELECT event_ids, full_endpoints, watched_endpoints, held_endpoints, ${owners} AS owners
    FROM capture_webhook_events(
      ${endpointIds}, ${batch.map(() => randomBase62(ID_RANDOM_LENGTH))},
      ${batch.map((one) => one.method)}, ${batch.map((one) => one.path)},
      ${batch.map((one) => one.queryString)}, ${batch.map((one) => one.headers.whole)},
      ${batch.map((one) => one.headers.redacted)},
      ${Buffer.concat(bodies.flat())}, ${starts}, ${lengths},
      ${batch.map((one) => one.sizeBytes)}, ${batch.map((one) => one.sourceIp)},
      ${outcomesOf(batch)}, ${config().publicEventsMaxBytes})`);
  if (!written) throw new Error("A capture returned nothing.");
  if (written.full_endpoints) trimLater(written.full_endpoints);
  if (written.watched_endpoints) publishEvents(written.watched_endpoints);
  if (written.held_endpoints) catchUpLater(written.held_endpoints);
  for (const [index, one] of batch.entries()) {
    const owner = written.owners?.[one.endpointId];
    if (owner === undefined || !written.event_ids[index]) continue;
    // A forward stores the event a second time.
    const copies = one.outcome?.forward_status === "held" ? 2 : 1;
    countStored(owner, one.sourceIp, weightOf(one) * copies);
  }
  return written.event_ids;
}

/** By position, from 1; null if there are none. */
function outcomesOf(batch: ClassifiedCapture[]): string | null {
  const outcomes = batch.flatMap(({ outcome }, index) =>
    outcome ? [jsonOf({ ...outcome, n: index + 1 })] : [],
  );
  return outcomes.length === 0 ? null : `[${outcomes.join()}]`;
}

function lengthOf(pieces: Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

interface Written {
  event_ids: (string | null)[];
  full_endpoints: string[] | null;
  watched_endpoints: string[] | null;
  held_endpoints: string[] | null;
  /** The owners of the endpoints that exist. */
  owners: Record<string, string | null> | null;
}

/** Identical for known and unknown endpoints, so that it reveals nothing. */
function unavailable() {
  return new ApiError("service_unavailable", "The request could not be stored. Try again.", {
    headers: { "Retry-After": "5" },
  });
}
