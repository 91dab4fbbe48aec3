import { adoptEmbeddedDatabase, config } from "@/lib/platform/config/config";
import type {
  EmbeddedPostgres,
  EmbeddedPostgresOptions,
} from "@/lib/platform/embedded-postgres/start";
import { stopOnSignal } from "@/lib/platform/signals";
import { logError } from "@/lib/platform/telemetry/log";
import { closePools } from "./connections";
import { assertMigrated, migrate } from "./migrate";
import { configureRole } from "./role-settings";

/**
 * Opens the database of `DATABASE_URL`, or else the one that `embedded` starts or finds, and
 * applies the migrations unless configured otherwise. Commands apply them to the latter only: with
 * `DATABASE_URL` they may be of another version than the servers. Returns a function that closes it.
 * SIGINT and SIGTERM stop the embedded one and exit, until another handler is set.
 */
export async function openDatabase(
  embedded: (options: EmbeddedPostgresOptions) => Promise<EmbeddedPostgres>,
  { server = false } = {},
): Promise<() => Promise<void>> {
  const log = console.error;
  const { databaseUrl, dataDir } = config();
  const onExit: EmbeddedPostgresOptions["onExit"] = ({ restarted, message }) => {
    logError(message);
    // Another server has taken over the data, so shut down.
    if (!restarted) process.kill(process.pid, "SIGTERM");
  };
  const starting = databaseUrl === undefined ? embedded({ dataDir, log, onExit }) : undefined;
  const stop = stopOnSignal(starting, { server });
  try {
    const postgres = await starting;
    if (postgres) adoptEmbeddedDatabase(postgres.url);
    const { migrateOnStart, embedded: isOwn, directUrl: url = "" } = config();
    const migrates = migrateOnStart && (server || isOwn);
    await (migrates ? prepareDatabase(log) : assertMigrated({ url, log }));
  } catch (error) {
    await stop();
    throw error;
  }
  return async () => {
    await closePools();
    await stop();
  };
}

/**
 * Applies pending migrations to the configured database, configures its roles, and returns the
 * names of the migrations. Logs each wait. With MIGRATE_ON_START=false it accepts a newer database, as the
 * server does. Throws `OperatorError`.
 */
export async function prepareDatabase(log: (line: string) => void): Promise<string[]> {
  const { databaseUrl = "", directUrl = databaseUrl, migrateOnStart } = config();
  const applied = await migrate({ url: directUrl, allowNewer: !migrateOnStart, log });
  // First the direct connection: a pooler would reuse a session from before the settings.
  for (const url of new Set([directUrl, databaseUrl])) await configureRole(url, log);
  return applied;
}
