import { assertAccess, mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { ApiError, notFound, quote } from "@/lib/errors";
import { LEASE_SECONDS_DEFAULT, type LeaseTake, type TaskLease } from "./lease-contract";
import { findTask } from "./service";
import { announceReady } from "./waiting";

/** A task's lease as SQL gives it. */
export interface LeaseRow {
  task_id: string;
  lease_id: string;
  lease_holder: string;
  fencing_token: number;
  lease_expires_at: number;
}

export const LEASE_COLUMNS = sql`tasks.id AS task_id, tasks.lease_id, tasks.lease_holder,
  tasks.fencing_token, tasks.lease_expires_at`;

/** Holds of a row of `tasks` while somebody holds the task: a lease is over at its second, not after it. */
export const HELD = sql`coalesce(tasks.lease_expires_at > unix_now(), false)`;

/** What gives a task a new lease, in an `UPDATE tasks SET …`. */
export function newLease(input: { holder: string; lease_seconds?: number | undefined }): Statement {
  return sql`lease_id = ${newId("lse")}, fencing_token = tasks.fencing_token + 1, ${term(input)}`;
}

/**
 * Gives the caller the task alone until the lease expires, or renews the lease whose `lease_id` it
 * sends; one that has expired counts while nobody has taken the task since. Throws 404, 403, and 409
 * `lease_held` or, for a renewal, `lease_lost`.
 */
export async function take(caller: Caller, id: string, input: LeaseTake): Promise<TaskLease> {
  const { lease_id: leaseId } = input;
  const decided =
    leaseId === undefined
      ? await write(caller, id, sql`NOT task.held`, newLease(input))
      : await write(
          caller,
          id,
          sql`task.lease_id = ${leaseId} AND task.lease_holder IS NOT NULL`,
          term(input),
        );
  if (decided.written) return serializeLease(decided.written);
  throw leaseId === undefined ? leaseHeld(decided.found) : leaseLost(decided.found);
}

/**
 * Gives a task back before its lease expires, and accepts a repetition while nobody has taken the task
 * since. Throws 404, 403, and 409 `lease_lost`.
 */
export async function release(caller: Caller, id: string, leaseId: string): Promise<void> {
  const decided = await write(
    caller,
    id,
    sql`task.lease_id = ${leaseId}`,
    sql`lease_holder = NULL, lease_expires_at = NULL`,
    announceReady(sql`(SELECT organization_id FROM written)`),
  );
  if (!decided.written) throw leaseLost(decided.found);
}

/** The lease that holds a task now. Throws 404, also when nobody holds it, and 403. */
export async function get(caller: Caller, id: string): Promise<TaskLease> {
  const row = await queryOne<LeaseRow & { organization_id: string | null; held: boolean }>(
    sql`SELECT organization_id, ${HELD} AS held, ${LEASE_COLUMNS} FROM tasks WHERE id = ${id}`,
  );
  if (!row) throw notFound("task", id);
  assertAccess(caller, row.organization_id);
  if (row.held) return serializeLease(row);
  throw new ApiError("resource_not_found", "Nobody holds this task.");
}

/** The leases that hold these tasks now, by task; only of tasks that the caller may reach. */
export async function heldAmong(caller: Caller, ids: string[]): Promise<Map<string, TaskLease>> {
  if (ids.length === 0) return new Map();
  const rows = await query<LeaseRow>(sql`
    SELECT ${LEASE_COLUMNS} FROM tasks
    WHERE id = ANY (${ids}::text[]) AND ${mayReach(caller)} AND ${HELD}`);
  return new Map(rows.map((row) => [row.task_id, serializeLease(row)]));
}

export function serializeLease(row: LeaseRow): TaskLease {
  return {
    object: "task_lease",
    task_id: row.task_id,
    lease_id: row.lease_id,
    holder: row.lease_holder,
    fencing_token: row.fencing_token,
    expires_at: row.lease_expires_at,
  };
}

/** Whose the lease is and how long it lasts, by the database's clock. */
function term(input: { holder: string; lease_seconds?: number | undefined }): Statement {
  return sql`lease_holder = ${input.holder},
    lease_expires_at = unix_now() + ${input.lease_seconds ?? LEASE_SECONDS_DEFAULT}::bigint`;
}

interface Found {
  held: boolean;
  holder: string | null;
  expires_at: number | null;
  seconds_left: number;
}

/**
 * Changes the lease of a task where `condition` on the locked row `task` holds, and says what stood
 * there before. The lock closes the race between two takers: the second waits, and then reads and
 * decides on what the first has written. Only a task that the caller may write is locked. It touches
 * neither `updated_at` nor `revision`.
 */
async function write(
  caller: Caller,
  id: string,
  condition: Statement,
  assignments: Statement,
  announced = sql`NULL AS announced`,
): Promise<{ found: Found; written: LeaseRow | null }> {
  const row = await queryOne<Found & { written: boolean } & LeaseRow>(sql`
    WITH task AS (
      SELECT id, ${HELD} AS held, lease_id, lease_holder, lease_expires_at
      FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE
    ), written AS (
      UPDATE tasks SET ${assignments} FROM task
      WHERE tasks.id = task.id AND ${condition}
      RETURNING ${LEASE_COLUMNS}, tasks.organization_id
    )
    SELECT task.held, task.lease_holder AS holder,
           task.lease_expires_at AS expires_at,
           greatest(task.lease_expires_at - unix_now(), 0) AS seconds_left,
           written.task_id IS NOT NULL AS written, written.*, ${announced}
    FROM task LEFT JOIN written ON true`);
  if (!row) {
    await findTask(caller, id); // says why
    return write(caller, id, condition, assignments, announced);
  }
  return { found: row, written: row.written ? row : null };
}

function leaseHeld(found: Found): ApiError {
  return new ApiError(
    "lease_held",
    `${holderOf(found)} If that is you, send its lease_id to renew it.`,
    { headers: { "Retry-After": String(Math.max(found.seconds_left, 1)) } },
  );
}

function leaseLost(found: Found): ApiError {
  const now = found.held ? holderOf(found) : "Nobody holds the task now: take it again.";
  return new ApiError("lease_lost", `This is not the task's last lease. ${now}`, {
    param: "lease_id",
  });
}

function holderOf({ holder, expires_at, seconds_left }: Found): string {
  const seconds = seconds_left === 1 ? "1 second" : `${seconds_left} seconds`;
  return `The task is held by ${quote(holder ?? "")} until ${expires_at}, for ${seconds} more.`;
}
