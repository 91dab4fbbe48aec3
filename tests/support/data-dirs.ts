import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { migrate } from "@/lib/platform/db/migrate";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";

/** Makes a data directory with a migrated database, as a server that was stopped leaves it. */
export async function makeDataDir(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate({ url: postgres.url });
  await postgres.stop();
}

/** With its owners and modes: as root, Postgres runs as another user. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", from, to]);
}
