import { ownerOf } from "@/lib/identity/access";
import { CHECKED_MS, credentialOf, isLive } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { inBatches } from "@/lib/platform/db/batches";
import { type Commit, UNRECORDED, unrecorded } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { join, query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { lengthOf, turnIfLong } from "@/lib/platform/loop-turns";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { waitForLease } from "@/lib/resources/wait-for-lease";
import { IS_BLOCKED, MAY_BE_READY } from "./blocked";
import { IS_HELD } from "./filters";
import { LEASE_COLUMNS, type LeaseRow, serializeLease } from "./lease";
import { LEASE_SECONDS_DEFAULT, type LeaseNext, type TaskLeaseResult } from "./lease-contract";
import { lookInTurn, readyTopic, subscribe } from "./ready-topic";
import { serializeTask, TASK_COLUMNS, type TaskRow } from "./serialize";

/** A statement returns the tasks that it leases, each with up to some megabytes. */
const TASKS_MAX = 20;

/**
 * Leases the caller's next free task with matching labels and no open blocker, by priority, due
 * date (none last), then age. Waits up to `wait_seconds` for one. Task and lease are null if there
 * is none.
 */
export async function leaseNext(
  caller: Caller,
  input: LeaseNext,
  signal: AbortSignal,
  commit: Commit,
): Promise<TaskLeaseResult> {
  const organizationId = ownerOf(caller);
  const worker = { input, signal, caller, asked: performance.now() };
  const leaseAlone = (): Promise<TaskLeaseResult | typeof UNRECORDED> =>
    lookInTurn(organizationId, async () => {
      // A caller that has left would never learn of its lease.
      if (signal.aborted) return UNRECORDED;
      return commit(async (db) =>
        leased((await leaseFirst(organizationId, [worker], { live: isLive(caller), db }))[0]),
      );
    });
  // Only a recorded lease needs a transaction of its own.
  const atOnce =
    commit === unrecorded ? await leaseInBatch(organizationId, worker) : await leaseAlone();
  if (atOnce !== UNRECORDED) return atOnce;
  if (isLate(worker)) await credentialOf(caller).assertLive();
  const milliseconds = (input.wait_seconds ?? 0) * 1000;
  const free = sql`${matchesLabels(input)} AND ${MAY_BE_READY}`;
  const later =
    milliseconds === 0
      ? undefined
      : await waitForLease(
          caller,
          readyTopic(organizationId),
          { milliseconds, signal },
          (left) => subscribe(organizationId, left, free),
          leaseAlone,
        );
  return later ?? { object: "task_lease_result", task: null, lease: null };
}

/** The result for a leased task. Without one, there is nothing to record. */
function leased(row: LeasedTask | undefined): TaskLeaseResult | typeof UNRECORDED {
  if (!row) return UNRECORDED;
  return { object: "task_lease_result", task: serializeTask(row), lease: serializeLease(row) };
}

interface Worker {
  input: LeaseNext;
  caller: Caller;
}

interface QueuedWorker extends Worker {
  signal: AbortSignal;
  /** When it asked, by `performance.now()`. */
  asked: number;
}

/** Whether a worker's key may have ended since it was checked, because its turn came late. */
function isLate({ asked }: QueuedWorker): boolean {
  return performance.now() - asked > CHECKED_MS;
}

async function leaseInBatch(organizationId: string, worker: QueuedWorker) {
  const row = await leaseTogether(queueKey(organizationId, worker.input), worker);
  if (row) await turnIfLong(lengthOf(row));
  return leased(row);
}

/** Workers of one organization with the same labels share a statement. */
function queueKey(organizationId: string, { labels = [], not_labels: notLabels = [] }: LeaseNext) {
  return JSON.stringify([organizationId, labels.toSorted(), notLabels.toSorted()]);
}

const leaseTogether = inBatches<QueuedWorker, LeasedTask | undefined>(
  (key, workers) => {
    const [organizationId]: [string] = JSON.parse(key);
    return lookInTurn(organizationId, async () => {
      const present = await presentOf(workers);
      const tasks = await leaseFirst(organizationId, present);
      return workers.map((worker) => tasks[present.indexOf(worker)]);
    });
  },
  { weightOf: () => 1, batchWeightMax: TASKS_MAX, queuedWeightMax: 10_000, concurrencyMax: 2 },
);

/** The workers that have not left, since they would never learn of a lease, and whose keys have not ended. */
async function presentOf(workers: QueuedWorker[]): Promise<QueuedWorker[]> {
  const present = workers.filter(({ signal }) => !signal.aborted);
  if (!present.some(isLate)) return present;
  const conditions = present.map(({ caller }) => isLive(caller));
  const row = await queryOne<{ live: boolean[] }>(
    sql`SELECT ARRAY[${join(conditions, ", ")}] AS live`,
  );
  return present.filter((_, index) => row?.live[index]);
}

type LeasedTask = TaskRow & LeaseRow;

/**
 * Leases the first free tasks for workers with the same labels, the most urgent for the first
 * worker. There may be fewer tasks than workers. `live`: whether the credential is still valid,
 * for a worker that leases alone.
 */
async function leaseFirst(
  organizationId: string,
  workers: Worker[],
  { live = sql`true`, db }: { live?: Sql; db?: Transaction | undefined } = {},
): Promise<LeasedTask[]> {
  const [first] = workers;
  if (!first) return [];
  // Two workers never lease the same task: the second skips the locked row, and Postgres rechecks
  // the conditions on a row leased since the snapshot. The UPDATE joins on the ID, not on ctid,
  // which may have changed by then.
  return query<LeasedTask>(
    sql`
    WITH next AS MATERIALIZED (
      SELECT id FROM tasks
      WHERE organization_id = ${organizationId} AND NOT ${IS_HELD} AND ${matchesLabels(first.input)}
        AND ${MAY_BE_READY} AND NOT ${IS_BLOCKED}
        AND ${live}
      ORDER BY priority, due_at, id
      LIMIT ${workers.length} FOR NO KEY UPDATE SKIP LOCKED
    ), place AS (
      SELECT id AS task_id, row_number() OVER () AS place FROM next
    ), worker AS (
      SELECT * FROM unnest(
        ${workers.map(() => newId("lse"))}::text[],
        ${workers.map(({ input }) => input.holder)}::text[],
        ${workers.map(({ input }) => input.lease_seconds ?? LEASE_SECONDS_DEFAULT)}::bigint[],
        ${workers.map(({ caller }) => actorOf(caller))}::text[]
      ) WITH ORDINALITY AS worker (lease_id, holder, seconds, actor, place)
    ), leased AS (
      UPDATE tasks SET lease_id = worker.lease_id, fencing_token = tasks.fencing_token + 1,
        lease_holder = worker.holder, lease_expires_at = unix_now() + worker.seconds
      FROM place JOIN worker USING (place) WHERE tasks.id = place.task_id
      RETURNING tasks.*, place, worker.actor
    ), recorded AS (
      ${recordChanges("tasks", "leased", sql`leased`, sql`changed.actor`)}
    )
    SELECT ${TASK_COLUMNS}, ${LEASE_COLUMNS} FROM leased AS tasks ORDER BY place`,
    db,
  );
}

/** Whether a task has all of the labels, and none of the others. */
export function matchesLabels({
  labels = [],
  not_labels: notLabels = [],
}: Pick<LeaseNext, "labels" | "not_labels">): Sql {
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
