import { coalesced } from "@/lib/platform/background/coalesced";
import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { runDueSchedules } from "@/lib/resources/schedules/dispatch";
import { pushSoon } from "@/lib/resources/subscriptions/pusher";
import { catchUpAll } from "@/lib/resources/webhooks/forward/catch-up";
import { continueReplays } from "@/lib/resources/webhooks/replays/run";
import { runApart } from "./run-apart";

const jobs = {
  runDueSchedules,
  pushSoon,
  continueReplays,
  // Rounds overlap: a slow job would otherwise take a connection for each of them.
  catchUpAll: coalesced("catchUpAll", catchUpAll),
};

/**
 * Creates what is due: runs of schedules, forwards that were held back, pushes of changes, and
 * messages of bulk replays. A failed job does not stop the others. Does nothing while dispatch is
 * off.
 */
export async function createDue(): Promise<void> {
  if (await isDispatchOff()) return;
  await runApart(jobs);
}
