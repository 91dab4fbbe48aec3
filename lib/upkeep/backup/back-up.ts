import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { connectAtStart } from "@/lib/platform/db/connect-at-start";
import { OperatorError } from "@/lib/platform/operator-error";
import service from "@/package.json" with { type: "json" };
import {
  CHANGE_HORIZON,
  COPY_SETTINGS,
  HISTORY,
  isSecretUnknown,
  readHistory,
  readTables,
  secretMark,
} from "./database";
import { headerOf, type Part, type Table, writeBackup } from "./file";

interface Backup {
  tables: number;
  rows: number;
  bytes: number;
}

/**
 * Writes a snapshot of all rows of the database to a file, while the service keeps running. Memory
 * use does not grow with the database. Throws `OperatorError`.
 */
export async function backUp(
  url: string,
  file: string,
  log: (line: string) => void,
): Promise<Backup> {
  const client = await connectAtStart(url, log);
  try {
    await beginSnapshot(client);
    const rows: Record<string, number> = {};
    const bytes = await writeBackup(file, partsOf(client, rows));
    const counts = Object.values(rows);
    return { tables: counts.length, rows: counts.reduce((sum, count) => sum + count, 0), bytes };
  } finally {
    await client.end();
  }
}

/** A migration would change tables under the snapshot, so the two exclude each other. */
async function beginSnapshot(client: pg.Client): Promise<void> {
  await client
    .query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${COPY_SETTINGS};
       LOCK TABLE ${HISTORY} IN SHARE MODE`,
    )
    .catch((cause: unknown) => {
      const isMissing = cause instanceof pg.DatabaseError && cause.code === "42P01";
      throw isMissing ? new OperatorError("The database has no data of this service.") : cause;
    });
  const { rows } = await client.query<{ present: boolean }>(
    "SELECT to_regclass('restores') IS NOT NULL AS present",
  );
  if (rows[0]?.present) return;
  throw new OperatorError(
    "The database is older than this version. Start the server, or run npm run migrate, first.",
  );
}

async function* partsOf(client: pg.Client, rows: Record<string, number>): AsyncGenerator<Part> {
  const { rows: states } = await client.query<{ taken_at: string; change_horizon: string }>(
    `SELECT unix_now() AS taken_at, ${CHANGE_HORIZON} AS change_horizon`,
  );
  const header = headerOf({
    taken_at: Number(states[0]?.taken_at),
    service_version: service.version,
    migrations: await readHistory(client),
    secret_mark: isSecretUnknown() ? "" : secretMark(),
    change_horizon: Number(states[0]?.change_horizon),
  });
  yield { kind: "header", header };
  for (const table of await readTables(client)) {
    yield { kind: "table", table };
    const copy = client.query(copyTo(`COPY (${selectOf(table)}) TO STDOUT`));
    let count = 0;
    for await (const data of copy) {
      count += linesIn(data);
      yield { kind: "data", data };
    }
    yield { kind: "end" };
    rows[table.table] = count;
  }
  // Read last: sequences are outside the snapshot, and must not be behind the rows' values.
  yield { kind: "footer", footer: { rows, sequences: await readSequences(client) } };
}

function selectOf({ table, columns }: Table): string {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  return `SELECT ${names} FROM ${pg.escapeIdentifier(table)}`;
}

/** Each row is a line; newlines in values are escaped. */
function linesIn(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf("\n"); at !== -1; at = data.indexOf("\n", at + 1)) count += 1;
  return count;
}

async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, coalesce(last_value, 0) AS last FROM pg_sequences
     WHERE schemaname = current_schema()`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}
