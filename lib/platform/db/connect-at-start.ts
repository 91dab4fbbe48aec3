import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";
import { MIGRATION_NAME } from "./assert-no-servers";
import { isDatabaseDown } from "./failures";
import { CONNECT_MS_MAX } from "./time-limits";

/** How long to wait for a database that is starting or has no connection left. */
export const WAIT_MS_MAX = 30_000;
const RETRY_MS = 250;

/** Connects to `url`, without time limits on statements. Throws `OperatorError` if it cannot. */
export async function connectAtStart(url: string, log: (line: string) => void): Promise<pg.Client> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      application_name: MIGRATION_NAME,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
      if (!isDatabaseDown(cause) || performance.now() > deadline) {
        throw new OperatorError(`The database at ${placeOf(url)} cannot be used: ${reason}.`, {
          cause,
        });
      }
      if (tries === 1) log(`Waiting for the database at ${placeOf(url)}: ${reason}.`);
      await pause(RETRY_MS);
    }
  }
}

/** The URL without its password. */
function placeOf(url: string): string {
  return new pg.Client({ connectionString: url }).host;
}
