import { coalesced } from "@/lib/platform/background/coalesced";
import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { runDueSchedules } from "@/lib/resources/schedules/dispatch";
import { pushAllChanges } from "@/lib/resources/subscriptions/push";
import { pushEventsSoon } from "@/lib/resources/subscriptions/push-events";
import { catchUpAll } from "@/lib/resources/webhooks/forward/catch-up";
import { continueReplays } from "@/lib/resources/webhooks/replays/run";
import { runApart } from "./run-apart";

// Rounds overlap: a slow job would otherwise take a connection for each of them.
const jobs = {
  runDueSchedules,
  catchUpAll: coalesced("catchUpAll", catchUpAll),
  pushAllChanges: coalesced("pushAllChanges", pushAllChanges),
  continueReplays,
  pushEventsSoon,
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
