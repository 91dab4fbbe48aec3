import { waitUntil } from "@vercel/functions";
import { isDatabaseDown } from "@/lib/db/failures";
import { inPrimary } from "@/lib/primary";
import { oncePerProcess } from "@/lib/process";
import { logError } from "@/lib/telemetry/log";
import { isStopping, startLeased } from "./dispatch";
import { leaseReplays } from "./lease";

/**
 * Delivers due replays in the background, without waiting for the scheduler's next round. That
 * round delivers what found no room.
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
  try {
    while ((current.isCalled || pending.size > 0) && !isStopping()) {
      current.isCalled = false;
      const called = new Promise<void>((resolve) => {
        current.wake = resolve;
      });
      const { started } = await startLeased(leaseReplays, new Set());
      for (const { result } of started) {
        const delivery = result.then(() => void pending.delete(delivery));
        pending.add(delivery);
      }
      if (started.length === 0 && pending.size > 0) await Promise.race([called, ...pending]);
    }
  } catch (error) {
    if (!isDatabaseDown(error)) logError("Replays could not be dispatched:", error);
  } finally {
    if (pending.size > 0) await Promise.all(pending);
    current.running = undefined;
  }
}

function loop() {
  return oncePerProcess("messages.replays", () => ({
    running: undefined as Promise<void> | undefined,
    isCalled: false,
    wake: () => {},
  }));
}
