import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { migrate } from "@/lib/platform/db/migrate";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";

/**
 * Makes a data directory with a migrated database, as a server that was stopped leaves it. Postgres
 * does not sync it to the disk, whose stalls would look like ours: the tests kill processes, and what
 * those have written outlives them in the kernel's memory.
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate({ url: postgres.url });
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query("ALTER SYSTEM SET fsync = off");
  await client.end();
  await postgres.stop();
}

/** With its owners and modes: as root, Postgres runs as another user. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", from, to]);
}
