import { type Caller, scopes } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { afterCommit, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import type { Arrival } from "@/lib/resources/inboxes/events/arrival";
import { ownEvent, sendToOwned } from "@/lib/resources/inboxes/events/send";
import type { Insertion } from "@/lib/resources/insertion";
import { contentTypeOf } from "@/lib/resources/messages/content-type";
import * as messages from "@/lib/resources/messages/creation";
import { type RunColumns, runHeaders } from "@/lib/resources/run-headers";
import { shownIdOf } from "@/lib/resources/shown-id";
import {
  countStored,
  countStoredByNetwork,
  isStorageFull,
} from "@/lib/resources/storage/stored-bytes";
import { RESOURCE_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import * as tasks from "@/lib/resources/tasks/service";
import {
  type EventTarget,
  PUBLIC_RUNS_MAX,
  type RunFailure,
  type ScheduleTarget,
} from "./contract";
import { isLimited, RUN_COLUMNS, type RunRow, type ScheduleRow } from "./serialize";

/** How many of a schedule's newest runs are kept. */
export const RUNS_KEPT = 100;

/** A run to be made. */
export interface Planned {
  schedule: ScheduleRow;
  /** The nominal time, Unix seconds. */
  time: number;
  manual: boolean;
  /** The number of the schedule's earlier runs. */
  before: number;
}

type Result = Pick<RunRow, "resource_id" | "inbox_id" | "reason">;

interface Making {
  db: Transaction;
  /** Whether room may be made in a full inbox, which others in the transaction would wait for. */
  frees: boolean;
}

export function targetOf({ target }: ScheduleRow): ScheduleTarget {
  return JSON.parse(target);
}

/** These schedules must run alone: others would wait while room is made in their inboxes. */
export class InboxesFull extends Error {
  readonly scheduleIds: ReadonlySet<string>;

  constructor(scheduleIds: ReadonlySet<string>) {
    super("Inboxes are full.");
    this.scheduleIds = scheduleIds;
  }
}

/**
 * Makes runs in the caller's transaction, and returns their records. Throws `InboxesFull` if an inbox of
 * one of several schedules is full.
 */
export async function makeRuns(planned: Planned[], db: Transaction): Promise<RunRow[]> {
  const idOf = ({ schedule }: Planned) => schedule.id;
  const frees = new Set(planned.map(idOf)).size === 1;
  const results = new Map<Planned, Result>();
  const targets = planned.map((run) => ({ run, target: targetOf(run.schedule) }));
  const inboxOf = ({ target }: { target: ScheduleTarget }) => target.inbox_event?.inbox_id ?? "";
  // Inboxes are locked in the order of their IDs, as captures lock them.
  targets.sort((one, other) =>
    inboxOf(one) < inboxOf(other) ? -1 : Number(inboxOf(one) !== inboxOf(other)),
  );
  for (const { run, target } of targets) {
    results.set(run, await createOne(run, target, { db, frees }));
  }
  const full = planned.filter((run) => results.get(run)?.reason === "inbox_full");
  if (full.length > 0 && !frees) throw new InboxesFull(new Set(full.map(idOf)));
  return recordRuns(planned, results, db);
}

async function createOne(run: Planned, target: ScheduleTarget, making: Making): Promise<Result> {
  const { schedule, before } = run;
  const { db } = making;
  const { organization_id: owner, network } = schedule;
  if (before >= PUBLIC_RUNS_MAX && (await isLimited(owner, db))) return failed("public_limit");
  if (isStorageFull(owner, network)) return failed("storage_full");
  const result = await createTarget(run, target, making);
  if (result.resource_id !== null) afterCommit(db, () => count(schedule, target));
  return result;
}

async function createTarget(run: Planned, target: ScheduleTarget, making: Making): Promise<Result> {
  const { schedule } = run;
  const columns = columnsOf(run);
  if (target.inbox_event) return sendEvent(schedule, target.inbox_event, columns, making);
  // What a run creates has the schedule's claim token, and counts as changed by a stranger if the
  // schedule does.
  const { claim_token_digest, organization_id, changed_without_token: changed } = schedule;
  const changed_without_token = organization_id === null && changed;
  const hidden = { ...columns, claim_token_digest, changed_without_token };
  try {
    const insertion = insertionOf(run, target).withColumns(hidden);
    return { resource_id: (await insertion.store(making.db)).id, inbox_id: null, reason: null };
  } catch (error) {
    if (error instanceof ApiError && error.code === "forbidden") return failed("forbidden");
    throw error;
  }
}

/** Counts what a run stored, as stored by the client that made the schedule. */
function count({ organization_id, network, target }: ScheduleRow, { inbox_event }: ScheduleTarget) {
  const bytes = Buffer.byteLength(target) + RESOURCE_BYTES;
  // The event itself has been counted already, but not for a network.
  if (!inbox_event) countStored(organization_id, network, bytes);
  else countStoredByNetwork(organization_id, network, bytes);
}

function insertionOf(
  { schedule, time }: Planned,
  target: ScheduleTarget,
): Insertion<{ id: string }> {
  const caller = callerOf(schedule);
  if (target.task) return tasks.creation(caller, target.task);
  if (!target.message) throw new Error("A schedule has no target.");
  const { delay_seconds = 0, ...message } = target.message;
  return messages.creation(caller, { ...message, scheduled_at: time + delay_seconds });
}

/** A caller that creates resources for the owner of the schedule. */
function callerOf({ id, organization_id, network, public_only }: ScheduleRow): Caller {
  const owner: Caller =
    organization_id === null
      ? { kind: "anonymous", ...(network !== null && { network }) }
      : { kind: "key", keyId: id, organizationId: organization_id, scopes };
  return public_only ? { ...owner, foreignPage: "request" } : owner;
}

async function sendEvent(
  schedule: ScheduleRow,
  event: EventTarget,
  columns: RunColumns,
  { db, frees }: Making,
): Promise<Result> {
  const arrival = arrivalOf(event, columns);
  const owner = schedule.organization_id;
  const outcome = await sendToOwned(event.inbox_id, owner, arrival, db, { frees });
  if (outcome === "unknown") return failed("inbox_deleted");
  if (outcome === "other_owner") return failed("other_owner");
  if (outcome === "full") return failed("inbox_full");
  await query(
    sql`UPDATE inbox_events SET schedule_id = ${columns.schedule_id},
               schedule_time = ${columns.schedule_time}
        WHERE inbox_id = ${event.inbox_id} AND id = ${arrival.id}`,
    db,
  );
  return { resource_id: arrival.id, inbox_id: event.inbox_id, reason: null };
}

function arrivalOf(event: EventTarget, columns: RunColumns): Arrival {
  const body = Buffer.from(event.body ?? "");
  const contentType = event.content_type ?? (body.length > 0 ? contentTypeOf(body) : null);
  const named = Object.entries({
    ...(contentType !== null && { "content-type": contentType }),
    ...runHeaders(columns),
  }).map(([name, value]) => [name.toLowerCase(), value]);
  return ownEvent(body, Object.fromEntries(named), {
    ttlSeconds: event.ttl_seconds,
    delaySeconds: event.delay_seconds,
  });
}

function columnsOf({ schedule: { id, claim_token_digest }, time }: Planned): RunColumns {
  const created_without_key = claim_token_digest !== null;
  return { schedule_id: shownIdOf({ id, created_without_key }), schedule_time: time };
}

function failed(reason: RunFailure): Result {
  return { resource_id: null, inbox_id: null, reason };
}

/** Records runs, as failed if they have no result, and deletes those beyond the kept number. */
export async function recordRuns(
  planned: Planned[],
  results: ReadonlyMap<Planned, Result>,
  db: Transaction,
): Promise<RunRow[]> {
  if (planned.length === 0) return [];
  const runs = planned.map((run) => ({
    ...run,
    ...(results.get(run) ?? failed("internal_error")),
  }));
  const scheduleIds = runs.map(({ schedule }) => schedule.id);
  // (b) Like the next two, serves the runs of many schedules.
  const rows = await query<RunRow>(
    sql`INSERT INTO schedule_runs
          (schedule_id, id, scheduled_for, manual, resource_id, inbox_id, reason)
        SELECT * FROM unnest(
          ${scheduleIds}::text[], ${runs.map(() => newId("run"))}::text[],
          ${runs.map(({ time }) => time)}::bigint[], ${runs.map(({ manual }) => manual)}::boolean[],
          ${runs.map(({ resource_id }) => resource_id)}::text[],
          ${runs.map(({ inbox_id }) => inbox_id)}::text[],
          ${runs.map(({ reason }) => reason)}::run_failure[])
        RETURNING ${RUN_COLUMNS}`,
    db,
  );
  await query(
    sql`DELETE FROM schedule_runs AS run WHERE schedule_id = ANY (${scheduleIds}) AND id < (
          SELECT id FROM schedule_runs AS kept WHERE kept.schedule_id = run.schedule_id
          ORDER BY id DESC OFFSET ${RUNS_KEPT - 1} LIMIT 1)`,
    db,
  );
  await query(
    sql`UPDATE schedules SET last_run_at = greatest(last_run_at, run.time),
               run_count = run_count + run.count
        FROM (SELECT id, max(time) AS time, count(*)::int AS count
              FROM unnest(${scheduleIds}::text[], ${runs.map(({ time }) => time)}::bigint[])
                AS given (id, time)
              GROUP BY id) AS run
        WHERE schedules.id = run.id`,
    db,
  );
  return rows;
}
