import { organizationOf } from "@/lib/accounts/access";
import { credentialOf, isLive } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { awaitNews } from "@/lib/db/announcements";
import { join, queryOne, type Statement, sql } from "@/lib/db/sql";
import { HELD, LEASE_COLUMNS, type LeaseRow, newLease, serializeLease } from "./lease";
import type { LeaseNext, TaskLeaseResult } from "./lease-contract";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";
import { announceTo, topicOf } from "./waiting";

/**
 * Leases the first task of the caller's organization that nobody holds and whose labels fit: by
 * priority, then due (what is never due comes last), then age. Waits for one as long as was asked
 * for; both are null when there is none.
 */
export async function leaseNext(
  caller: Caller,
  input: LeaseNext,
  signal: AbortSignal,
): Promise<TaskLeaseResult> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) throw new Error("A lease of the next task without an organization.");
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
  return awaitNews(topics, { milliseconds, signal }, async (lookAgainIn) => {
    const left = Math.max(Math.ceil(deadline - performance.now()), 0);
    const next = await announceTo(organizationId, left, sql`${HELD} AND ${fitting(input)}`);
    if (next !== null) lookAgainIn(next);
    const endsIn = await credential.assertLive();
    if (endsIn !== undefined) lookAgainIn(endsIn);
    if (signal.aborted) return undefined; // nobody would hear what is leased now
    return leaseFirst(organizationId, input, isLive(caller));
  });
}

/** `live`: whether the credential still is, for a caller who has waited since it was looked at. */
async function leaseFirst(organizationId: string, input: LeaseNext, live = sql`true`) {
  // Two workers at once never get one task: the second skips the row that the first has locked, and a
  // row that was leased since it looked is judged again as it is now. So the next one is taken by its
  // ID and not by its place on disk, which may have changed by then.
  return queryOne<TaskRow & LeaseRow>(sql`
    WITH next AS (
      SELECT id FROM tasks
      WHERE organization_id = ${organizationId} AND NOT ${HELD} AND ${fitting(input)}
        AND ${live}
      ORDER BY array_position('{critical,high,medium,low}'::text[], priority), due_at, id
      LIMIT 1 FOR UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE tasks SET ${newLease(input)} FROM next WHERE tasks.id = next.id
      RETURNING tasks.*
    )
    SELECT ${TASK_COLUMNS}, ${LEASE_COLUMNS} FROM leased AS tasks`);
}

function fitting({ labels = [], not_labels: notLabels = [] }: LeaseNext): Statement {
  const conditions = [sql`true`];
  // `coalesce` hides from the planner how few may fit: it then reads in the order of the index and stops
  // at the first, where it would else fetch all that fit and sort them.
  if (labels.length > 0) conditions.push(sql`coalesce(labels @> ${labels}::text[], false)`);
  if (notLabels.length > 0)
    conditions.push(sql`NOT coalesce(labels && ${notLabels}::text[], false)`);
  // In these words it is the condition of an index that has no task that is done.
  if (!labels.includes("done") || notLabels.includes("done")) {
    conditions.push(sql`NOT labels @> '{done}'::text[]`);
  }
  return join(conditions, " AND ");
}
