import { setTimeout as pause } from "node:timers/promises";
import { oncePerProcess } from "@/lib/platform/process";
import { RUN_SECONDS, type Run, releaseKeys } from "./response-records";

const RETRY_MS = 1000;
/** More runs than this fail only in a flood. The rest free their keys when they expire. */
const FAILED_MAX = 1000;

/** By owner. While there are any, `releaseAll` runs. */
const failedRuns = oncePerProcess(
  "http.failed-runs",
  () => new Map<string, { run: Run; expiresAt: number }>(),
);

/**
 * Frees the key of a run that failed with the database, as soon as the database is back. Whether
 * the run took the key, or stored its response, may be unknown until it expires: a commit that
 * waits for a standby is seen late. A stored response stays.
 */
export function releaseLater(run: Run): void {
  if (failedRuns.size >= FAILED_MAX) return;
  failedRuns.set(run.owner, { run, expiresAt: performance.now() + RUN_SECONDS * 1000 });
  if (failedRuns.size === 1) void releaseAll();
}

async function releaseAll(): Promise<void> {
  while (failedRuns.size > 0) {
    await pause(RETRY_MS, undefined, { ref: false });
    const runs = [...failedRuns.values()].map(({ run }) => run);
    const released = await releaseKeys(runs).catch(() => []);
    for (const owner of released) failedRuns.delete(owner);
    for (const [owner, { expiresAt }] of failedRuns)
      if (performance.now() > expiresAt) failedRuns.delete(owner);
  }
}
