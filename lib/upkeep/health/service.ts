import { unavailable } from "@/lib/platform/errors";
import { shutdown } from "@/lib/platform/process";
import service from "@/package.json" with { type: "json" };
import type { Health, Liveness, Readiness } from "./contract";
import { checkDatabase, type DatabaseState } from "./database";

const OFF =
  "A backup was restored. Nothing is sent and no schedule runs until the operator runs npm run resume.";

/** Degraded when dispatch is off, or when messages have been due for so long without one. */
export const LATE_SECONDS = 60;

/** Throws 503 when the database cannot be written. */
export async function health(): Promise<Health> {
  const state = await checkDatabase();
  const reason = degradedReason(state);
  return {
    status: reason ? "degraded" : "ok",
    ...(reason && { reason }),
    version: service.version,
    database: "ok",
    last_dispatch_at: state.last_dispatch_at,
    oldest_due_seconds: state.oldest_due_seconds,
  };
}

/** Does not ask the database, which a restart would not repair. */
export function liveness(): Liveness {
  return { status: "ok" };
}

/** Throws 503 when the server is stopping or the database cannot be written. */
export async function readiness(): Promise<Readiness> {
  if (shutdown.hasBegun) throw unavailable("The server is stopping.");
  await checkDatabase();
  return { status: "ready" };
}

function degradedReason(state: DatabaseState): string | undefined {
  if (state.is_dispatch_off) return OFF;
  const { oldest_due_seconds: due, seconds_since_dispatch: since } = state;
  if (due === null || due < LATE_SECONDS) return undefined;
  if (since !== null && since < LATE_SECONDS) return undefined;
  const dispatched = since === null ? "has not run yet" : `ran ${since} seconds ago`;
  return `Scheduled messages are not being sent: the oldest has been due for ${due} seconds, and the last dispatch ${dispatched}.`;
}
