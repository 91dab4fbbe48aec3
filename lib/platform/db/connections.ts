import { attachDatabasePool } from "@vercel/functions";
import pg from "pg";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";
import { PatientPool } from "./patient-pool";
import { Pipelines } from "./pipelines";
import { CONNECT_MS_MAX, statementMsMax } from "./time-limits";

/** The connections of a single process, unless configured. */
const CONNECTIONS = 10;
/** How many of them serve short reads, unless there are few. */
const PIPELINES = 2;
const FEW_CONNECTIONS = 5;

/**
 * How long an unused connection stays open. Vercel waits as long before it suspends an instance.
 */
const IDLE_MS = 60_000;
export const IDLE_ON_VERCEL_MS = 5000;

/** How long a read waits for a connection to the replica. */
const REPLICA_CONNECT_MS_MAX = 1000;

/** The connections for statements and transactions. */
export function pool(): pg.Pool {
  return oncePerProcess("db.pool", () => makePool(poolSize()));
}

export function poolSize(): number {
  return connections() - pipelineCount();
}

function connections(): number {
  return config().databasePoolSize ?? CONNECTIONS;
}

/** A pooler may not support pipelines, and on Vercel nothing would close them. */
function pipelineCount(): number {
  if (isBehindPooler() || config().onVercel) return 0;
  return connections() <= FEW_CONNECTIONS ? 0 : PIPELINES;
}

/** A connection for the health check, which must not wait for the pool. */
export function reservedConnection(): pg.Pool {
  return oncePerProcess("db.reserved-connection", () => makePool(1));
}

/**
 * Connections for short reads, which send a statement without waiting for the result of the one
 * before; the pool if there are none.
 */
export function pipelines(): Pipelines | pg.Pool {
  const count = pipelineCount();
  if (count === 0) return pool();
  return oncePerProcess("db.pipelines", () => {
    const settings = connectionSettings();
    // Postgres would plan `= ANY ($1)` again for each array. A pooler refuses the option, and then
    // short reads use the pool: it may not support pipelines either.
    const connectionString = withOption(settings.connectionString, GENERIC_PLANS);
    return new Pipelines(count, { ...settings, connectionString }, pool(), { sharePackets: true });
  });
}

/**
 * As many connections again, for concurrent writes to many parents on a distributed
 * database, so that short reads do not wait for their locks.
 */
export function writePipelines(): Pipelines | pg.Pool {
  const count = pipelineCount();
  if (count === 0) return pool();
  return oncePerProcess("db.write-pipelines", () => {
    return new Pipelines(count, connectionSettings(), pool(), { sharePackets: false });
  });
}

/** A pool of the same size for the replica; undefined if there is none. */
export function replicaPool(): pg.Pool | undefined {
  return oncePerProcess("db.replica-pool", () => {
    const { databaseReplicaUrl: connectionString } = config();
    if (connectionString === undefined) return undefined;
    return watched(
      new pg.Pool({
        ...connectionSettings(),
        connectionString,
        connectionTimeoutMillis: REPLICA_CONNECT_MS_MAX,
        max: poolSize(),
        idleTimeoutMillis: idleMsMax(),
      }),
    );
  });
}

/** Closes all connections once their statements have ended. */
export async function closePools(): Promise<void> {
  for (const one of [pipelines(), writePipelines()]) if (one instanceof Pipelines) one.end();
  await Promise.all([pool().end(), reservedConnection().end(), replicaPool()?.end()]);
}

const GENERIC_PLANS = "-c plan_cache_mode=force_generic_plan";

// No connection of a pool runs SET: behind a pooler it would reach other clients. The role has the settings.
function connectionSettings() {
  const { databaseUrl } = config();
  if (!databaseUrl) {
    throw new Error("DATABASE_URL is not set; only `npm start` brings an embedded database.");
  }
  return {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: statementMsMax(),
    application_name: "agent-infrastructure",
  };
}

function withOption(databaseUrl: string, option: string): string {
  const added = encodeURIComponent(option);
  if (/[?&]options=/.test(databaseUrl)) {
    return databaseUrl.replace(/[?&]options=[^&]*/, (given) => `${given}%20${added}`);
  }
  return `${databaseUrl}${databaseUrl.includes("?") ? "&" : "?"}options=${added}`;
}

function makePool(max: number): pg.Pool {
  return watched(new PatientPool({ ...connectionSettings(), max, idleTimeoutMillis: idleMsMax() }));
}

function idleMsMax(): number {
  return config().onVercel ? IDLE_ON_VERCEL_MS : IDLE_MS;
}

/**
 * Without listeners a broken connection would crash the process. One that is idle is replaced on
 * next use; in a transaction the next statement fails.
 */
function watched(pool: pg.Pool): pg.Pool {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  if (config().onVercel) attachDatabasePool(pool);
  return pool;
}

/** Whether PgBouncer shares connections between statements, which excludes prepared ones. */
export function isBehindPooler(): boolean {
  return oncePerProcess("db.pooler", () => isPooler(config().databaseUrl));
}

export function isPooler(url = ""): boolean {
  return /[?&]pgbouncer=true/.test(url);
}
