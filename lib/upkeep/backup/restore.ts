import pg from "pg";
import { assertNoServers } from "@/lib/platform/db/assert-no-servers";
import { connectAtStart } from "@/lib/platform/db/connect-at-start";
import { migrate } from "@/lib/platform/db/migrate";
import {
  type Migration,
  migrationsFolder,
  readMigrations,
} from "@/lib/platform/db/migration-files";
import { configureRole } from "@/lib/platform/db/role-settings";
import { OperatorError } from "@/lib/platform/operator-error";
import { CHANGE_HORIZON, COPY_SETTINGS, readHistory, readTables } from "./database";
import { type Header, readBackup } from "./file";
import { assertEmpty, load, startAfterRestore } from "./load";

interface RestoreOptions {
  /** The URL of the database, without a pooler. */
  url: string;
  file: string;
  /** Replaces all rows of a database that is not empty. */
  replace: boolean;
  log: (line: string) => void;
}

/** Reads a file to its end. Throws `OperatorError` unless it is complete and fits this version. */
export async function checkBackup(file: string): Promise<Header> {
  let header: Header | undefined;
  for await (const part of readBackup(file)) {
    if (part.kind !== "header") continue;
    header = part.header;
    await knownMigrations(header);
  }
  if (!header) throw new OperatorError(`${file} is empty.`);
  return header;
}

/**
 * Restores a checked backup in one transaction, and turns dispatch off. An empty database first
 * gets the backup's schema; the newer migrations follow. Returns the number of rows.
 */
export async function restore(header: Header, options: RestoreOptions): Promise<number> {
  const { url, log } = options;
  const migrations = await knownMigrations(header);
  const client = await connectAtStart(url, log);
  try {
    await assertFits(client, header, options);
    await migrate({ url, log, migrations });
    const rows = await load(client, header, options);
    await migrate({ url, log });
    await configureRole(url, log);
    await client.query("BEGIN; SET LOCAL statement_timeout = 0; ANALYZE; COMMIT");
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Does what a restore does at its end, in a database that something else has set back to an earlier
 * time. Throws `OperatorError`.
 */
export async function startAfterRecovery(url: string, log: (line: string) => void): Promise<void> {
  const client = await connectAtStart(url, log);
  try {
    await assertNoServers(client);
    await client.query(`BEGIN; ${COPY_SETTINGS}`);
    // The last sign of life before that time. An earlier one only raises fencing tokens more.
    const { rows } = await client.query<{ taken_at: string; change_horizon: string }>(
      `SELECT coalesce(greatest(last_dispatch_at, last_sweep_at), 0) AS taken_at,
              ${CHANGE_HORIZON} AS change_horizon
       FROM dispatch_state`,
    );
    await startAfterRestore(client, {
      taken_at: Number(rows[0]?.taken_at),
      change_horizon: Number(rows[0]?.change_horizon),
    });
    await client.query("COMMIT");
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new OperatorError(`Nothing was changed: ${error.message}.`, { cause: error });
  } finally {
    await client.end();
  }
}

/** The files of the backup's migrations. */
async function knownMigrations(header: Header): Promise<Migration[]> {
  const all = await readMigrations(migrationsFolder());
  return header.migrations.map(({ name, checksum }) => {
    const known = all.find((migration) => migration.name === name);
    if (known?.checksum === checksum) return known;
    throw new OperatorError(
      `The backup was made by another version, ${header.service_version}, and this one does not know ` +
        `its migration ${name}. Restore it with that version.`,
    );
  });
}

/** Throws if the database has another schema, or rows that must not be lost. */
async function assertFits(
  client: pg.Client,
  header: Header,
  { replace }: RestoreOptions,
): Promise<void> {
  const history = await readHistory(client);
  const more = history.find(({ name }) => !header.migrations.some((given) => given.name === name));
  if (more) {
    throw new OperatorError(
      `The database has migration ${more.name}, which the backup lacks. Restore into a new database, ` +
        "or a new DATA_DIR, which then gets the newer migrations too.",
    );
  }
  const tables = await readTables(client);
  if (tables.length > 0 && history.length === 0) {
    throw new OperatorError(
      `The database has tables of something else, such as ${tables[0]?.table}.`,
    );
  }
  if (!replace) await assertEmpty(client, tables);
}
