import { networkOf } from "@/lib/platform/addresses";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, together } from "@/lib/platform/db/commit";
import { sql } from "@/lib/platform/db/sql";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import type { ScheduleRun } from "./contract";
import { makeRuns, targetOf } from "./run";
import { RUN_COLUMNS, type RunRow, serializeRun } from "./serialize";
import { findSchedule, lockSchedule } from "./service";
import { assertNoChain, assertTargetReachable } from "./target";

/** The newest runs of a schedule. Throws 404 and 403. */
export async function listRuns(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<ScheduleRun>> {
  await findSchedule(caller, id);
  return listNewest<RunRow, ScheduleRun>(
    {
      table: sql`schedule_runs`,
      columns: RUN_COLUMNS,
      conditions: [sql`schedule_id = ${id}`],
      serialize: serializeRun,
    },
    listQuery,
  );
}

/**
 * Runs a schedule now, even if it is paused. Its next times do not change. Without an owner, what the run
 * stores counts for the network of `address`, the client that asks. The run says whether it failed. Throws
 * 404, and 403 also for a message that could cause the next (`assertNoChain`).
 */
export async function runNow(
  caller: Caller,
  id: string,
  address: string | null,
  commit: Commit,
): Promise<ScheduleRun> {
  const run = together(async (db) => {
    const stored = await lockSchedule(caller, id, db);
    const target = targetOf(stored);
    assertNoChain(caller, target);
    assertTargetReachable(caller, target);
    const public_only = stored.public_only || caller.foreignPage !== undefined;
    const schedule = { ...stored, public_only, network: networkOf(address, 48) };
    const planned = { schedule, time: schedule.now, manual: true, before: schedule.run_count };
    const [made] = await makeRuns([planned], db);
    if (!made) throw new Error("A run was not recorded.");
    return serializeRun(made);
  });
  return commit(run);
}
