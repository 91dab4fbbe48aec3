import { isDatabaseGone } from "@/lib/platform/db/failures";
import { logError } from "@/lib/platform/telemetry/log";

/**
 * Runs the jobs in sequence. A failed job is logged and does not stop the others, unless the
 * database is down.
 */
export async function runApart(jobs: Record<string, () => Promise<unknown>>): Promise<void> {
  for (const [name, job] of Object.entries(jobs)) {
    await job().catch((error: unknown) => {
      if (isDatabaseGone(error)) throw error;
      logError(`${name} failed:`, error);
    });
  }
}
