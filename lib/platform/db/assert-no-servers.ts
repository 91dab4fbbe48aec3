import type pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";

/** The name of a connection that migrates. Those of servers begin with the same word. */
export const MIGRATION_NAME = "agent-infrastructure migration";

/** Throws `OperatorError` while servers, or commands other than migrations, are connected. */
export async function assertNoServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'agent-infrastructure%'
       AND application_name <> $1 AND datname = current_database()`,
    [MIGRATION_NAME],
  );
  if (rows.length === 0) return;
  throw new OperatorError(
    "Stop all servers first. The service has sessions in this database, with the process IDs " +
      `${rows.map(({ pid }) => pid).join(", ")}. If a pooler keeps them, close its connections.`,
  );
}
