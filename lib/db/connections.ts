import pg from "pg";
import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";
import { Pipelines } from "./pipelines";

/** Connections of a single process, unless configured. */
const CONNECTIONS = 10;
/** Of these, for short reads, unless there are few. */
const PIPELINES = 2;
const FEW_CONNECTIONS = 5;
/** A connection that does not answer a health check is replaced. */
const HEALTH_CHECK_MS_MAX = 2000;

/** The connections for statements and transactions. */
export function pool(): pg.Pool {
  return oncePerProcess("db.pool", () => makePool(connections() - pipelineCount()));
}

function connections(): number {
  return config().databasePoolSize ?? CONNECTIONS;
}

/** A pooler may not support pipelines. */
function pipelineCount(): number {
  return isBehindPooler() || connections() <= FEW_CONNECTIONS ? 0 : PIPELINES;
}

/** A connection for the health check, which must not wait for the pool. */
export function reservedConnection(): pg.Pool {
  return oncePerProcess("db.reserved-connection", () =>
    makePool(1, { query_timeout: HEALTH_CHECK_MS_MAX }),
  );
}

/**
 * Connections for short reads, which send a statement without waiting for the result of the one
 * before; the pool if there are none.
 */
export function pipelines(): Pipelines | pg.Pool {
  const count = pipelineCount();
  if (count === 0) return pool();
  return oncePerProcess("db.pipelines", () => {
    // Postgres would plan `= ANY ($1)` again for each array.
    const prepareSession = `${PREPARE_SESSION}; SET plan_cache_mode = force_generic_plan`;
    return new Pipelines(count, connectionSettings(), prepareSession);
  });
}

/** Closes all connections once their statements have ended. */
export async function closePools(): Promise<void> {
  const shortReads = pipelines();
  await Promise.all([
    pool().end(),
    reservedConnection().end(),
    shortReads instanceof Pipelines && shortReads.end(),
  ]);
}

// A plan made while a table had 5 rows scans all of it until the next ANALYZE: at 100 000 rows a
// read by ID took 2500 pages, and 10 without sequential scans. (`force_custom_plan` also helps, but
// costs 0.1 ms per statement.) Before Postgres 18 the penalty for an unavoidable scan is so high
// that it triggers JIT.
const PREPARE_SESSION = "SET enable_seqscan = off; SET jit = off";

function connectionSettings() {
  const { databaseUrl } = config();
  if (!databaseUrl) {
    throw new Error("DATABASE_URL is not set; only `npm start` brings an embedded database.");
  }
  return {
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5000,
    application_name: "agent-infrastructure",
  };
}

function makePool(max: number, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(),
    ...settings,
    max,
    idleTimeoutMillis: 60_000,
    onConnect: (client) => client.query(PREPARE_SESSION).then(() => {}),
  });
  // A broken idle connection is replaced on next use; without a listener it would crash the
  // process.
  pool.on("error", () => {});
  return pool;
}

/** Whether PgBouncer shares connections between statements, which excludes prepared ones. */
export function isBehindPooler(): boolean {
  return oncePerProcess("db.pooler", () => /[?&]pgbouncer=true/.test(config().databaseUrl ?? ""));
}
