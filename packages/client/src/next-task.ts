import { ApiError } from "./api-error.js";
import type { Calls, Connection } from "./connection.js";
import { type Attempt, hasEnded, keepLease, latenessOf, leasing, remainingMs } from "./lease.js";
import { LATE_MS, poll } from "./long-poll.js";
import { checkOptions } from "./options.js";
import type { Task, TaskLease } from "./schema.js";

export interface NextTaskOptions {
  /** The name of this worker. */
  holder: string;
  /** Only tasks with all of these. */
  labels?: readonly string[] | undefined;
  /** Only tasks with none of these. */
  notLabels?: readonly string[] | undefined;
  /** Seconds to wait for a task; 0 by default. `Infinity` waits until there is one. */
  wait?: number | undefined;
  /** How long the task stays yours if this process dies; 900 by default, at least 30. */
  leaseSeconds?: number | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** A task that is yours until you complete or release it. Its lease is renewed in the background. */
export interface HeldTask {
  task: Task;
  /** The lease when the task was leased. `fencing_token` stays the same. */
  lease: TaskLease;
  /** Aborts when another worker may have leased the task. */
  signal: AbortSignal;
  /** Renews the lease now. Throws `ApiError` with the code `lease_lost` when another worker has it. */
  renew(): Promise<TaskLease>;
  /** Adds the label `done` and perhaps a note, and releases the task. Throws like `renew`. */
  complete(note?: string): Promise<Task>;
  /** Gives the task back for others. */
  release(): Promise<void>;
}

const LEASE_SECONDS_DEFAULT = 900;
const OPTIONS = ["holder", "labels", "notLabels", "wait", "leaseSeconds", "signal"];
/** The service's answers to a release of a lease that has ended. */
const RELEASED = ["resource_not_found", "lease_lost"];

/** Does what `Client.nextTask` says. Throws the error if the service cannot be reached in time. */
export async function nextTask(
  { calls, hasAnswered }: Connection,
  options: NextTaskOptions,
): Promise<HeldTask | null> {
  checkOptions(options, OPTIONS);
  const { holder, leaseSeconds = LEASE_SECONDS_DEFAULT, signal } = options;
  const leased = await leaseNext(calls, options, (error) => {
    const isEndless = options.wait === Number.POSITIVE_INFINITY;
    if (isEndless && !hasAnswered()) throw error; // the address may be wrong
  });
  if (!leased) {
    signal?.throwIfAborted();
    return null;
  }
  const { task, lease, remaining } = leased;
  const path = { id: task.id };
  const { lease_id } = lease;
  const renew = async (attempt?: Attempt) => {
    const { data } = await calls.POST("/api/tasks/{id}/lease", {
      params: { path },
      body: { holder, lease_id, lease_seconds: leaseSeconds },
      ...attempt,
    });
    return data;
  };
  // It begins with the second of the request, which may be almost over.
  const kept = keepLease((leaseSeconds - 1) * 1000, remaining, renew);

  async function release() {
    kept.end();
    try {
      await calls.DELETE("/api/tasks/{id}/lease", { params: { path }, body: { lease_id } });
    } catch (error) {
      // Already released, perhaps by an attempt whose response was lost, or leased by another
      // worker.
      const isOver = error instanceof ApiError && RELEASED.includes(error.code);
      if (!isOver) throw error;
    }
  }

  if (signal?.aborted) await release().catch(() => {});
  signal?.throwIfAborted();
  return {
    task,
    lease,
    signal: kept.signal,
    renew: () => renew(),
    async complete(note) {
      const { data } = await kept.endBy(() =>
        calls.POST("/api/tasks/{id}/complete", {
          params: { path },
          body: { lease_id, note },
        }),
      );
      return data;
    },
    release,
  };
}

/**
 * Leases the next free task, and returns it with the milliseconds that remain of its lease. Null if
 * there is none in time. `onBreak` is that of `poll`.
 */
export function leaseNext(
  calls: Pick<Calls, "POST">,
  options: NextTaskOptions,
  onBreak?: (error: Error, breaks: number) => void,
): Promise<{ task: Task; lease: TaskLease; remaining: number } | null> {
  const { holder, labels, notLabels, wait = 0, signal } = options;
  const { leaseSeconds = LEASE_SECONDS_DEFAULT } = options;
  return poll(
    () => {
      const idempotencyKey = crypto.randomUUID();
      const next = leasing(signal, async (wait_seconds, until) => {
        const lateness = latenessOf(wait_seconds);
        const { data, response } = await calls.POST("/api/tasks/lease-next", {
          body: {
            holder,
            labels: labels && [...labels],
            not_labels: notLabels && [...notLabels],
            lease_seconds: leaseSeconds,
            wait_seconds,
          },
          idempotencyKey,
          patienceMs: 0, // poll continues
          signal: until,
          ...(wait > 0 && { timeoutMs: wait_seconds * 1000 + LATE_MS }),
          ...(wait > 0 && wait < Number.POSITIVE_INFINITY && { maxRetries: 0 }),
        });
        const { task, lease } = data;
        if (!task || !lease) return null;
        const remaining = remainingMs(lease.expires_at, response, leaseSeconds * 1000, lateness());
        return hasEnded(remaining, response) ? null : { task, lease, remaining };
      });
      return async (waitSeconds) => (await next(waitSeconds)) ?? null;
    },
    { until: (leased) => leased !== null, wait, leaseSeconds, signal, onBreak },
  );
}
