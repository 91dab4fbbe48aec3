import { randomBase62 } from "@/lib/db/ids";
import { isDatabaseDown, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/http/errors";
import { oncePerProcess } from "@/lib/process";
import { trimLater } from "./trim";
import { announceEvents } from "./watch";

/** A captured request, as it is stored. */
export interface Captured {
  endpointId: string;
  method: string;
  path: string;
  queryString: string;
  /** A JSON object as text. */
  headers: string;
  /** The part of the body that is kept, in pieces. */
  body: Uint8Array[];
  sizeBytes: number;
  sourceIp: string | null;
}

const BATCH_EVENTS_MAX = 200;
const BATCH_BYTES_MAX = 4_000_000;
/** Bodies that may wait in memory; beyond it senders are told to come again. */
const WAITING_BYTES_MAX = 200_000_000;
/** A batch that takes longer (a lock, a full disk) does not hold up the next, */
const SLOW_MS = 100;
/** unless so many do: the other connections are for other requests. */
const SLOW_BATCHES_MAX = 4;
const ID_RANDOM_LENGTH = 16;

interface Waiting {
  captured: Captured;
  bytes: number;
  resolve(eventId: string): void;
  reject(reason: unknown): void;
}

interface Queue {
  waiting: Waiting[];
  bytes: number;
  writing: boolean;
  slowBatches: number;
}

/**
 * Writes a capture and gives the ID of its event, when it is safely stored or its endpoint does not
 * exist. Captures that arrive while others are being written are written together, in one statement
 * and one commit. Throws 503 `service_unavailable` when it cannot be stored.
 */
export function store(captured: Captured): Promise<string> {
  const queue = oncePerProcess<Queue>("webhooks.queue", () => ({
    waiting: [],
    bytes: 0,
    writing: false,
    slowBatches: 0,
  }));
  const bytes = captured.body.reduce((sum, { length }) => sum + length, captured.headers.length);
  if (queue.bytes + bytes > WAITING_BYTES_MAX) return Promise.reject(unavailable());
  return new Promise((resolve, reject) => {
    queue.waiting.push({ captured, bytes, resolve, reject });
    queue.bytes += bytes;
    begin(queue);
  });
}

function begin(queue: Queue) {
  if (queue.writing || queue.slowBatches >= SLOW_BATCHES_MAX) return;
  queue.writing = true;
  // What has arrived by now is read first, so that a burst is one batch and not a single and a batch.
  setImmediate(write, queue);
}

/** One batch after the other: two at once, each half as large, were a third slower. */
async function write(queue: Queue) {
  while (queue.waiting.length > 0 && queue.slowBatches < SLOW_BATCHES_MAX) {
    const settled = settle(nextBatch(queue), queue);
    if (await isSoon(settled)) continue;
    queue.slowBatches++;
    settled.then(() => {
      queue.slowBatches--;
      begin(queue);
    });
  }
  queue.writing = false;
}

function nextBatch(queue: Queue): Waiting[] {
  let bytes = 0;
  const tooMuch = queue.waiting.findIndex((one, index) => {
    bytes += one.bytes;
    return index > 0 && bytes > BATCH_BYTES_MAX;
  });
  const count = tooMuch === -1 ? BATCH_EVENTS_MAX : Math.min(tooMuch, BATCH_EVENTS_MAX);
  return queue.waiting.splice(0, count);
}

function isSoon(settled: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS, false);
    settled.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Never throws: every capture of the batch is told how it went. */
async function settle(batch: Waiting[], queue: Queue): Promise<void> {
  try {
    const eventIds = await insert(batch.map(({ captured }) => captured));
    for (const [index, { resolve }] of batch.entries()) resolve(eventIds[index] ?? "");
  } catch (error) {
    if (batch.length > 1 && !isDatabaseDown(error)) {
      // One of them is refused: it must not take the others with it.
      for (const one of batch) await settle([one], queue);
      return;
    }
    if (!isDatabaseDown(error)) console.error("A capture could not be stored:", error);
    for (const { reject } of batch) reject(unavailable());
  }
  for (const { bytes } of batch) queue.bytes -= bytes;
}

async function insert(batch: Captured[]): Promise<string[]> {
  const bodies = batch.map(({ body }) => body);
  const lengths = bodies.map((body) => body.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const starts = lengths.map((length) => {
    end += length;
    return end - length;
  });
  const written = await queryOne<Written>(sql`
    SELECT event_ids, full_endpoints, watched_endpoints FROM capture_webhook_events(
      ${batch.map((one) => one.endpointId)}, ${batch.map(() => randomBase62(ID_RANDOM_LENGTH))},
      ${batch.map((one) => one.method)}, ${batch.map((one) => one.path)},
      ${batch.map((one) => one.queryString)}, ${batch.map((one) => one.headers)},
      ${Buffer.concat(bodies.flat())}, ${starts}, ${lengths},
      ${batch.map((one) => one.sizeBytes)}, ${batch.map((one) => one.sourceIp)})`);
  if (!written) throw new Error("A capture returned nothing.");
  if (written.full_endpoints) trimLater(written.full_endpoints);
  if (written.watched_endpoints) announceEvents(written.watched_endpoints);
  return written.event_ids;
}

interface Written {
  event_ids: string[];
  full_endpoints: string[] | null;
  watched_endpoints: string[] | null;
}

/** The same for known and unknown endpoints, so that a sender tries again and learns nothing. */
function unavailable() {
  return new ApiError("service_unavailable", "The request could not be stored. Send it again.", {
    headers: { "Retry-After": "5" },
  });
}
