import { assertAccess, mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { columnsOf, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, notFound, quote, retryAfter } from "@/lib/platform/errors";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { IS_HELD } from "./filters";
import { LEASE_SECONDS_DEFAULT, type LeaseTake, type TaskLease } from "./lease-contract";
import { publishReady } from "./ready-topic";
import { findTask } from "./service";

const STORED_COLUMNS = columnsOf(
  "tasks",
  "Task",
  "lease_id, lease_holder, fencing_token, lease_expires_at",
);

export const LEASE_COLUMNS = sql`tasks.id AS task_id, ${STORED_COLUMNS}`;

export type LeaseRow = RowOf<typeof STORED_COLUMNS> & { task_id: string };

/** The columns of a `LockedTask`, selected from `tasks`. */
export const LOCKED_LEASE = sql`${IS_HELD} AS held, lease_holder AS holder,
  lease_expires_at AS expires_at, greatest(lease_expires_at - unix_now(), 0) AS seconds_left`;

/**
 * Leases a task, or renews the lease given by `lease_id`. An expired lease can be renewed until
 * someone else leases the task. Throws 404, 403, and 409 `lease_held` or, for a renewal,
 * `lease_lost`.
 */
export async function take(
  caller: Caller,
  id: string,
  input: LeaseTake,
  commit: Commit,
): Promise<TaskLease> {
  const { lease_id: leaseId } = input;
  const change =
    leaseId === undefined
      ? {
          condition: sql`NOT task.held`,
          assignments: sql`lease_id = ${newId("lse")}, fencing_token = tasks.fencing_token + 1,
            ${leaseAssignments(input)}`,
          recorded: recordLease(caller, "leased", sql`true`),
        }
      : {
          condition: sql`task.lease_id = ${leaseId} AND task.lease_holder IS NOT NULL`,
          assignments: leaseAssignments(input),
        };
  const lease = await commit(async (db) => {
    const result = await write(caller, id, change, db);
    if (!result) return UNRECORDED;
    if (result.written) return serializeLease(result);
    throw leaseId === undefined ? leaseHeld(result) : leaseLost(result);
  });
  if (lease !== UNRECORDED) return lease;
  await findTask(caller, id); // throws the reason
  return take(caller, id, input, commit);
}

/** Releases a lease. Idempotent until the next lease. Throws 404, 403 and 409 `lease_lost`. */
export async function release(caller: Caller, id: string, leaseId: string): Promise<void> {
  const result = await write(caller, id, {
    condition: sql`task.lease_id = ${leaseId}`,
    assignments: sql`lease_holder = NULL, lease_expires_at = NULL`,
    published: publishReady(sql`(SELECT organization_id FROM written)`),
    // A repeat releases nothing.
    recorded: recordLease(caller, "released", sql`task.lease_holder IS NOT NULL`),
  });
  if (!result) {
    await findTask(caller, id); // throws the reason
    return release(caller, id, leaseId);
  }
  if (!result.written) throw leaseLost(result);
}

/** The current lease of a task. Throws 403, and 404, also if it is not leased. */
export async function get(caller: Caller, id: string): Promise<TaskLease> {
  const row = await queryOne<LeaseRow & Row<"Task", "organization_id"> & { held: boolean }>(
    sql`SELECT organization_id, ${IS_HELD} AS held, ${LEASE_COLUMNS} FROM tasks WHERE id = ${id}`,
  );
  if (!row) throw notFound("task", id);
  assertAccess(caller, row.organization_id);
  if (row.held) return serializeLease(row);
  throw new ApiError("resource_not_found", "This task is not leased.");
}

/** The current leases of the tasks that the caller may reach, by task ID. */
export async function listHeldLeases(
  caller: Caller,
  ids: string[],
): Promise<Map<string, TaskLease>> {
  if (ids.length === 0) return new Map();
  const rows = await query<LeaseRow>(sql`
    SELECT ${LEASE_COLUMNS} FROM tasks
    WHERE id = ANY (${ids}::text[]) AND ${mayReach(caller)} AND ${IS_HELD}`);
  return new Map(rows.map((row) => [row.task_id, serializeLease(row)]));
}

export function serializeLease(row: LeaseRow): TaskLease {
  const { task_id, lease_id, lease_holder: holder, fencing_token, lease_expires_at } = row;
  if (lease_id === null || holder === null || lease_expires_at === null) {
    throw new Error("A leased task has no lease.");
  }
  return {
    object: "task_lease",
    task_id,
    lease_id,
    holder,
    fencing_token,
    expires_at: lease_expires_at,
  };
}

/** The holder and expiry, by the database's clock. */
function leaseAssignments(input: { holder: string; lease_seconds?: number | undefined }): Sql {
  return sql`lease_holder = ${input.holder},
    lease_expires_at = unix_now() + ${input.lease_seconds ?? LEASE_SECONDS_DEFAULT}::bigint`;
}

export interface LockedTask {
  held: boolean;
  holder: string | null;
  expires_at: number | null;
  seconds_left: number;
}

interface LeaseChange {
  /** A condition on the locked row `task`. */
  condition: Sql;
  assignments: Sql;
  published?: Sql;
  recorded?: Sql;
}

/**
 * Updates the lease if the condition holds. Returns the row's previous state and, if `written`, the
 * new lease; undefined if the caller may not write to the task. The lock serializes workers: the
 * second waits and decides on what the first wrote. Locks only tasks that the caller may write.
 * `updated_at` and `revision` stay unchanged.
 */
function write(caller: Caller, id: string, change: LeaseChange, db?: Transaction) {
  const { condition, assignments, published = sql`NULL AS published`, recorded = sql`` } = change;
  return queryOne<LockedTask & (({ written: true } & LeaseRow) | { written: false })>(
    sql`
    WITH task AS (
      SELECT id, lease_id, lease_holder, ${LOCKED_LEASE}
      FROM tasks WHERE id = ${id} AND ${mayReach(caller)} FOR UPDATE
    ), written AS (
      UPDATE tasks SET ${assignments} FROM task
      WHERE tasks.id = task.id AND ${condition}
      RETURNING ${LEASE_COLUMNS}, tasks.organization_id
    ) ${recorded}
    SELECT task.held, task.holder, task.expires_at, task.seconds_left,
           written.task_id IS NOT NULL AS written, written.*, ${published}
    FROM task LEFT JOIN written ON true`,
    db,
  );
}

/** A `WITH` query that records the start or end of a lease if `condition` holds for `task`. */
function recordLease(caller: Caller, action: "leased" | "released", condition: Sql): Sql {
  const rows = sql`(SELECT task.id, written.organization_id
    FROM written JOIN task ON task.id = written.task_id WHERE ${condition})`;
  return sql`, recorded AS (${recordChanges("tasks", action, rows, actorOf(caller))})`;
}

function leaseHeld(found: LockedTask): ApiError {
  return new ApiError(
    "lease_held",
    `${holderOf(found)} If this is your lease, send its lease_id to renew it.`,
    { headers: retryAfter(found.seconds_left) },
  );
}

export function leaseLost(found: LockedTask): ApiError {
  const now = found.held ? holderOf(found) : "The task is free: lease it again.";
  return new ApiError("lease_lost", `This is not the current lease. ${now}`, { param: "lease_id" });
}

function holderOf({ holder, expires_at, seconds_left }: LockedTask): string {
  const seconds = seconds_left === 1 ? "1 second" : `${seconds_left} seconds`;
  return `The task is held by ${quote(holder ?? "")} until ${expires_at}, for ${seconds} more.`;
}
