import { isDatabaseDown } from "@/lib/db/failures";
import { runDueSchedules } from "@/lib/schedules/dispatch";
import { pushAllChanges } from "@/lib/subscriptions/push";
import { catchUpAll } from "@/lib/webhooks/forward/catch-up";

const jobs = { runDueSchedules, catchUpAll, pushAllChanges };

/**
 * Stores what is due: runs of schedules, forwards that were held back and changes to push. A
 * failure of one job does not stop the others.
 */
export async function createDue(): Promise<void> {
  for (const [name, job] of Object.entries(jobs)) {
    await job().catch((error: unknown) => {
      if (isDatabaseDown(error)) throw error;
      console.error(`${name} failed:`, error);
    });
  }
}
