import { config } from "@/lib/platform/config/config";
import { isLockTimeout } from "@/lib/platform/db/failures";
import { randomBase62 } from "@/lib/platform/db/ids";
import type { Db } from "@/lib/platform/db/send";
import { query, queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { STATEMENT_MS_MAX } from "@/lib/platform/db/time-limits";
import type { RecordedHeaders } from "@/lib/platform/http/recorded-headers";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { readyTopic } from "@/lib/resources/inboxes/events/ready-topic";
import { jsonOf } from "@/lib/resources/insertion";
import { countNetworkBytes } from "@/lib/resources/storage/network-bytes";
import { countStored } from "@/lib/resources/storage/stored-bytes";
import { PART_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import type { CaptureOutcome } from "@/lib/resources/webhooks/flow";
import { catchUpLater } from "@/lib/resources/webhooks/forward/catch-up";
import { countFailedSignature } from "@/lib/resources/webhooks/verification/failures";
import { trimLater } from "./trim";
import { capturesTopic } from "./wait";

const ID_RANDOM_LENGTH = 16;

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
  /** The address or network whose storage it takes. */
  countedFor: string | null;
}

/** A capture with its outcome under the endpoint's settings, if these are known. */
export type ClassifiedCapture = Captured & { outcome: CaptureOutcome | undefined };

/** The bytes that a capture stores, about. */
export function weightOf({ body, headers, path, queryString }: ClassifiedCapture): number {
  const texts = [headers.whole, path, queryString];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), lengthOf(body));
}

/** The event's ID; null for a capture that was classified by outdated settings, which is not stored. */
export type Stored = string | null;

/** Stores captures of any number of endpoints that do not forward. */
export async function insert(batch: ClassifiedCapture[]): Promise<Stored[]> {
  const byEndpoint = new Map<string, ClassifiedCapture[]>();
  for (const one of batch) {
    const captures = byEndpoint.get(one.endpointId);
    if (captures) captures.push(one);
    else byEndpoint.set(one.endpointId, [one]);
  }
  // Sorted, because the locks of two batches must be taken in the same order.
  const groups = [...byEndpoint].sort(([one], [other]) => (one < other ? -1 : 1));
  const [first] = groups;
  if (first && groups.length === 1) return insertAt(first[0], batch, sql`capture_events`);
  const sorted = groups.flatMap(([, captures]) => captures);
  let end = 0;
  const outcomes = groups.map(([, captures]) => {
    end += captures.length;
    return outcomesOf(captures, end - captures.length);
  });
  const rows = await query<Written>(sql`
    SELECT * FROM capture_batch(
      ${groups.map(([id]) => id)}, ${groups.map(([, { length }]) => length)}, ${values(sorted)},
      ${outcomes}::json[], ${config().publicEventsMaxBytes})`);
  const eventIds = new Map<ClassifiedCapture, Stored>();
  for (const [index, [endpointId, captures]] of groups.entries()) {
    const row = rows[index];
    if (!row) throw new Error("A capture returned nothing.");
    finish(endpointId, captures, row);
    for (const [n, one] of captures.entries()) eventIds.set(one, row.event_ids[n] ?? null);
  }
  return batch.map((one) => eventIds.get(one) ?? null);
}

/** Repeats a write that gives up on a lock, for as long as a statement may take. */
export async function whileLocked<T>(write: () => Promise<T>): Promise<T> {
  let deadline: number | undefined; // set by the first timeout: earlier writes may have taken long
  for (;;) {
    try {
      return await write();
    } catch (error) {
      deadline ??= performance.now() + STATEMENT_MS_MAX;
      if (!isLockTimeout(error) || performance.now() > deadline) throw error;
    }
  }
}

/** Stores captures of one endpoint by `capture_events` or `capture_and_forward`. */
export async function insertAt(
  endpointId: string,
  batch: ClassifiedCapture[],
  decision: Sql,
  db?: Db,
): Promise<Stored[]> {
  const written = await queryOne<Written>(
    sql`
    SELECT * FROM ${decision}(
      ${endpointId}, ${values(batch)}, ${outcomesOf(batch)}, ${config().publicEventsMaxBytes})`,
    db,
  );
  if (!written) throw new Error("A capture returned nothing.");
  finish(endpointId, batch, written);
  return written.event_ids;
}

/** The arguments that describe the captures. */
function values(batch: ClassifiedCapture[]): Sql {
  const bodies = batch.map(({ body }) => body);
  const lengths = bodies.map(lengthOf);
  let end = 0;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  return sql`${batch.map(() => randomBase62(ID_RANDOM_LENGTH))},
    ${batch.map((one) => one.method)}, ${batch.map((one) => one.path)},
    ${batch.map((one) => one.queryString)}, ${batch.map((one) => one.headers.whole)},
    ${batch.map((one) => one.headers.redacted)}, ${Buffer.concat(bodies.flat())},
    ${starts}, ${lengths}, ${batch.map((one) => one.sizeBytes)},
    ${batch.map((one) => one.sourceIp)}`;
}

/** Runs after the commit of an endpoint's captures. */
function finish(endpointId: string, batch: ClassifiedCapture[], written: Written): void {
  if (!written.is_known) {
    // They count as much as captures of a public endpoint, and the responses must not differ.
    for (const one of batch) {
      if (one.countedFor !== null) countNetworkBytes(one.countedFor, weightOf(one) + PART_BYTES);
    }
    return;
  }
  if (written.is_full) trimLater([endpointId]);
  if (written.is_watched) announce(capturesTopic(endpointId));
  if (written.is_held) catchUpLater([endpointId]);
  if (written.awaited_inbox) announce(readyTopic(written.awaited_inbox));
  const late = new Set(written.event_ids.slice(batch.length));
  for (const [index, one] of batch.entries()) {
    const eventId = written.event_ids[index];
    if (!eventId) continue;
    const { outcome } = one;
    const isLate = late.has(eventId);
    // A forward stores the event a second time.
    const copies = outcome?.forward_status === "held" && !isLate ? 2 : 1;
    countStored(written.owner, one.countedFor, (weightOf(one) + PART_BYTES) * copies);
    if (written.owner !== null && (isLate || outcome?.verified === false)) {
      const reason = (isLate ? outcome?.late_reason : outcome?.verification_reason) ?? "invalid";
      countFailedSignature({ endpointId, organizationId: written.owner, reason });
    }
  }
}

/** The outcomes by the position of their captures, which follow `before` others; null if there are none. */
function outcomesOf(batch: ClassifiedCapture[], before = 0): string | null {
  const outcomes = batch.flatMap(({ outcome }, index) =>
    outcome ? [jsonOf({ n: before + index + 1, ...outcome })] : [],
  );
  return outcomes.length === 0 ? null : `[${outcomes.join()}]`;
}

function lengthOf(pieces: Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** What was stored for one endpoint. */
interface Written {
  /** One for each capture, and then again those whose valid signature was not in time. */
  event_ids: (string | null)[];
  is_known: boolean;
  owner: string | null;
  is_full: boolean;
  is_watched: boolean;
  /** Whether events wait to be forwarded. */
  is_held?: boolean;
  awaited_inbox?: string | null;
}
