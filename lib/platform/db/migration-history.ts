import { randomUUID } from "node:crypto";
import type pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";
import type { Migration } from "./migration-files";

/**
 * The migrations that have not been applied. Throws `OperatorError` when an applied one has changed
 * since, failed under the Prisma CLI, or is unknown to this version; with `allowNewer` that is an error
 * only while others are pending.
 */
export async function pendingMigrations(
  client: pg.Client,
  migrations: Migration[],
  { allowNewer = false } = {},
): Promise<Migration[]> {
  const history = await readHistory(client);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const pending = migrations.filter(({ name }) => !history.has(name));
  const newer = [...history.keys()].filter((name) => !known.has(name));
  if (newer.length > 0 && !(allowNewer && pending.length === 0)) {
    const anyway = "With MIGRATE_ON_START=false this version runs on it all the same.";
    throw new OperatorError(
      `The database is newer than this version, which does not know ${newer.join(", ")}. Start the ` +
        `newer version, or restore a backup. ${pending[0] ? `It lacks ${pending[0].name}.` : anyway}`,
    );
  }
  const edited = migrations.find(
    ({ name, checksum }) => history.has(name) && history.get(name) !== checksum,
  );
  if (edited) {
    throw new OperatorError(
      `Migration ${edited.name} has been changed since it was applied. Restore its file, and put ` +
        "the change into a new migration.",
    );
  }
  return pending;
}

/** Creates Prisma's table of applied migrations if it is missing. */
export async function createHistory(client: pg.Client): Promise<void> {
  if (!(await hasHistory(client))) await client.query(HISTORY_TABLE);
}

export async function recordMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), migration.checksum, migration.name],
  );
}

/** The checksums of the applied migrations, by name. */
async function readHistory(client: pg.Client): Promise<Map<string, string>> {
  if (!(await hasHistory(client))) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const failed = rows.find((row) => !row.finished);
  if (failed) {
    throw new OperatorError(
      `Migration ${failed.name} failed earlier under the Prisma CLI: repair the ` +
        "database and mark it with prisma migrate resolve.",
    );
  }
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function hasHistory(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ present: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present",
  );
  return rows[0]?.present ?? false;
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
