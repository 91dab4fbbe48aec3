import { openDatabase } from "@/lib/platform/db/open";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";

/** Runs `work` with the configured database open, beside a server or without one. Returns its result. */
export async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const close = await openDatabase(connectEmbeddedPostgres);
  try {
    return await work();
  } finally {
    await close();
  }
}
