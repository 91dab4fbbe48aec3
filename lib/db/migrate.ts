import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { migrationNames, migrationsFolder } from "./migration-names";

/** Advisory lock: one server at a time applies a migration. */
const MIGRATION_LOCK = 7_305_218_847;
const LOCK_WAIT_MINUTES_MAX = 10;

/** The message names the migration that failed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export interface MigrateOptions {
  /** A direct or transaction-pooled connection of a user that may create tables. */
  url: string;
  /** The folder that holds `prisma/migrations`. */
  root?: string;
  log?: (line: string) => void;
}

/**
 * Applies pending migrations and returns their names. Each migration and its row in Prisma's
 * `_prisma_migrations` are one transaction: a killed server leaves nothing half done, concurrent
 * servers apply each one once, and `prisma migrate deploy` sees the same history. Throws
 * `MigrationError`.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, root = process.cwd(), log = () => {} } = options;
  const migrations = await readMigrations(migrationsFolder(root));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === null) return applied;
      log(`Applied migration ${name}.`);
      applied.push(name);
    }
  } finally {
    await client.end();
  }
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = await migrationNames(dir).catch((cause: unknown) => {
    throw new MigrationError(`Cannot read the migrations folder ${dir}.`, { cause });
  });
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(dir, name, "migration.sql"), "utf8").catch((cause) => {
        throw new MigrationError(`Migration ${name} has no readable migration.sql.`, { cause });
      });
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** Returns null when none is pending. */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | null> {
  await client.query("BEGIN");
  try {
    await waitForTurn(client);
    const done = await readHistory(client);
    const next = migrations.find(({ name }) => !done.has(name));
    if (next) await apply(client, next);
    await client.query("COMMIT");
    return next?.name ?? null;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** A transaction-level lock: a session lock would be lost in a transaction pooler. */
async function waitForTurn(client: pg.Client): Promise<void> {
  await client.query("SET LOCAL statement_timeout = 0");
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  await client.query(`SET LOCAL lock_timeout = '${LOCK_WAIT_MINUTES_MAX}min'`);
  await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]).catch((cause) => {
    throw new MigrationError(
      `Another server has been migrating this database for more than ${LOCK_WAIT_MINUTES_MAX} minutes.`,
      { cause },
    );
  });
}

async function readHistory(client: pg.Client): Promise<Set<string>> {
  const { rows: tables } = await client.query<{ present: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present",
  );
  if (!tables[0]?.present) {
    await client.query(HISTORY_TABLE);
    return new Set();
  }
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const failed = rows.find((row) => !row.finished);
  if (failed) {
    throw new MigrationError(
      `Migration ${failed.name} failed earlier under the Prisma CLI: repair the ` +
        "database and mark it with prisma migrate resolve.",
    );
  }
  return new Set(rows.map((row) => row.name));
}

/** Copied from Prisma: schema-engine, `sql_schema_connector/src/flavour/postgres.rs`. */
const HISTORY_TABLE = `CREATE TABLE _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(
      `Migration ${name} failed and was rolled back: ${reason}${position(cause, sql)}.`,
      { cause },
    );
  }
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

function position(error: unknown, sql: string): string {
  const characters = error instanceof pg.DatabaseError ? Number(error.position) : 0;
  return characters > 0 ? ` (line ${sql.slice(0, characters).split("\n").length})` : "";
}
