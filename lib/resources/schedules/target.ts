import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { Transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { assertDelay } from "@/lib/resources/inboxes/events/arrival";
import { assertInboxOwner, sameOwner } from "@/lib/resources/inboxes/owned";
import { assertReachable } from "@/lib/resources/messages/target";
import type { ScheduleTarget } from "./contract";

/** A public schedule is one write that makes many resources, so those must be small. */
export const PUBLIC_TARGET_BYTES_MAX = 10_000;

const INBOX = { param: "target.inbox_event.inbox_id", refusal: sameOwner("schedule") };

/**
 * Throws 400, 403 and 404 unless a schedule of this owner may have the target: it must be small if
 * the schedule is public, an inbox must have the same owner, and an event must outlive its delay. A
 * request that the service sent by itself may not set a message.
 */
export async function assertTarget(
  caller: Caller,
  owner: string | null,
  target: ScheduleTarget,
  db?: Transaction,
): Promise<void> {
  const { inbox_event: event } = target;
  if (owner === null && Buffer.byteLength(JSON.stringify(target)) > PUBLIC_TARGET_BYTES_MAX) {
    throw invalidParam(
      "target",
      `"target" of a schedule without an owner must have at most ${PUBLIC_TARGET_BYTES_MAX} bytes as JSON.`,
    );
  }
  assertNoChain(caller, target);
  assertTargetReachable(caller, target);
  if (!event) return;
  const { inboxMaxBodyBytes } = config();
  if (Buffer.byteLength(event.body ?? "") > inboxMaxBodyBytes) {
    throw invalidParam(
      "target.inbox_event.body",
      `"target.inbox_event.body" must have at most ${inboxMaxBodyBytes} bytes.`,
    );
  }
  const inbox = await assertInboxOwner(caller, owner, event.inbox_id, INBOX, db);
  const { delay_seconds = 0, ttl_seconds = inbox.default_ttl_seconds } = event;
  assertDelay("target.inbox_event.delay_seconds", delay_seconds, ttl_seconds);
}

/** Throws 403 when a message that the service sends by itself would cause a schedule to send, perhaps without end. */
export function assertNoChain({ isRelayed }: Caller, { message }: ScheduleTarget): void {
  if (!isRelayed || !message) return;
  throw new ApiError(
    "forbidden",
    "A message of a schedule, forward, subscription or question cannot run a schedule that sends messages, or make one.",
  );
}

/** Throws 403 when a foreign web page uses a schedule that sends to this machine or a private network. */
export function assertTargetReachable(caller: Caller, { message }: ScheduleTarget): void {
  if (message) assertReachable(caller, message.url, "target.message.url");
}
