import { unclaimedAmong } from "@/lib/identity/organizations/unclaimed";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { sql, type Transaction } from "@/lib/platform/db/sql";
import { shownHeaders } from "@/lib/resources/messages/shown-headers";
import { isKnownClaimed, isUnclaimed } from "@/lib/resources/storage/public-owners";
import { toResource } from "@/lib/resources/to-resource";
import {
  type CreatedSchedule,
  NEXT_RUNS,
  PUBLIC_RUNS_MAX,
  Schedule,
  ScheduleRun,
  type ScheduleTarget,
} from "./contract";
import { timesAfter } from "./timing";

/** The columns of a `ScheduleRow`, without `now`. */
export const STORED_COLUMNS = columns(
  "Schedule",
  `id, organization_id, claim_token_digest, network, changed_without_token, name, cron, timezone,
   every_seconds, starts_at, ends_at, paused, catch_up, target, public_only, external_id,
   checked_until, due_at, last_run_at, run_count, created_at, updated_at, revision`,
);

export const SCHEDULE_COLUMNS = sql`${STORED_COLUMNS}, unix_now() AS now`;

/** A row of `schedules`, at the database's time `now`. */
export type ScheduleRow = RowOf<typeof STORED_COLUMNS> & { now: number };

export function serializeSchedule(row: ScheduleRow, caller: Caller): Schedule {
  return toResource(Schedule, row, {
    target: shownTarget(row, caller),
    next_runs: row.paused || isExhausted(row) ? [] : timesAfter(row, row.now, NEXT_RUNS),
  });
}

/** The response to a create. Its record was made before the time of creation was known. */
export function asCreated(recorded: CreatedSchedule): CreatedSchedule {
  const { paused, created_at } = recorded;
  return { ...recorded, next_runs: paused ? [] : timesAfter(recorded, created_at, NEXT_RUNS) };
}

function shownTarget(
  { target: stored, organization_id }: ScheduleRow,
  caller: Caller,
): ScheduleTarget {
  const target: ScheduleTarget = JSON.parse(stored);
  const { message } = target;
  if (!message?.headers) return target;
  return {
    message: { ...message, headers: shownHeaders(message.headers, organization_id, caller) },
  };
}

/**
 * Whether it has stopped until it is claimed: its last run failed with `public_limit`. That of an
 * unclaimed agent keeps failing, since a claim of the agent does not start it again.
 */
export function isExhausted({ organization_id, run_count }: ScheduleRow): boolean {
  return organization_id === null && run_count > PUBLIC_RUNS_MAX;
}

/**
 * Whether an owner's schedules have a limit of runs. Asks the database unless the owner is known to
 * be claimed: a process that has just started knows no owner.
 */
export async function isLimited(owner: string | null, db: Transaction): Promise<boolean> {
  if (owner === null) return true;
  if (config().localMode || (!isUnclaimed(owner) && isKnownClaimed(owner))) return false;
  return (await unclaimedAmong([owner], db)).length > 0;
}

export const RUN_COLUMNS = columns(
  "ScheduleRun",
  "id, schedule_id, scheduled_for, manual, resource_id, inbox_id, reason, created_at",
);

export type RunRow = RowOf<typeof RUN_COLUMNS>;

export function serializeRun(row: RunRow): ScheduleRun {
  return toResource(ScheduleRun, row, { status: row.resource_id === null ? "failed" : "created" });
}
