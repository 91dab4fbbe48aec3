import { config } from "@/lib/platform/config/config";
import { ConfigError } from "@/lib/platform/config/config-error";
import { MigrationError } from "@/lib/platform/db/migration-error";
import {
  connectEmbeddedPostgres,
  EmbeddedPostgresError,
} from "@/lib/platform/embedded-postgres/start";
import { BackupError } from "./error";

/**
 * Runs `work` with the URL of the configured database, unmigrated. Starts the embedded one if it is
 * not running, and may `create` it. On an expected error the process exits with its message.
 */
export async function withUnmigratedDatabase(
  work: (url: string) => Promise<void>,
  { create = false } = {},
): Promise<void> {
  let stop = async () => {};
  try {
    let { directUrl: url } = config();
    if (url === undefined) {
      const postgres = await connectEmbeddedPostgres({ dataDir: config().dataDir, create });
      ({ url, stop } = postgres);
    }
    await work(url);
  } catch (error) {
    console.error(textOf(error));
    process.exitCode = 1;
  } finally {
    await stop();
  }
}

function textOf(error: unknown): unknown {
  const isForeseen = [BackupError, ConfigError, EmbeddedPostgresError, MigrationError].some(
    (kind) => error instanceof kind,
  );
  return isForeseen && error instanceof Error ? error.message : error;
}
