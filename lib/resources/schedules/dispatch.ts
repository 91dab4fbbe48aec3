import { isDeleted } from "@/lib/identity/organizations/deleted";
import { isDatabaseDown, isDatabaseGone } from "@/lib/platform/db/failures";
import { query, SHORT_WAITS, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { mapInTurns } from "@/lib/platform/loop-turns";
import { logError } from "@/lib/platform/telemetry/log";
import { MISSED_AFTER_SECONDS } from "./contract";
import { InboxesFull, makeRuns, type Planned, recordRuns } from "./run";
import { isExhausted, type ScheduleRow, STORED_COLUMNS } from "./serialize";
import { timesAfter } from "./timing";

const SCHEDULES_PER_TRANSACTION = 100;
const TARGET_BYTES_PER_TRANSACTION = 4_000_000;
/** Schedules of a deleted organization do not run. */
const MAY_RUN = sql`NOT ${isDeleted(sql`organization_id`)}`;

/** Runs all schedules that are due. Concurrent calls share the work, and each time of a schedule runs once. */
export async function runDueSchedules(budgetMs: number): Promise<void> {
  const deadline = performance.now() + budgetMs;
  while (performance.now() < deadline) {
    const ids = await dueIds();
    // Another process has locked them, or none of them can be run.
    if (ids.length === 0 || (await runDue(ids, deadline)) === 0) return;
  }
}

function runTogether(ids: string[], waits = false): Promise<number> {
  return transaction(async (db) => {
    // (a) A dispatcher that holds them may roll back.
    if (waits)
      await query(sql`SELECT FROM schedules WHERE id = ANY (${ids}) FOR NO KEY UPDATE`, db);
    const rows = await lockDue(ids, db);
    await makeRuns(await advance(rows, db), db);
    return rows.length;
  });
}

/** Runs these schedules. One that fails does not stop the others. Returns how many were due. */
async function runDue(ids: string[], deadline: number): Promise<number> {
  const [first = ""] = ids;
  try {
    return await (ids.length > 1 ? runTogether(ids) : runOne(first));
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    // One that cannot be run now, for instance since its inbox is locked, stays due.
    if (ids.length === 1) return 0;
    const alone = ids.filter((id) => !(error instanceof InboxesFull) || error.scheduleIds.has(id));
    const together = ids.filter((id) => !alone.includes(id));
    return runEach([together, ...alone.map((id) => [id])], deadline);
  }
}

/**
 * Runs a schedule if it is due, and returns how many were. Skips one that a dispatcher has locked, unless
 * `waits`. Throws only what a retry may fix.
 */
export async function runOne(id: string, { waits = false } = {}): Promise<number> {
  try {
    return await runTogether([id], waits);
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    logError("A schedule could not be run:", error);
    return passOver([id]);
  }
}

/** Runs groups of schedules, each in a transaction of its own. */
async function runEach(groups: string[][], deadline: number): Promise<number> {
  let found = 0;
  for (const ids of groups) {
    if (performance.now() >= deadline) break;
    if (ids.length > 0) found += await runDue(ids, deadline);
  }
  return found;
}

/**
 * Round-robin between organizations, so that one organization's schedules do not delay others';
 * those without an owner count as one organization, in turn between the networks of their creators.
 * Reads only the sizes of targets, few of which fit into a transaction.
 */
async function dueIds(): Promise<string[]> {
  // (d) Takes turns and sums sizes.
  const rows = await query<{ id: string }>(sql`
    SELECT id FROM (
      SELECT id, row_number() OVER upto AS place, sum(size) OVER upto AS bytes
      FROM (SELECT id, due_at, size,
                   row_number() OVER (PARTITION BY organization_id ORDER BY place, due_at, id) AS turn
            FROM (
              SELECT id, organization_id, due_at, octet_length(target) AS size, row_number() OVER (
                PARTITION BY organization_id, CASE WHEN organization_id IS NULL THEN network END
                ORDER BY due_at, id) AS place
              FROM schedules WHERE due_at <= unix_now() AND ${MAY_RUN}
            ) AS queued
            ORDER BY turn, due_at, id LIMIT ${SCHEDULES_PER_TRANSACTION}) AS due
      WINDOW upto AS (ORDER BY turn, due_at, id)
    ) AS measured
    WHERE place = 1 OR bytes <= ${TARGET_BYTES_PER_TRANSACTION}`);
  return rows.map(({ id }) => id);
}

/** (a) SKIP LOCKED leaves to other dispatchers what they run; afterwards it is no longer due. */
function lockDue(ids: string[], db: Transaction): Promise<ScheduleRow[]> {
  return query<ScheduleRow>(
    sql`SELECT ${STORED_COLUMNS}, unix_now() AS now, ${SHORT_WAITS} FROM schedules
        WHERE id = ANY (${ids}) AND due_at <= unix_now() AND ${MAY_RUN}
        ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    db,
  );
}

/** Advances locked schedules to their next times, and returns the runs to make. */
async function advance(rows: ScheduleRow[], db: Transaction): Promise<Planned[]> {
  const plans = await mapInTurns(rows, (schedule) => ({ schedule, ...planOf(schedule) }));
  // (b) Advances all of them.
  await query(
    sql`UPDATE schedules SET checked_until = greatest(checked_until, plan.now), due_at = plan.next
        FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ now }) => now)}::bigint[],
                    ${plans.map(({ next }) => next)}::bigint[]) AS plan (id, now, next)
        WHERE schedules.id = plan.id`,
    db,
  );
  return plans.flatMap(({ schedule, times }) =>
    times.map((time, index) => ({
      schedule,
      time,
      manual: false,
      before: schedule.run_count + index,
    })),
  );
}

/**
 * The times to run now, in order: every time since the last check that was not missed. With
 * `catch_up: once`, the first missed time also runs, on behalf of all of them. `next` is when to check
 * again; null for never.
 */
function planOf(row: ScheduleRow): { times: number[]; next: number | null } {
  if (row.paused || isExhausted(row)) return { times: [], next: null };
  const { now, checked_until: checked } = row;
  const missedUntil = now - MISSED_AFTER_SECONDS - 1;
  const catchesUp = row.catch_up === "once" && checked < missedUntil;
  const times = catchesUp
    ? timesAfter(row, checked, 1).filter((first) => first <= missedUntil)
    : [];
  let [next] = timesAfter(row, Math.max(checked, missedUntil), 1);
  // One at a time, since finding one of a rare date takes milliseconds.
  while (next !== undefined && next <= now) {
    times.push(next);
    [next] = timesAfter(row, next, 1);
  }
  return { times, next: next ?? null };
}

/** Advances a schedule without a run, and records its runs as failed. 0 if even that fails. */
async function passOver(ids: string[]): Promise<number> {
  const work = async (db: Transaction) => {
    const planned = await advance(await lockDue(ids, db), db);
    await recordRuns(planned, new Map(), db);
    return 1;
  };
  return transaction(work).catch((error) => {
    logError("A schedule could not be advanced:", error);
    return 0;
  });
}
