import { config } from "@/lib/config/config";
import { isDatabaseDown } from "@/lib/db/sql";
import { dispatchDue, stopDispatching } from "@/lib/messages/dispatch";
import { sweep } from "@/lib/upkeep/sweep";

/**
 * Sends what is due every `DISPATCH_INTERVAL_SECONDS`, and sweeps. A round that waits for a slow
 * target does not hold up the next. Returns what ends it: nothing new is started, and the promise
 * resolves when all deliveries of this process have ended.
 */
export function startScheduler(): () => Promise<void> {
  const seconds = config().dispatchIntervalSeconds;
  const rounds = new Set<Promise<void>>();
  const tick = () => {
    const round = runRound(seconds).finally(() => rounds.delete(round));
    rounds.add(round);
  };
  const timer = seconds > 0 ? setInterval(tick, seconds * 1000) : undefined;
  return async () => {
    clearInterval(timer);
    stopDispatching();
    await Promise.all(rounds);
  };
}

async function runRound(overdueSeconds: number) {
  try {
    // An explicit dispatch call has the first go.
    await dispatchDue({ overdueSeconds });
    await sweep();
  } catch (error) {
    // A database that is restarting is back by one of the next rounds.
    if (!isDatabaseDown(error)) console.error("A round of the scheduler failed:", error);
  }
}
