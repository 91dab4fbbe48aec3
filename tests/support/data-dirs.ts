import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { migrate } from "@/lib/platform/db/migrate";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { testPool } from "./test-pool";

/**
 * Do not sync to the disk, whose stalls would look like ours: the tests kill processes, and what those
 * have written outlives them in the kernel's memory. Leave files of the log sparse, so that a copy has
 * 16 MB less to write.
 */
const SETTINGS = [
  "ALTER SYSTEM SET fsync = off",
  "ALTER SYSTEM SET wal_init_zero = off",
  "ALTER SYSTEM SET wal_recycle = off",
  "SELECT pg_reload_conf()",
  "SELECT pg_switch_wal()",
];

/** Makes a data directory with a migrated database, as a server that was stopped leaves it. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate({ url: postgres.url });
  const db = testPool(postgres.url, 1);
  for (const statement of SETTINGS) await db.query(statement);
  await db.end();
  await postgres.stop();
}

/** With its owners and modes: as root, Postgres runs as another user. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", from, to]);
}
