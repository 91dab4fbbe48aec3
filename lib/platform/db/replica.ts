import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { metrics } from "@/lib/platform/telemetry/metrics";
import { isPooler, pipelines, pool, replicaPool } from "./connections";
import { isDatabaseGone, REPORT_EVERY_MS } from "./failures";
import { assertNoTransaction } from "./open-transactions";
import type { Db } from "./send";
import { query, queryOne, type Sql, sql } from "./sql";

/** How long a statement waits for the replica to have what the primary has. */
export const CATCH_UP_MS_MAX = 50;
const CATCH_UP_PAUSE_MS = 2;
/** A replica that takes longer to report its position is not used. */
const POSITION_MS_MAX = 500;
/** A statement that takes longer than this on the replica runs on the primary instead. */
export const REPLICA_MS_MAX = 3000;
/** How often a replica that cannot be used is tried again. */
const RETRY_MS = 1000;

/** How far a server is in the write-ahead log. Positions of two timelines cannot be compared. */
interface Position {
  timeline: number;
  /** Null on a replica that has been promoted, and on a primary that has been demoted. */
  bytes: number | null;
}

const state = oncePerProcess("db.replica", () => ({
  isAvoided: false,
  reportedAt: Number.NEGATIVE_INFINITY,
}));

/**
 * Like `query`, for what is only shown, such as lists: on the replica, if there is one and it has
 * all that was committed before, or else on the primary. Nothing may be decided by such a read.
 */
export function queryShown<Row>(statement: Sql): Promise<Row[]> {
  return query<Row>(statement, replicaOrPrimary);
}

/** Like `queryShown`, for a statement that returns at most one row. */
export async function queryShownOne<Row>(statement: Sql): Promise<Row | undefined> {
  return (await queryShown<Row>(statement))[0];
}

const replicaOrPrimary: Db = { query: readShown };

async function readShown(statement: pg.QueryConfig): Promise<pg.QueryResult> {
  assertNoTransaction();
  const replicas = replicaPool();
  const result = replicas && !state.isAvoided ? await readReplica(replicas, statement) : undefined;
  metrics().listReads.inc({ source: result ? "replica" : "primary" });
  return result ?? pool().query(statement);
}

/** Undefined if the primary must answer. */
async function readReplica(
  replicas: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult | undefined> {
  try {
    return await onReplica(replicas, async (client) => {
      // A pooler before the replica may not support prepared statements.
      const unnamed = isPooler(config().databaseReplicaUrl) && { name: undefined };
      const timed = { ...statement, ...unnamed, query_timeout: REPLICA_MS_MAX };
      if (await catchesUp(client)) return client.query(timed);
      avoid("It is behind");
    });
  } catch (error) {
    // If the statement itself is wrong, the primary reports it.
    if (isDatabaseGone(error)) avoid(error instanceof Error ? error.message : "");
    return undefined;
  }
}

/** Seconds since the replica last had all that the primary has; null without a usable replica. */
export async function replicaLag(): Promise<number | null> {
  const replicas = replicaPool();
  if (!replicas) return null;
  return onReplica(replicas, async (client) => {
    if (await catchesUp(client)) return 0;
    const { rows } = await client.query<{ seconds: number | null }>(
      "SELECT extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS seconds",
    );
    return rows[0]?.seconds ?? null;
  }).catch(() => null);
}

/** Runs all statements of `work` on one connection, since a pooler may lead to several replicas. */
async function onReplica<Result>(
  replicas: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await replicas.connect();
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } finally {
    client.release(isBroken);
  }
}

/** Waits a little until the replica has all that the primary has now. */
async function catchesUp(client: pg.PoolClient): Promise<boolean> {
  const deadline = performance.now() + CATCH_UP_MS_MAX;
  const [primary, first] = await Promise.all([positionOfPrimary(), positionOf(client)]);
  for (let reached = first; ; reached = await positionOf(client)) {
    if (primary?.bytes == null || reached?.bytes == null) return false;
    // After a failover, a replica may still follow the former primary.
    if (primary.timeline !== reached.timeline) return false;
    if (reached.bytes >= primary.bytes) return true;
    if (performance.now() > deadline) return false;
    await pause(CATCH_UP_PAUSE_MS);
  }
}

/** How much of the log is on disk, which includes every commit that a client knows of. */
function positionOfPrimary(): Promise<Position | undefined> {
  return queryOne<Position>(
    sql`
    SELECT ('x' || substr(pg_walfile_name(flushed), 1, 8))::bit(32)::int AS timeline,
           (flushed - '0/0')::float8 AS bytes
    FROM (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn() END AS flushed)
      AS log`,
    pipelines(),
  );
}

/** The timeline is that of the last checkpoint, so for some minutes after a failover it differs. */
async function positionOf(client: pg.PoolClient): Promise<Position | undefined> {
  const statement = {
    text: `SELECT timeline_id AS timeline,
             CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS bytes
           FROM pg_control_checkpoint()`,
    query_timeout: POSITION_MS_MAX,
  };
  return (await client.query<Position>(statement)).rows[0];
}

/** Leaves reads to the primary until the replica can be used again. */
function avoid(reason: string) {
  if (state.isAvoided) return;
  state.isAvoided = true;
  if (performance.now() - state.reportedAt > REPORT_EVERY_MS) {
    state.reportedAt = performance.now();
    logError(`The replica cannot be used: ${reason}. Lists are read from the primary.`);
  }
  setTimeout(tryAgain, RETRY_MS).unref();
}

async function tryAgain() {
  const replicas = replicaPool();
  const isCurrent = replicas && (await onReplica(replicas, catchesUp).catch(() => false));
  if (isCurrent) state.isAvoided = false;
  else setTimeout(tryAgain, RETRY_MS).unref();
}
