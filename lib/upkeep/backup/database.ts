import { createHmac } from "node:crypto";
import type pg from "pg";
import { config } from "@/lib/platform/config/config";
import type { Table } from "./file";

/** The only table that a restore does not copy, since the migrations fill it. */
export const HISTORY = "_prisma_migrations";

/** The settings of a transaction that copies: no limits, and data for any other database. */
export const COPY_SETTINGS = `
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL enable_seqscan = on; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL TimeZone = 'UTC'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1`;

/** No reader of the change feed has seen anything after this transaction. */
export const CHANGE_HORIZON =
  "pg_snapshot_xmin(pg_current_snapshot())::text::bigint + change_xid_offset()";

/** The tables of the service and their columns. A partitioned table counts as one. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> $1
       AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
     GROUP BY relname ORDER BY relname`,
    [HISTORY],
  );
  return rows;
}

/** The names and checksums of the database's migrations. */
export async function readHistory(
  client: pg.ClientBase,
): Promise<Array<{ name: string; checksum: string }>> {
  const { rows: found } = await client.query<{ present: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS present",
    [HISTORY],
  );
  if (!found[0]?.present) return [];
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM ${HISTORY}
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  );
  return rows;
}

/** Whether the server of the database may run elsewhere, with a secret that is not set here. */
export function isSecretUnknown(): boolean {
  const { databaseUrl, serverSecretFile } = config();
  return databaseUrl !== undefined && serverSecretFile !== undefined;
}

/** Identifies the server's secret without revealing it. */
export function secretMark(): string {
  return createHmac("sha256", config().serverSecret).update("backup").digest("hex").slice(0, 8);
}
