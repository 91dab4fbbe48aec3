import type { Pool } from "pg";
import { childrenOf, residentMegabytes } from "../support/servers";
import type { Member } from "./fleet";

export const SAMPLE_MS = 5000;

/** Tables that the load fills and the sweep, evictions and deletions empty. */
const TABLES = [
  "tasks",
  "artifacts",
  "webhook_events",
  "inbox_events",
  "scheduled_messages",
  "message_attempts",
  "idempotency_records",
  "changes",
] as const;

export interface Sample {
  seconds: number;
  /** Of the server that runs from the beginning to the end. */
  megabytes: number;
  rows: Record<string, number>;
  acknowledged: number;
}

export async function takeSample(
  db: Pool,
  steady: Member,
  { began, acknowledged }: { began: number; acknowledged: number },
): Promise<Sample> {
  const counts = TABLES.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`);
  const { rows } = await db.query<Record<string, number>>(`SELECT ${counts.join(", ")}`);
  return {
    seconds: Math.round((performance.now() - began) / 1000),
    megabytes: memoryOf(steady.server.pid),
    rows: rows[0] ?? {},
    acknowledged,
  };
}

function memoryOf(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), residentMegabytes(pid));
}

/**
 * Retention is counted in days, so rows grow older by days after some seconds. Then the sweep of
 * the servers deletes them.
 */
export async function age(db: Pool) {
  const old = "unix_now() - 100 * 86400::bigint";
  const isDue = (column: string) => `${column} BETWEEN unix_now() - 86400 AND unix_now() - 60`;
  for (const statement of [
    `UPDATE idempotency_records SET created_at = ${old} WHERE ${isDue("created_at")} AND owner IS NULL`,
    `UPDATE changes SET created_at = ${old} WHERE ${isDue("created_at")}`,
    `UPDATE scheduled_messages SET updated_at = ${old}
     WHERE webhook_endpoint_id IS NOT NULL AND due_at IS NULL AND ${isDue("updated_at")}`,
  ]) {
    await db.query(statement);
  }
}
