import { credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, UNRECORDED, unrecorded } from "@/lib/platform/db/commit";
import { FIRST_POLLS_MS, waitFor } from "@/lib/platform/wakeups/pubsub";
import { acknowledge } from "./acknowledge";
import type { AckOutcome, Receive, Received } from "./consumer-contract";
import { leaseReady } from "./lease-ready";
import { serializeLeased } from "./serialize";
import type { EventRow } from "./state";
import { requestAnnouncements, topicOf } from "./waiting";

/**
 * Acknowledges earlier deliveries, then leases the events that have been ready longest, waiting up
 * to `wait_seconds` for the first. Throws 404 and 403.
 */
export async function receive(
  caller: Caller,
  inboxId: string,
  input: Receive,
  client: { signal: AbortSignal },
  commit: Commit = unrecorded,
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
  const later = await untilReady(milliseconds, caller, inboxId, client.signal, () =>
    commit(async (db) => {
      const rows = await leaseReady(caller, inboxId, input, { waiting: client, db });
      return rows.length > 0 ? received(rows) : UNRECORDED;
    }),
  );
  return later ?? received([]);
}

/** Repeats an attempt until it has a result, whenever an event may have become ready. */
async function untilReady(
  milliseconds: number,
  caller: Caller,
  inboxId: string,
  signal: AbortSignal,
  attempt: () => Promise<Received | typeof UNRECORDED>,
): Promise<Received | undefined> {
  const credential = credentialOf(caller);
  const deadline = performance.now() + milliseconds;
  const topics = [topicOf(inboxId), ...credential.topics];
  let looks: number[] = [];
  return waitFor(topics, { milliseconds, signal }, async (lookAgainIn) => {
    const left = Math.max(Math.ceil(deadline - performance.now()), 0);
    const { next, isFirst } = await requestAnnouncements(inboxId, left);
    if (isFirst) looks = [...FIRST_POLLS_MS];
    lookAgainIn(next, looks.shift());
    const endsIn = await credential.assertLive();
    lookAgainIn(endsIn);
    const result = await attempt();
    return result === UNRECORDED ? undefined : result;
  });
}
