import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { runDueSchedules } from "@/lib/resources/schedules/dispatch";
import { pushAllChanges } from "@/lib/resources/subscriptions/push";
import { catchUpAll } from "@/lib/resources/webhooks/forward/catch-up";
import { continueReplays } from "@/lib/resources/webhooks/replays/run";
import { runApart } from "./run-apart";

const jobs = {
  runDueSchedules,
  catchUpAll: oneAtATime(catchUpAll),
  pushAllChanges: oneAtATime(pushAllChanges),
  continueReplays,
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

/**
 * The same job, but one at a time: calls during a run share the next one. Rounds overlap, and what
 * is slow for one of them would take a connection for each.
 */
function oneAtATime(job: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last
      .catch(() => {})
      .then(() => {
        next = undefined;
        last = job();
        return last;
      });
    return next;
  };
}
