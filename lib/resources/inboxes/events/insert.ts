import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { afterCommit, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { logError } from "@/lib/platform/telemetry/log";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { countStored } from "@/lib/resources/storage/stored-bytes";
import { PART_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import type { Arrival } from "./arrival";
import type { EventState } from "./contract";
import { expire } from "./expire";
import { readyTopic } from "./ready-topic";
import { hasQuota, measure } from "./storage";

const ATTEMPTS_MAX = 20;
const ROUNDS_MAX = 5;

/** An event that was stored now or, under the same `dedup_id`, earlier. */
export type Stored = Row<"InboxEvent", "id" | "received_at" | "expires_at"> & {
  state: EventState;
  is_claimed: boolean;
};

/** No event if the inbox's quota is used up. */
type Finding = { owner: string | null; is_awaited: boolean } & (Stored | { id: null });

export type Outcome = Stored | "full" | "unknown";

/** The bytes of an event. */
function weightOf({ body, headers, queryString }: Arrival): number {
  return body.length + Buffer.byteLength(headers.whole) + Buffer.byteLength(queryString);
}

/**
 * Stores the first events, as many as fit, and returns the outcome for each. Of those with the same
 * `dedupId` only one is stored. Frees quota if the inbox is full, unless `frees` is false; with
 * "rarely", a public inbox that was full a moment ago is not recounted. In the caller's transaction
 * `db`, quota is freed only once, since others wait for the inbox until it ends.
 */
export async function insert(
  inboxId: string,
  arrivals: Arrival[],
  db?: Transaction,
  frees: boolean | "rarely" = true,
): Promise<Outcome[]> {
  const outcomes = new Map<Arrival, Outcome>();
  let left = arrivals;
  try {
    for (let tries = 1; left.length > 0; tries += 1) {
      const results = await attempt(inboxId, left, db);
      for (const [index, outcome] of results.entries()) {
        const arrival = left[index];
        if (arrival && outcome !== "full") outcomes.set(arrival, outcome);
      }
      left = left.filter((arrival) => !outcomes.has(arrival));
      const [refused] = left;
      if (!refused || !frees || tries >= (db ? 2 : ATTEMPTS_MAX)) break;
      if (
        !(await freeQuota(inboxId, weightOf(refused) + PART_BYTES, {
          db,
          again: frees === true,
        }))
      )
        break;
    }
  } catch (error) {
    // Without a transaction, some are stored already, and their callers would store them again.
    if (db || outcomes.size === 0) throw error;
    logError("Events for a full inbox could not be tried again:", error);
  }
  return arrivals.map((arrival) => outcomes.get(arrival) ?? "full");
}

/**
 * Removes lapsed events, and recounts bytes; unless `again`, not soon after a recount that found no room. Returns
 * whether an event of this size may fit now.
 */
async function freeQuota(
  inboxId: string,
  bytes: number,
  { db, again }: { db: Transaction | undefined; again: boolean },
): Promise<boolean> {
  let isOpen = false;
  // Dead events, which hold no place, may be the first to be removed.
  for (let rounds = 0; rounds < ROUNDS_MAX && !isOpen; rounds += 1) {
    const lapsed = await expire(inboxId, undefined, db);
    isOpen = (await hasQuota(inboxId, db)) && (await measure(inboxId, bytes, { db, again }));
    if (lapsed === 0) break;
  }
  return isOpen;
}

/** Stores the first events in one statement. Frees no quota. */
async function attempt(inboxId: string, arrivals: Arrival[], db?: Transaction): Promise<Outcome[]> {
  const sizes = arrivals.map(({ body }) => body.length);
  let end = 0;
  const starts = sizes.map((size) => {
    end += size;
    return end - size;
  });
  const rows = await query<Finding>(
    sql`
    SELECT * FROM ingest_events(
      ${inboxId}, ${arrivals.map(({ id }) => id)},
      ${arrivals.map(({ contentType }) => contentType)},
      ${arrivals.map(({ headers }) => headers.whole)},
      ${arrivals.map(({ headers }) => headers.redacted)},
      ${Buffer.concat(arrivals.map(({ body }) => body))}, ${starts}, ${sizes},
      ${arrivals.map(({ queryString }) => queryString)},
      ${arrivals.map(({ sourceIp }) => sourceIp)}, ${arrivals.map(({ dedupId }) => dedupId)},
      ${arrivals.map(({ ttlSeconds }) => ttlSeconds)},
      ${arrivals.map(({ delaySeconds }) => delaySeconds)}, NULL, ${config().publicEventsMaxBytes})`,
    db,
  );
  if (rows[0]?.is_awaited) announce(readyTopic(inboxId), db);
  return arrivals.map((arrival, index) => {
    const row = rows[index];
    if (!row) return "unknown";
    if (row.id === null) return "full";
    if (row.id === arrival.id) {
      afterCommit(db, () =>
        countStored(row.owner, arrival.countedFor, weightOf(arrival) + PART_BYTES),
      );
    }
    return row;
  });
}
