import { config } from "@/lib/platform/config/config";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";

/**
 * Runs `work` with the URL of the configured database, unmigrated. Starts the embedded one if it is
 * not running, and may `create` it.
 */
export async function withUnmigratedDatabase(
  work: (url: string) => Promise<void>,
  { create = false } = {},
): Promise<void> {
  const { directUrl, dataDir } = config();
  if (directUrl !== undefined) return work(directUrl);
  const { url, stop } = await connectEmbeddedPostgres({ dataDir, create });
  try {
    await work(url);
  } finally {
    await stop();
  }
}
