import { organizationOf } from "@/lib/identity/access";
import { creatorNetwork } from "@/lib/identity/anonymous";
import type { Caller } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { type Insertion, inserter } from "@/lib/resources/insertion";
import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { resource } from "@/lib/resources/resource";
import { givenColumns } from "@/lib/resources/update";
import { originOf } from "@/lib/resources/url-origin";
import { stableTag } from "@/lib/resources/version";
import { type CreatedSchedule, Schedule, ScheduleCreate, ScheduleUpdate } from "./contract";
import { runOne } from "./dispatch";
import { scheduleKind } from "./kind";
import { targetOf } from "./run";
import { SCHEDULE_COLUMNS, type ScheduleRow, serializeSchedule } from "./serialize";
import { assertTarget, assertTargetReachable } from "./target";
import { occurs, TIMEZONE_DEFAULT, type Timing, timesAfter } from "./timing";

export const schedules = resource(scheduleKind, {
  schema: Schedule,
  columns: SCHEDULE_COLUMNS,
  serialize: serializeSchedule,
  get,
  searched: [sql`name`, sql`cron`],
  longTexts: ["target"],
  title: sql`coalesce(name, cron, 'Every ' || every_seconds || ' seconds')`,
  // A run by hand is a use too, although it leaves `updated_at` alone.
  lastUsedAt: sql`greatest(updated_at, (
    SELECT run.created_at FROM schedule_runs AS run
    WHERE run.schedule_id = schedules.id AND run.manual ORDER BY run.id DESC LIMIT 1))`,
  settings: (ids) => sql`
    SELECT id AS resource_id, 'target' AS setting,
           coalesce(${originOf(sql`(target::json #>> '{message,url}')`)},
                    target::json #>> '{inbox_event,inbox_id}', 'task') AS value,
           true AS survives_claim
    FROM schedules WHERE id = ANY (${ids})`,
  stops: sql`(changed_without_token AND NOT paused)`,
  // A schedule that stopped at the limit of public runs continues, without catching up.
  setByClaim: sql`,
    paused = paused OR changed_without_token,
    checked_until = CASE WHEN due_at IS NULL THEN greatest(checked_until, unix_now())
                         ELSE checked_until END,
    due_at = CASE WHEN paused OR changed_without_token THEN NULL
                  ELSE coalesce(due_at, unix_now()) END`,
  large: true,
});

export const { find: findSchedule, list, lock: lockSchedule, remove } = schedules;

/**
 * A new schedule of the caller's organization, or a public one with a claim token. Throws 400 for
 * times that never occur, and 400, 403 and 404 for the target.
 */
export async function creation(
  caller: Caller,
  input: ScheduleCreate,
  db?: Transaction,
): Promise<Insertion<CreatedSchedule>> {
  const owner = organizationOf(caller);
  const now = await unixNow(db);
  const timing = { ...timingOf(input), created_at: now };
  assertTiming(timing);
  assertOccurs(timing, now);
  if (timesAfter(timing, now, 1).length === 0) {
    const [param, where] = timing.ends_at === null ? ["starts_at", "after"] : ["ends_at", "before"];
    throw invalidParam(param, `The schedule would never run: it has no time ${where} ${param}.`);
  }
  await assertTarget(caller, owner, input.target, db);
  const { identity, claim } = schedules.newIdentity(caller);
  const row = {
    ...timing,
    ...identity,
    network: creatorNetwork(caller),
    name: input.name ?? null,
    paused: input.paused ?? false,
    catch_up: input.catch_up ?? "skip",
    target: JSON.stringify(input.target),
    public_only: caller.foreignPage !== undefined,
    external_id: input.external_id ?? null,
  } as const;
  return insertion(caller, row, (made) => {
    const schedule: ScheduleRow = {
      ...made,
      now: made.created_at,
      checked_until: made.created_at,
      due_at: null,
      last_run_at: null,
      run_count: 0,
      changed_without_token: false,
    };
    return { ...serializeSchedule(schedule, caller), ...claim };
  });
}

const insertion = inserter(scheduleKind, {
  columns: [...ScheduleCreate.keyof().options, "network", "public_only"],
  computed: { due_at: sql`CASE WHEN NOT paused THEN unix_now() END` },
});

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Schedule> {
  return serializeSchedule(await findSchedule(caller, id), caller);
}

/**
 * Updates a schedule and returns it. A new `cron` replaces `every_seconds`, and vice versa. Throws
 * 404, 403, 400 like `creation`, and 412 when the precondition fails.
 */
export async function update(
  caller: Caller,
  id: string,
  changes: ScheduleUpdate,
  precondition?: Precondition,
): Promise<Schedule> {
  for (;;) {
    try {
      return await updateFrom(await findSchedule(caller, id), caller, changes, precondition);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}

/** The schedule was changed, or became due, after it was read. */
class Overtaken extends Error {}

async function updateFrom(
  row: ScheduleRow,
  caller: Caller,
  changes: ScheduleUpdate,
  precondition?: Precondition,
): Promise<Schedule> {
  const { id } = row;
  const { target, ...rest } = changes;
  const timing = { ...timingOf(changes, row), created_at: row.created_at };
  assertTiming(timing);
  if (target) await assertTarget(caller, row.organization_id, target);
  const paused = changes.paused ?? row.paused;
  const isMoved = paused !== row.paused || TIMING.some((name) => timing[name] !== row[name]);
  if (changes.cron ?? changes.timezone) assertOccurs(timing, row.now);
  // Runs that are due now belong to the old timing.
  const isDue = isMoved && row.due_at !== null && row.due_at <= row.now;
  if (isDue && !(await isDispatchOff())) await runOne(id, { waits: true });
  const written = {
    ...rest,
    ...(isMoved ? { ...timing, is_moved: true } : UNMOVED),
    known_due_at: isDue ? row.due_at : undefined,
    target: target && JSON.stringify(target),
    public_only: caller.foreignPage && Object.keys(changes).length > 0 ? true : undefined,
  };
  const read = stableTag(serializeSchedule(row, caller));
  let wasAsked = false;
  return updateSchedule(caller, id, written, (shown) => {
    precondition?.(shown);
    // Asked again: the row was changed or became due, so nothing was written.
    if (wasAsked || stableTag(shown) !== read) throw new Overtaken();
    wasAsked = true;
  });
}

const TIMING = ["cron", "timezone", "every_seconds", "starts_at", "ends_at"] as const;

/** Leaves out the given values, which may be spelled differently: a `timezone` of null means UTC. */
const UNMOVED = Object.fromEntries(TIMING.map((name) => [name, undefined]));

const updateSchedule = schedules.updater({
  assertUpdatable: (row, caller) => assertTargetReachable(caller, targetOf(row)),
  // False if it became due after it was read, so that it runs first. A run that fails does not block the change.
  where: sql`(item->'is_moved' IS NULL OR due_at IS NULL OR due_at > unix_now()
    OR due_at = (item->>'known_due_at')::bigint)`,
  // Times before a new timing, or before a resume, are not caught up.
  set: sql`${givenColumns("Schedule", ScheduleUpdate.keyof().options)},
    public_only = public_only OR coalesce((changes).public_only, false),
    checked_until = CASE WHEN item->'is_moved' IS NULL THEN checked_until
                         ELSE greatest(checked_until, unix_now()) END,
    due_at = CASE WHEN item->'is_moved' IS NULL THEN due_at
                  WHEN coalesce((changes).paused, paused) THEN NULL ELSE unix_now() END`,
});

/** The timing of a new schedule, or of one changed from `before`. */
function timingOf(
  input: ScheduleUpdate,
  before?: Omit<Timing, "created_at">,
): Omit<Timing, "created_at"> {
  const byCron = input.cron !== undefined && input.cron !== null;
  const byInterval = input.every_seconds !== undefined && input.every_seconds !== null;
  if (byCron && byInterval) {
    throw invalidParam("every_seconds", "Set either cron or every_seconds, not both.");
  }
  const cron = byInterval ? null : kept(input.cron, before?.cron);
  if (input.timezone && cron === null) {
    throw invalidParam("timezone", "timezone is for cron; every_seconds has none.");
  }
  return {
    cron,
    timezone: cron === null ? null : (kept(input.timezone, before?.timezone) ?? TIMEZONE_DEFAULT),
    every_seconds: byCron ? null : kept(input.every_seconds, before?.every_seconds),
    starts_at: kept(input.starts_at, before?.starts_at),
    ends_at: kept(input.ends_at, before?.ends_at),
  };
}

function kept<Value>(given: Value | undefined, before: Value | undefined): Value | null {
  return (given === undefined ? before : given) ?? null;
}

/** A time may occur in UTC, but never in a zone whose clocks skip it. */
function assertOccurs({ cron, timezone }: Omit<Timing, "created_at">, now: number) {
  if (cron === null || occurs(cron, timezone ?? TIMEZONE_DEFAULT, now)) return;
  throw invalidParam(
    "cron",
    `cron never occurs in ${timezone}: each of its times is skipped when the clocks are set forward.`,
  );
}

function assertTiming({ cron, every_seconds, starts_at, ends_at }: Omit<Timing, "created_at">) {
  if (cron === null && every_seconds === null) {
    throw new ApiError("missing_required_param", "Either cron or every_seconds is required.", {
      param: "cron",
    });
  }
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) {
    throw invalidParam("ends_at", "ends_at must be later than starts_at.");
  }
}
