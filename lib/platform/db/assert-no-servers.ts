import type pg from "pg";
import { MigrationError } from "./migration-error";

/** The connection that a server has all the time. */
export const LISTENER_NAME = "agent-infrastructure listener";

/** Throws `MigrationError` while servers use the database. */
export async function assertNoServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = $1 AND datname = current_database()`,
    [LISTENER_NAME],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  throw new MigrationError(`Stop all servers first: ${count} use this database.`);
}
