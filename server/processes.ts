import { OperatorError } from "@/lib/platform/operator-error";

export const PROCESSES_MAX = 8;
/** Up to this many cores, one process serves requests. */
const ONE_PROCESS_CORES_MAX = 2;
const CONNECTIONS_PER_PROCESS = 10;
/** Below Postgres's default of 97, with 8 processes and their connections outside the pools. */
const CONNECTIONS_MAX = 80;
/** One for a transaction, and one for the other requests. */
const CONNECTIONS_PER_PROCESS_MIN = 2;

interface Settings {
  webConcurrency: number | undefined;
  databasePoolSize: number | undefined;
}

/** How many processes serve requests: half of the cores, or fewer with a small database pool. */
export function processCount({ webConcurrency, databasePoolSize }: Settings, cores: number) {
  if (webConcurrency !== undefined) return webConcurrency;
  if (cores <= ONE_PROCESS_CORES_MAX) return 1;
  const connections = databasePoolSize ?? CONNECTIONS_MAX;
  const poolsMax = Math.floor(connections / CONNECTIONS_PER_PROCESS_MIN);
  return Math.max(Math.min(Math.floor(cores / 2), PROCESSES_MAX, poolsMax - 1), 1);
}

/**
 * The database connections of each process that serves requests, and of the leader with its
 * scheduler. Throws an `OperatorError` if there are too few.
 */
export function connectionsPerProcess({ databasePoolSize }: Settings, processes: number): number {
  const pools = processes + 1;
  const total = databasePoolSize ?? Math.min(pools * CONNECTIONS_PER_PROCESS, CONNECTIONS_MAX);
  const share = Math.floor(total / pools);
  if (share >= CONNECTIONS_PER_PROCESS_MIN) return share;
  const needed = pools * CONNECTIONS_PER_PROCESS_MIN;
  throw new OperatorError(
    `DATABASE_POOL_SIZE: must be at least ${needed} with WEB_CONCURRENCY=${processes}.`,
  );
}
