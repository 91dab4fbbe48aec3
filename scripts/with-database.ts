import { config } from "@/lib/platform/config/config";
import { openDatabase } from "@/lib/platform/db/open";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { stopOnSignal } from "@/lib/platform/signals";

/** Runs `work` with the configured database open, beside a server or without one. Returns its result. */
export async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const close = await openDatabase(connectEmbeddedPostgres);
  try {
    return await work();
  } finally {
    await close();
  }
}

/**
 * Runs `work` with the URL of the configured database, unmigrated. Starts the embedded one if it is
 * not running, and may `create` it. SIGINT and SIGTERM stop that one, and exit.
 */
export async function withUnmigratedDatabase(
  work: (url: string) => Promise<void>,
  { create = false } = {},
): Promise<void> {
  const { directUrl: url, dataDir } = config();
  const starting =
    url === undefined
      ? connectEmbeddedPostgres({ dataDir, create })
      : Promise.resolve({ url, stop: async () => {} });
  const stop = stopOnSignal(starting);
  try {
    await work((await starting).url);
  } finally {
    await stop();
  }
}
