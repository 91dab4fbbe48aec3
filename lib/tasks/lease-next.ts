import { organizationOf } from "@/lib/accounts/access";
import { credentialOf, isLive } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { retryOnAnnouncement } from "@/lib/db/announcements";
import { join, queryOne, type Statement, sql } from "@/lib/db/sql";
import { IS_HELD, LEASE_COLUMNS, type LeaseRow, newLease, serializeLease } from "./lease";
import type { LeaseNext, TaskLeaseResult } from "./lease-contract";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { requestAnnouncements, topicOf } from "./waiting";

/**
 * Leases the caller's next free task with matching labels, by priority, due date (none last), then
 * age. Waits up to `wait_seconds` for one; task and lease are null when there is none.
 */
export async function leaseNext(
  caller: Caller,
  input: LeaseNext,
  signal: AbortSignal,
): Promise<TaskLeaseResult> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) throw new Error("The caller of lease-next has no organization.");
  const row =
    (await leaseFirst(organizationId, input)) ??
    (await leaseWithin(
      (input.wait_seconds ?? 0) * 1000,
      { caller, organizationId },
      input,
      signal,
    ));
  return {
    object: "task_lease_result",
    task: row ? serializeTask(row) : null,
    lease: row ? serializeLease(row) : null,
  };
}

async function leaseWithin(
  milliseconds: number,
  { caller, organizationId }: { caller: Caller; organizationId: string },
  input: LeaseNext,
  signal: AbortSignal,
) {
  if (milliseconds === 0) return undefined;
  const deadline = performance.now() + milliseconds;
  const credential = credentialOf(caller);
  const topics = [topicOf(organizationId), ...credential.topics];
  return retryOnAnnouncement(topics, { milliseconds, signal }, async (lookAgainIn) => {
    const left = Math.max(Math.ceil(deadline - performance.now()), 0);
    const next = await requestAnnouncements(
      organizationId,
      left,
      sql`${IS_HELD} AND ${matchesLabels(input)}`,
    );
    if (next !== null) lookAgainIn(next);
    const endsIn = await credential.assertLive();
    if (endsIn !== undefined) lookAgainIn(endsIn);
    if (signal.aborted) return undefined; // the caller would never learn of the lease
    return leaseFirst(organizationId, input, isLive(caller));
  });
}

/** `live`: whether the credential is still valid, for callers that have been waiting. */
async function leaseFirst(organizationId: string, input: LeaseNext, live = sql`true`) {
  // Two workers never lease the same task: the second skips the locked row, and Postgres rechecks
  // the conditions on a row leased since the snapshot. The UPDATE joins on the ID, not on ctid,
  // which may have changed by then.
  return queryOne<TaskRow & LeaseRow>(sql`
    WITH next AS (
      SELECT id FROM tasks
      WHERE organization_id = ${organizationId} AND NOT ${IS_HELD} AND ${matchesLabels(input)}
        AND ${live}
      ORDER BY array_position('{critical,high,medium,low}'::text[], priority), due_at, id
      LIMIT 1 FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE tasks SET ${newLease(input)} FROM next WHERE tasks.id = next.id
      RETURNING tasks.*
    )
    SELECT ${TASK_COLUMNS}, ${LEASE_COLUMNS} FROM leased AS tasks`);
}

function matchesLabels({ labels = [], not_labels: notLabels = [] }: LeaseNext): Statement {
  const conditions = [sql`true`];
  // `coalesce` hides the selectivity from the planner, so that it reads in index order and stops at
  // the first match instead of fetching and sorting them all.
  if (labels.length > 0) conditions.push(sql`coalesce(labels @> ${labels}::text[], false)`);
  if (notLabels.length > 0)
    conditions.push(sql`NOT coalesce(labels && ${notLabels}::text[], false)`);
  // Must match the predicate of the partial index.
  if (!labels.includes("done") || notLabels.includes("done")) {
    conditions.push(sql`NOT labels @> '{done}'::text[]`);
  }
  return join(conditions, " AND ");
}
