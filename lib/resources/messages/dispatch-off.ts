import { queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { logWarning } from "@/lib/platform/telemetry/log";

/** Dispatch is off after a backup was restored, until somebody runs `npm run resume`. */
export const DISPATCH_IS_OFF = sql`EXISTS (SELECT FROM restores WHERE resumed_at IS NULL)`;

/** Whether dispatch is off now. Logs each change. */
export async function isDispatchOff(): Promise<boolean> {
  const row = await queryOne<{ is_off: boolean }>(sql`SELECT ${DISPATCH_IS_OFF} AS is_off`);
  const isOff = row?.is_off ?? false;
  const state = oncePerProcess("db.dispatch", () => ({ wasOff: false }));
  if (isOff !== state.wasOff) logWarning(isOff ? OFF : "Dispatch is on again.");
  state.wasOff = isOff;
  return isOff;
}

const OFF =
  "Dispatch is off since a backup was restored: nothing is sent and no schedule runs until npm run resume.";

/** Turns dispatch back on. Returns whether it was off, and how many messages are due. */
export async function resumeDispatch(): Promise<{ wasOff: boolean; due: number }> {
  const row = await queryOne<{ resumed: number; due: number }>(sql`
    WITH resumed AS (
      UPDATE restores SET resumed_at = unix_now() WHERE resumed_at IS NULL RETURNING id
    )
    SELECT (SELECT count(*) FROM resumed) AS resumed,
           (SELECT count(*) FROM scheduled_messages WHERE due_at <= unix_now()) AS due`);
  return { wasOff: (row?.resumed ?? 0) > 0, due: row?.due ?? 0 };
}
