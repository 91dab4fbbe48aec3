import { ApiError } from "./api-error.js";
import type { Connection } from "./connection.js";
import { type Attempt, hasEnded, keepLease, leaseUnlessStopped, remainingMs } from "./lease.js";
import { poll } from "./long-poll.js";
import type { Task, TaskLease } from "./schema.js";

export interface NextTaskOptions {
  /** The name of this worker. */
  holder: string;
  /** Only tasks with all of these. */
  labels?: string[] | undefined;
  /** Only tasks with none of these. */
  notLabels?: string[] | undefined;
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

/**
 * Leases the next free task: by priority, due date, then age. Null if there is none in time. Throws
 * the signal's reason, and the error if the service cannot be reached in time.
 */
export function nextTask(
  connection: Connection,
  options: NextTaskOptions,
): Promise<HeldTask | null> {
  const { wait = 0, leaseSeconds = LEASE_SECONDS_DEFAULT, signal } = options;
  return poll(
    (waitSeconds) => {
      const request = { leaseSeconds, waitSeconds, idempotencyKey: crypto.randomUUID() };
      return async () => {
        const held = await lease(connection, options, request);
        if (signal?.aborted) await held?.release();
        signal?.throwIfAborted();
        return held;
      };
    },
    { until: (held) => held !== null, wait, leaseSeconds, signal },
  );
}

async function lease(
  { calls }: Connection,
  { holder, labels, notLabels, signal }: NextTaskOptions,
  {
    leaseSeconds,
    waitSeconds,
    idempotencyKey,
  }: { leaseSeconds: number; waitSeconds: number; idempotencyKey: string },
): Promise<HeldTask | null> {
  const leased = await leaseUnlessStopped(signal, (until) =>
    calls.POST("/api/tasks/lease-next", {
      body: {
        holder,
        ...(labels && { labels }),
        ...(notLabels && { not_labels: notLabels }),
        lease_seconds: leaseSeconds,
        wait_seconds: waitSeconds,
      },
      idempotencyKey,
      patienceMs: 0, // poll continues
      signal: until,
    }),
  );
  if (!leased?.data.task || !leased.data.lease) return null;
  const { task, lease } = leased.data;
  const path = { id: task.id };
  const { lease_id } = lease;
  const durationMs = leaseSeconds * 1000;
  const remaining = remainingMs(lease.expires_at, leased.response, durationMs);
  if (hasEnded(remaining, leased.response)) return null;

  const renew = async (attempt?: Attempt) => {
    const { data } = await calls.POST("/api/tasks/{id}/lease", {
      params: { path },
      body: { holder, lease_id, lease_seconds: leaseSeconds },
      ...attempt,
    });
    return data;
  };
  const kept = keepLease(durationMs, remaining, renew);

  async function release() {
    kept.end();
    try {
      await calls.DELETE("/api/tasks/{id}/lease", { params: { path }, body: { lease_id } });
    } catch (error) {
      // Already released, perhaps by an attempt whose response was lost, or leased by another
      // worker.
      if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
    }
  }

  return {
    task,
    lease,
    signal: kept.signal,
    renew: () => renew(),
    async complete(note) {
      const { data } = await kept.endBy(() =>
        calls.POST("/api/tasks/{id}/complete", {
          params: { path },
          body: { lease_id, ...(note !== undefined && { note }) },
        }),
      );
      return data;
    },
    release,
  };
}
