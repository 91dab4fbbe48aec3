import type { Caller } from "@/lib/platform/caller";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { waitForLease } from "@/lib/resources/wait-for-lease";
import { acknowledge } from "./acknowledge";
import type { AckOutcome, Receive, Received } from "./consumer-contract";
import { leaseReady } from "./lease-ready";
import { readyTopic, subscribe } from "./ready-topic";
import { serializeLeased } from "./serialize";
import type { EventRow } from "./state";

/**
 * Acknowledges earlier deliveries, then leases the events that have been ready longest, waiting up
 * to `wait_seconds` for the first. Throws 404 and 403.
 */
export async function receive(
  caller: Caller,
  inboxId: string,
  input: Receive,
  client: { signal: AbortSignal },
  commit: Commit,
): Promise<Received> {
  let acks: AckOutcome[] | undefined;
  const received = (rows: EventRow[]): Received => ({
    object: "list",
    data: rows.map(serializeLeased),
    has_more: false,
    next_cursor: null,
    ...(acks && { acks }),
  });
  const milliseconds = (input.wait_seconds ?? 0) * 1000;
  const atOnce = await commit(async (db) => {
    acks = input.ack && (await acknowledge(caller, inboxId, input.ack, db));
    const rows = await leaseReady(caller, inboxId, input, { db });
    return rows.length > 0 || milliseconds === 0 ? received(rows) : UNRECORDED;
  });
  if (atOnce !== UNRECORDED) return atOnce;
  const later = await waitForLease(
    caller,
    readyTopic(inboxId),
    { milliseconds, signal: client.signal },
    (left) => subscribe(inboxId, left),
    () =>
      commit(async (db) => {
        const rows = await leaseReady(caller, inboxId, input, { waiting: client, db });
        return rows.length > 0 ? received(rows) : UNRECORDED;
      }),
  );
  return later ?? received([]);
}
