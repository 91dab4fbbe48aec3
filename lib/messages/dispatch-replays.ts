import { waitUntil } from "@vercel/functions";
import { config } from "@/lib/config/config";
import { isDatabaseDown } from "@/lib/db/failures";
import { inPrimary } from "@/lib/primary";
import { oncePerProcess } from "@/lib/process";
import { logError } from "@/lib/telemetry/log";
import { isStopping, pauseAfterContention, startLeased } from "./dispatch";
import { leaseReplays, type Room } from "./lease";

/**
 * Delivers due replays in the background, without waiting for the scheduler's next round. That
 * round delivers those for which there was no room.
 */
export function dispatchReplaysSoon(): void {
  waitUntil(dispatchReplays().catch(() => {}));
}

/** Resolves when the deliveries that this process started for replays have ended. */
export async function replaysEnded(): Promise<void> {
  await loop().running;
}

/** One loop in the primary; a call while it runs makes it look again. */
const dispatchReplays = inPrimary("dispatchReplays", async () => {
  const current = loop();
  current.isCalled = true;
  current.wake();
  current.running ??= run();
  await current.running;
});

async function run(): Promise<void> {
  const current = loop();
  const pending = new Set<Promise<void>>();
  const lanes = new Map<string, number>();
  const add = (lane: string, difference: number) =>
    lanes.set(lane, (lanes.get(lane) ?? 0) + difference);
  try {
    while (!isStopping()) {
      current.isCalled = false;
      const called = new Promise<void>((resolve) => {
        current.wake = resolve;
      });
      const earlier = [...pending];
      const { started, contended } = await startLeased(
        (room) => leaseReplays(halfOf(room, pending.size, lanes)),
        new Set(),
      );
      for (const { lane, result } of started) {
        add(lane, 1);
        const delivery = result.then(() => {
          add(lane, -1);
          pending.delete(delivery);
        });
        pending.add(delivery);
      }
      if (started.length > 0) continue;
      if (contended) await pauseAfterContention();
      // One that ended during the lease may have made room after the lease looked.
      else if (earlier.length > 0) await Promise.race([called, ...earlier]);
      else if (!current.isCalled) break;
    }
  } catch (error) {
    if (!isDatabaseDown(error)) logError("Replays could not be dispatched:", error);
  } finally {
    if (pending.size > 0) await Promise.all(pending);
    current.running = undefined;
  }
}

/**
 * Half of the server's deliveries and of each organization's, without those that run: this loop
 * takes every place that becomes free, and other messages would find none.
 */
function halfOf(room: Room, running: number, lanes: ReadonlyMap<string, number>): Room {
  const { deliveriesMax, deliveriesPerOrganizationMax } = config();
  const most = Math.ceil(deliveriesMax / 2);
  const mostOfLane = Math.ceil(deliveriesPerOrganizationMax / 2);
  const left = new Map(room.lanes);
  for (const [lane, count] of lanes) {
    const free = room.lanes.get(lane) ?? deliveriesPerOrganizationMax;
    left.set(lane, Math.max(Math.min(free, mostOfLane - count), 0));
  }
  const total = Math.max(Math.min(room.total, most - running, mostOfLane), 0);
  return { ...room, total, lanes: left };
}

function loop() {
  return oncePerProcess("messages.replays", () => ({
    running: undefined as Promise<void> | undefined,
    isCalled: false,
    wake: () => {},
  }));
}
