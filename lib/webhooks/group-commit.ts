import { randomBase62 } from "@/lib/db/ids";
import { queryOne, sql } from "@/lib/db/sql";
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
/** Batches that are written at once. */
const WRITERS = Number(process.env.WRITERS ?? 2);
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
  writers: number;
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
    writers: 0,
  }));
  const bytes = captured.body.reduce((sum, { length }) => sum + length, captured.headers.length);
  if (queue.bytes + bytes > WAITING_BYTES_MAX) return Promise.reject(unavailable());
  return new Promise((resolve, reject) => {
    queue.waiting.push({ captured, bytes, resolve, reject });
    queue.bytes += bytes;
    if (queue.writers < WRITERS) void write(queue);
  });
}

async function write(queue: Queue) {
  queue.writers++;
  while (queue.waiting.length > 0) {
    const batch = nextBatch(queue);
    await settle(batch);
    queue.bytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  queue.writers--;
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

async function settle(batch: Waiting[]) {
  try {
    const eventIds = await insert(batch.map(({ captured }) => captured));
    for (const [index, { resolve }] of batch.entries()) resolve(eventIds[index] ?? "");
  } catch (error) {
    console.error("Captures could not be stored:", error);
    for (const { reject } of batch) reject(unavailable());
  }
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
