import { config } from "@/lib/platform/config/config";
import { dispatchDue, stopDispatching } from "@/lib/resources/messages/dispatch";
import { replaysEnded } from "@/lib/resources/messages/dispatch-replays";
import { sendNotices } from "@/lib/resources/notices/send";
import { pushesEnded } from "@/lib/resources/subscriptions/pusher";
import { createDue } from "@/lib/upkeep/create-due";
import { runApart } from "@/lib/upkeep/run-apart";
import { SWEEP_BUDGET_MS, sweep } from "@/lib/upkeep/sweep";

const NOTICES_BUDGET_MS = 20_000;

/**
 * Dispatches and sweeps every `DISPATCH_INTERVAL_SECONDS`. Rounds may overlap, so that a slow
 * target does not delay the next one. Returns a function that stops the scheduler and resolves once
 * all running deliveries have ended.
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
    await Promise.all([...rounds, replaysEnded(), pushesEnded()]);
  };
}

async function runRound(graceSeconds: number) {
  // Leaves new messages to an explicit dispatch call first, and so to a later round.
  const dispatching = runApart({ dispatchDue: () => dispatchDue({ graceSeconds }) });
  const others = runApart({
    createDue,
    // Mail servers may be slow: later rounds do not wait for this one.
    sendNotices: () => sendNotices(NOTICES_BUDGET_MS),
    sweep: () => sweep(SWEEP_BUDGET_MS),
  });
  // A failure: the database is down, and a later round tries again.
  await Promise.allSettled([dispatching, others]);
}
