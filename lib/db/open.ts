import { adoptEmbeddedDatabase, config } from "@/lib/config/config";
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from "@/lib/embedded-postgres/start";
import { migrate } from "./migrate";
import { closePools } from "./sql";

/**
 * Makes the database ready for this process: the one of `DATABASE_URL`, else the embedded one as
 * `embedded` starts it or finds it running; then the migrations. Returns what closes it again.
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
        // Another server has taken the data: what is left to do here is to stop in order.
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
