import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { OperatorError } from "@/lib/platform/operator-error";
import { MOVED_ID } from "@/lib/resources/changes/position";
import { COPY_SETTINGS, readTables } from "./database";
import { type Footer, type Header, type Part, readBackup, type Table } from "./file";

/**
 * More transactions than can have been lost: at 10 000 a second, those of three years. 8000 restores
 * fit into a safe integer.
 */
const LOST_TRANSACTIONS = 2 ** 40;
/**
 * Fencing tokens rise by this plus one per second since the backup, which exceeds how often a task
 * can have been leased.
 */
const LOST_LEASES = 1000;
/** While the restore waits for a lock, requests queue behind it. */
const LOCK_SECONDS_MAX = 5;
const LOCK_TRIES = 10;
/** Migrations insert a row here, so it is never empty. */
const ALWAYS_THERE = "dispatch_state";

/** Throws `OperatorError` when a table has rows. */
export async function assertEmpty(client: pg.ClientBase, tables: Table[]): Promise<void> {
  for (const { table } of tables) {
    if (table === ALWAYS_THERE) continue;
    const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(table)} LIMIT 1`);
    if (rowCount === 0) continue;
    throw new OperatorError(
      `The database is not empty: ${table} has rows. Restore into a new one; --replace deletes all rows first.`,
    );
  }
}

/** Replaces all rows with those of the backup and returns their number. Everyone else waits. */
export async function load(
  client: pg.ClientBase,
  header: Header,
  { file, replace }: { file: string; replace: boolean },
): Promise<number> {
  try {
    const tables = await beginAlone(client);
    if (!replace) await assertEmpty(client, tables);
    await client.query(`TRUNCATE ${namesOf(tables)}`);
    const restoreChecks = await dropChecks(client);
    const footer = await copyTables(client, readBackup(file), tables);
    await client.query(restoreChecks);
    // Before anything is inserted: the backup may be of a database that was restored itself.
    await advanceSequences(client, footer);
    await startAfterRestore(client, header);
    await client.query("COMMIT");
    return Object.values(footer.rows).reduce((sum, count) => sum + count, 0);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new OperatorError(`Nothing was restored: ${error.message}.`, { cause: error });
  }
}

/** Begins a transaction that has locked all tables. Retries: requests lock in other orders. */
async function beginAlone(client: pg.ClientBase): Promise<Table[]> {
  for (let tries = 1; ; tries += 1) {
    await client.query(`BEGIN; ${COPY_SETTINGS}; SET LOCAL lock_timeout = '${LOCK_SECONDS_MAX}s'`);
    try {
      const tables = await readTables(client);
      await client.query(`LOCK TABLE ${namesOf(tables)} IN ACCESS EXCLUSIVE MODE`);
      return tables;
    } catch (error) {
      if (!isDatabaseDown(error) || tries === LOCK_TRIES) throw error;
      await client.query("ROLLBACK");
    }
  }
}

function namesOf(tables: Table[]): string {
  return tables.map(({ table }) => pg.escapeIdentifier(table)).join(", ");
}

/**
 * Without foreign keys, tables can be filled in any order; without triggers, nothing happens twice.
 * Returns the statements that restore both and check the rows.
 */
async function dropChecks(client: pg.ClientBase): Promise<string> {
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                   pg_get_constraintdef(oid)) AS add
     FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace`,
  );
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
     JOIN pg_class ON pg_class.oid = tgrelid
     WHERE NOT tgisinternal AND tgparentid = 0
       AND relnamespace = current_schema()::regnamespace`,
  );
  const switched = (how: string) =>
    tables.map(({ name }) => `ALTER TABLE ${name} ${how} TRIGGER USER`);
  await client.query([...keys.map(({ drop }) => drop), ...switched("DISABLE")].join(";"));
  return [...keys.map(({ add }) => add), ...switched("ENABLE")].join(";");
}

async function copyTables(
  client: pg.ClientBase,
  parts: AsyncGenerator<Part>,
  tables: Table[],
): Promise<Footer> {
  const rows: Record<string, number> = {};
  let footer: Footer | undefined;
  for await (const part of parts) {
    if (part.kind === "footer") footer = part.footer;
    if (part.kind !== "table") continue;
    const copy = client.query(copyFrom(`COPY ${columnsOf(part.table, tables)} FROM STDIN`));
    await pipeline(dataOf(parts), copy);
    rows[part.table.table] = copy.rowCount;
  }
  if (!footer) throw new OperatorError("The backup has no end. Nothing was changed.");
  const wrong = Object.entries(footer.rows).find(([table, count]) => rows[table] !== count);
  if (wrong) throw new OperatorError(`The backup lacks rows of ${wrong[0]}. Nothing was changed.`);
  return footer;
}

/** The data blocks up to the end of a table. */
async function* dataOf(parts: AsyncGenerator<Part>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value: part, done } = await parts.next();
    if (done || part.kind !== "data") return;
    yield part.data;
  }
}

function columnsOf({ table, columns }: Table, known: Table[]): string {
  const existing = known.find((given) => given.table === table)?.columns ?? [];
  const missing = columns.find((column) => !existing.includes(column));
  if (missing !== undefined || existing.length === 0) {
    throw new OperatorError(
      `This version has no table ${table} like that of the backup. Nothing was changed.`,
    );
  }
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  return `${pg.escapeIdentifier(table)} (${names})`;
}

/**
 * Turns dispatch off, and ensures that positions in the change feed and fencing tokens issued after
 * the backup are not issued again.
 */
export async function startAfterRestore(
  client: pg.ClientBase,
  { taken_at: takenAt, change_horizon: horizon }: Pick<Header, "taken_at" | "change_horizon">,
): Promise<void> {
  // Moves changes that nobody had seen: others may have been committed before them.
  await client.query("UPDATE changes SET xid = $1, id = id + $2 WHERE xid > $1", [
    horizon,
    MOVED_ID,
  ]);
  // Tasks without a lease may have had their first one after the backup.
  await client.query(
    "UPDATE tasks SET fencing_token = fencing_token + greatest(unix_now() - $1::bigint, 0) + $2",
    [takenAt, LOST_LEASES],
  );
  const { rows } = await client.query<{ offset: string }>(
    `INSERT INTO restores (taken_at, lost_after_xid, lost_until_xid)
     SELECT $1::bigint, $2::bigint, greatest($2::bigint + $3::bigint, pg_current_xact_id()::text::bigint)
     RETURNING lost_until_xid - pg_current_xact_id()::text::bigint AS offset`,
    [takenAt, horizon, LOST_TRANSACTIONS],
  );
  await client.query(
    `CREATE OR REPLACE FUNCTION change_xid_offset() RETURNS BIGINT
     LANGUAGE SQL STABLE PARALLEL SAFE RETURN ${Number(rows[0]?.offset)}::bigint`,
  );
}

/** Sequences never go back, not even when the transaction rolls back. */
async function advanceSequences(client: pg.ClientBase, { sequences }: Footer): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    await client.query(
      `SELECT setval(seqrelid, greatest($2, nextval(seqrelid))) FROM pg_sequence
       WHERE seqrelid = to_regclass(quote_ident($1))`,
      [name, last],
    );
  }
}
