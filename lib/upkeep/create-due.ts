import { coalesced } from "@/lib/platform/background/coalesced";
import { config } from "@/lib/platform/config/config";
import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { runDueSchedules } from "@/lib/resources/schedules/dispatch";
import { pushSoon } from "@/lib/resources/subscriptions/pusher";
import { catchUpAll } from "@/lib/resources/webhooks/forward/catch-up";
import { continueReplays } from "@/lib/resources/webhooks/replays/run";
import { runApart } from "./run-apart";

/** Rounds overlap: a slow job would otherwise take a connection for each of them. */
const catchUp = coalesced("catchUpAll", catchUpAll);

/**
 * Creates what is due: runs of schedules, within the budget, forwards that were held back, pushes of
 * changes, and messages of bulk replays. A failed job does not stop the others. Does nothing while
 * dispatch is off.
 */
export async function createDue(budgetMs = config().dispatchBudgetMs): Promise<void> {
  if (await isDispatchOff()) return;
  await runApart({
    runDueSchedules: () => runDueSchedules(budgetMs),
    pushSoon,
    continueReplays,
    catchUpAll: catchUp,
  });
}
