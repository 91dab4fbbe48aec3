import { waitUntil } from "@vercel/functions";
import { onLeader } from "@/lib/platform/background/leader";
import { config } from "@/lib/platform/config/config";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { isStopping, pauseAfterContention, startLeased } from "./dispatch";
import { leaseReplays } from "./lease";
import { type Busy, busyWith, laneMax, NONE, type Queued } from "./turns";

const loop = oncePerProcess("messages.replays", () => ({
  running: undefined as Promise<void> | undefined,
  isCalled: false,
  wake: () => {},
}));

/**
 * Delivers due replays in the background, without waiting for the scheduler's next round. That
 * round delivers those that found no free slot.
 */
export function dispatchReplaysSoon(): void {
  waitUntil(dispatchReplays().catch(() => {}));
}

/** Resolves once the deliveries that this process started for replays have ended. */
export async function replaysEnded(): Promise<void> {
  await loop.running;
}

/** One loop in the leader. Calls made while it runs trigger one more pass. */
const dispatchReplays = onLeader("dispatchReplays", async () => {
  loop.isCalled = true;
  loop.wake();
  loop.running ??= run();
  await loop.running;
});

async function run(): Promise<void> {
  const running = new Set<Queued>();
  const pending = new Set<Promise<void>>();
  try {
    while (!isStopping()) {
      loop.isCalled = false;
      const called = new Promise<void>((resolve) => {
        loop.wake = resolve;
      });
      const earlier = [...pending];
      const { started, contended } = await startLeased((busy) =>
        leaseReplays(withHalfTaken(busy, [...running])),
      );
      for (const { message, result } of started) {
        running.add(message);
        const delivery = result.then(() => {
          running.delete(message);
          pending.delete(delivery);
        });
        pending.add(delivery);
      }
      if (started.length > 0) continue;
      if (contended) await pauseAfterContention();
      // A delivery that ended during the lease may have freed a slot after the lease counted them.
      else if (earlier.length > 0) await Promise.race([called, ...earlier]);
      else if (!loop.isCalled) break;
    }
  } catch (error) {
    if (!isDatabaseDown(error)) logError("Replays could not be dispatched:", error);
  } finally {
    if (pending.size > 0) await Promise.all(pending);
    loop.running = undefined;
  }
}

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
    const taken = Math.floor(laneMax(organization_id) / 2) + (own.get(lane) ?? 0);
    lanes.set(lane, Math.max(lanes.get(lane) ?? 0, taken));
  }
  return { ...busy, total: Math.max(busy.total, deliveriesMax - slots), lanes };
}
