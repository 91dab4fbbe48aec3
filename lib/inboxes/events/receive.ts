import { credentialOf } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { FIRST_LOOKS_MS, retryOnAnnouncement } from "@/lib/db/announcements";
import { acknowledge } from "./acknowledge";
import type { Receive, Received } from "./consumer-contract";
import { leaseReady } from "./lease-ready";
import { type EventRow, serializeLeased } from "./serialize";
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
): Promise<Received> {
  const acks = input.ack && (await acknowledge(caller, inboxId, input.ack));
  const milliseconds = (input.wait_seconds ?? 0) * 1000;
  const rows =
    milliseconds === 0
      ? await leaseReady(caller, inboxId, input)
      : await leaseWithin(milliseconds, caller, inboxId, input, client.signal);
  return {
    object: "list",
    data: rows.map(serializeLeased),
    has_more: false,
    next_cursor: null,
    ...(acks && { acks }),
  };
}

async function leaseWithin(
  milliseconds: number,
  caller: Caller,
  inboxId: string,
  input: Receive,
  signal: AbortSignal,
): Promise<EventRow[]> {
  const credential = credentialOf(caller);
  const atOnce = await leaseReady(caller, inboxId, input);
  if (atOnce.length > 0) return atOnce;
  const deadline = performance.now() + milliseconds;
  const topics = [topicOf(inboxId), ...credential.topics];
  let looks: number[] = [];
  const found = await retryOnAnnouncement(topics, { milliseconds, signal }, async (lookAgainIn) => {
    const left = Math.max(Math.ceil(deadline - performance.now()), 0);
    const { next, isFirst } = await requestAnnouncements(inboxId, left);
    if (isFirst) looks = [...FIRST_LOOKS_MS];
    lookAgainIn(next, looks.shift());
    const endsIn = await credential.assertLive();
    lookAgainIn(endsIn);
    const rows = await leaseReady(caller, inboxId, input, { signal });
    return rows.length > 0 ? rows : undefined;
  });
  return found ?? [];
}
