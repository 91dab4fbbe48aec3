import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";
import { connectAtStart } from "./connect-at-start";
import { changeNodesInTurn, distributeFunctions } from "./distribution";
import {
  type ConcurrentStatement,
  type Migration,
  migrationsFolder,
  readMigrations,
} from "./migration-files";
import { createHistory, pendingMigrations, recordMigration } from "./migration-history";

/** Advisory lock: one process at a time changes the schema. */
export const MIGRATION_LOCK = 7_305_218_847;
const TURN_POLL_MS = 100;
export const WAIT_MINUTES_MAX = 10;
/**
 * While a migration waits for a lock, other statements on the table queue behind it, so it gives up
 * early.
 */
export const LOCK_MS_MAX = 5000;
/** Lets other statements pass before the next try. */
const RETRY_MS_MAX = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

interface MigrateOptions {
  /** A direct or transaction-pooled connection of a user who may create tables. */
  url: string;
  /** The folder that holds `prisma/migrations`. */
  root?: string;
  /** Replaces the migrations in that folder. */
  migrations?: Migration[];
  /** Accepts a database that is newer than this version. */
  allowNewer?: boolean;
  /** Receives a line for each wait. */
  log?: (line: string) => void;
  /** How long a migration waits for a lock, in milliseconds. */
  lockMsMax?: number;
}

/**
 * Applies pending migrations and returns their names. Each migration and its row in Prisma's
 * `_prisma_migrations` are one transaction: a killed server leaves nothing half done, concurrent
 * servers apply each one once, and `prisma migrate deploy` sees the same history. Those with
 * `CONCURRENTLY` run outside of it and can be repeated. Throws `OperatorError`.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, root = process.cwd(), log = () => {}, lockMsMax = LOCK_MS_MAX } = options;
  const migrations = options.migrations ?? (await readMigrations(migrationsFolder(root)));
  const client = await connectAtStart(url, log);
  const deadline = performance.now() + WAIT_MINUTES_MAX * 60_000;
  const turn = { ...options, lockMsMax, deadline, log };
  try {
    await assertEncoding(client);
    const applied: string[] = [];
    for (let retryMs = lockMsMax / 5; ; ) {
      try {
        const name = await applyNext(client, migrations, turn);
        if (name === null) return applied;
        applied.push(name);
      } catch (error) {
        if (!isLocked(error) || performance.now() > deadline) throw error;
        log(`${errorText(error)} Trying again.`);
        await pause(retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
  } finally {
    await client.end();
  }
}

/** Throws `OperatorError` unless all migrations have been applied. The database may be newer. */
export async function assertMigrated(options: MigrateOptions): Promise<void> {
  const { url, root = process.cwd(), log = () => {} } = options;
  const migrations = await readMigrations(migrationsFolder(root));
  const client = await connectAtStart(url, log);
  try {
    const [next, ...others] = await pendingMigrations(client, migrations, { allowNewer: true });
    if (!next) return;
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    throw new OperatorError(
      `The database lacks migration ${next.name}${more}. Run npm run migrate, or start a server ` +
        "without MIGRATE_ON_START=false.",
    );
  } finally {
    await client.end();
  }
}

/** Other encodings would refuse or alter some texts. */
async function assertEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; name: string }>(
    "SELECT current_setting('server_encoding') AS encoding, current_database() AS name",
  );
  const { encoding, name } = rows[0] ?? {};
  if (encoding === "UTF8") return;
  throw new OperatorError(
    `The database ${name} has the encoding ${encoding}. Create one with ENCODING 'UTF8', and ` +
      "TEMPLATE template0 if needed.",
  );
}

interface Turn extends Pick<MigrateOptions, "url" | "allowNewer"> {
  lockMsMax: number;
  deadline: number;
  log: (line: string) => void;
}

/** Returns null when nothing is pending. */
async function applyNext(
  client: pg.Client,
  migrations: Migration[],
  turn: Turn,
): Promise<string | null> {
  await beginTurn(client, turn);
  try {
    const [next] = await pendingMigrations(client, migrations, turn);
    if (next) {
      await createHistory(client);
      if (next.concurrent) await applyConcurrently(next, next.concurrent, turn);
      else await apply(client, next);
      await recordMigration(client, next);
    } else {
      await distributeFunctions(client);
    }
    await client.query("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/**
 * Begins a transaction that holds the advisory lock. A transaction pooler would lose a session's
 * lock, and CREATE INDEX CONCURRENTLY would wait for a server that waits inside a statement.
 */
async function beginTurn(client: pg.Client, { lockMsMax, deadline }: Turn): Promise<void> {
  while (performance.now() < deadline) {
    await client.query(
      `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
       SET LOCAL lock_timeout = ${Math.ceil(lockMsMax)}`,
    );
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1) AS held",
      [MIGRATION_LOCK],
    );
    if (rows[0]?.held) return;
    await client.query("ROLLBACK");
    await pause(TURN_POLL_MS);
  }
  throw new OperatorError(
    `Another server has been migrating this database for more than ${WAIT_MINUTES_MAX} minutes.`,
  );
}

async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  await changeNodesInTurn(client);
  await client.query(sql).catch((cause) => {
    const reason = isLocked(cause) ? "another transaction holds a lock" : errorText(cause);
    throw new OperatorError(
      `Migration ${name} failed and was rolled back: ${reason}${position(cause, sql)}.`,
      { cause },
    );
  });
}

/**
 * Runs each statement on its own, outside of a transaction. Such a statement waits for all
 * snapshots, and the caller's transaction has one as long as the last statement that it ran has
 * parameters.
 */
async function applyConcurrently(
  { name }: Migration,
  statements: ConcurrentStatement[],
  { url, log }: Turn,
): Promise<void> {
  const client = await connectForLong(url);
  try {
    for (const { sql, created } of statements) {
      if (await isRunning(client, sql)) {
        log(`An interrupted start has left migration ${name} running. Waiting for it.`);
        while (await isRunning(client, sql)) await pause(TURN_POLL_MS);
      }
      if (created) await dropInvalid(client, created);
      await client.query(sql);
    }
  } catch (cause) {
    throw new OperatorError(`Migration ${name} failed: ${errorText(cause)}.`, { cause });
  } finally {
    await client.end();
  }
}

/**
 * Whether Postgres is still running this statement: it finishes that of a server that was killed.
 * The statement is `active` until after its commit; pg_stat_progress_create_index ends before that.
 */
async function isRunning(client: pg.Client, sql: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query = $1`,
    [sql],
  );
  return rowCount !== 0;
}

/** Drops an index whose creation was interrupted: it exists but is not used. */
async function dropInvalid(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1)) AND NOT indisvalid",
    [name],
  );
  if (rowCount) await client.query(`DROP INDEX CONCURRENTLY ${client.escapeIdentifier(name)}`);
}

/** A connection without a limit on statements; behind a pooler, the role's limit applies. */
async function connectForLong(url: string): Promise<pg.Client> {
  const withoutLimits = new pg.Client({
    connectionString: url,
    options: "-c statement_timeout=0 -c lock_timeout=0",
  });
  withoutLimits.on("error", () => {});
  return withoutLimits.connect().then(
    () => withoutLimits,
    () => connectAtStart(url, () => {}),
  );
}

function isLocked(error: unknown): boolean {
  const cause = error instanceof OperatorError ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function position(error: unknown, sql: string): string {
  const characters = error instanceof pg.DatabaseError ? Number(error.position) : 0;
  return characters > 0 ? ` (line ${sql.slice(0, characters).split("\n").length})` : "";
}
