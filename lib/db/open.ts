import { adoptEmbeddedDatabase, config } from "@/lib/config/config";
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from "@/lib/embedded-postgres/start";
import { closePools } from "./connections";
import { migrate } from "./migrate";

/**
 * Opens the database of `DATABASE_URL`, or else the one that `embedded` starts or finds, and
 * applies the migrations. Returns a function that closes it.
 */
export async function openDatabase(
  embedded: (options: EmbeddedPostgresOptions) => Promise<EmbeddedPostgres>,
): Promise<() => Promise<void>> {
  let stop = async () => {};
  if (config().databaseUrl === undefined) {
    const postgres = await embedded({
      dataDir: config().dataDir,
      onExit({ restarted, message }) {
        console.error(message);
        // Another server has taken over the data, so shut down.
        if (!restarted) process.kill(process.pid, "SIGTERM");
      },
    });
    adoptEmbeddedDatabase(postgres.url);
    stop = postgres.stop;
  }
  try {
    await migrate({ url: config().directUrl ?? "" });
  } catch (error) {
    await stop();
    throw error;
  }
  return async () => {
    await closePools();
    await stop();
  };
}
