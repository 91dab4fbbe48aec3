import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import { onLeader } from "@/lib/platform/background/leader";
import { config } from "@/lib/platform/config/config";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { isUnclaimed } from "@/lib/resources/storage/public-owners";
import { backgroundEnd, isStopping, pauseAfterContention, startLeased } from "./dispatch";
import { oldestReplays } from "./due";
import { leaseFrom } from "./lease";
import { type Busy, busyWith, laneMax, NONE, type Queued } from "./turns";

const replays = oncePerProcess("messages.replays", () => ({
  running: new Set<Queued>(),
  /** The deliveries, each with the start of those that its end makes room for. */
  pending: new Set<Promise<void>>(),
  /** `backgroundEnd()` as of the last start with nothing pending. */
  end: 0,
}));

/**
 * Delivers due replays in the background, without waiting for the scheduler's next round. That
 * round delivers those that found no free slot.
 */
export function dispatchReplaysSoon(): void {
  waitUntil(startInLeader().catch(() => {}));
}

/**
 * Starts due replays, unless the server stops. Resolves once the deliveries that this process started
 * for replays have ended.
 */
export async function replaysEnded(): Promise<void> {
  await startDue();
  while (replays.pending.size > 0) await Promise.all(replays.pending);
}

/** Starts due replays, as many as there is room for. An instance on Vercel waits for each delivery. */
const startDue = coalesced("startReplays", async () => {
  const { running, pending } = replays;
  if (pending.size === 0) replays.end = backgroundEnd();
  try {
    while (!isStopping() && performance.now() < replays.end) {
      const { started, isIncomplete } = await startLeased((busy) =>
        leaseFrom(oldestReplays(), withHalfTaken(busy, [...running])),
      );
      for (const { message, result } of started) {
        running.add(message);
        const delivery = result
          .then(() => {
            running.delete(message);
            return startDue();
          })
          .finally(() => pending.delete(delivery));
        pending.add(delivery);
        waitUntil(delivery);
      }
      if (started.length > 0) continue;
      if (!isIncomplete) return;
      await pauseAfterContention();
    }
  } catch (error) {
    if (!isDatabaseDown(error)) logError("Replays could not be dispatched:", error);
  }
});

/** Starts due replays in the leader, without waiting for them to end. */
const startInLeader = onLeader("startReplays", startDue);

/**
 * Pretends that others hold half of the server's slots and of each lane's. Otherwise this loop
 * would take every slot that becomes free, and leave none for other messages.
 */
function withHalfTaken(busy: Busy, running: Queued[]): Busy {
  const { deliveriesMax, deliveriesPerOrganizationMax } = config();
  const slots = Math.min(
    Math.ceil(deliveriesMax / 2) - running.length,
    Math.ceil(deliveriesPerOrganizationMax / 2),
  );
  const own = busyWith(NONE, running).lanes;
  const lanes = new Map(busy.lanes);
  for (const { lane, organization_id } of running) {
    const taken = Math.floor(laneMax(isUnclaimed(organization_id)) / 2) + (own.get(lane) ?? 0);
    lanes.set(lane, Math.max(lanes.get(lane) ?? 0, taken));
  }
  return { ...busy, total: Math.max(busy.total, deliveriesMax - slots), lanes };
}
