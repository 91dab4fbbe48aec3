import { hash } from "node:crypto";
import * as template from "@prisma/client-runtime-utils";
import pg from "pg";
import { oncePerProcess } from "@/lib/platform/process";
import { isBehindPooler, pool } from "./connections";
import { isDatabaseDown, reportDatabaseDown } from "./failures";
import { assertNoTransaction, trackTransaction } from "./open-transactions";
import { type Db, send } from "./send";
import { recordResponse } from "./time-limits";
import { OpenTransaction, type Transaction } from "./transaction";

/** A SQL statement with its values kept separate, as Prisma's raw SQL has it. */
export type Sql = template.Sql;

/**
 * Builds a statement. Values become parameters, and nested statements part of the text: sql`SELECT
 * … WHERE ${condition} AND id = ${id}`.
 */
export const sql = template.sql;

/** Text inserted verbatim, such as a column's name. It must never come from a caller. */
export const raw = template.raw;

/** Joins statements, such as conditions with AND. An empty list makes an empty statement. */
export function join(statements: readonly Sql[], separator: string): Sql {
  return statements.length === 0 ? template.empty : template.join([...statements], separator);
}

/**
 * A column to select or return. With it, a statement outside a transaction returns before its commit
 * is on disk. A crash of Postgres within the next second may lose the write.
 */
export const WITHOUT_DISK_WAIT = sql`set_config('synchronous_commit', 'off', true)`;

/** A column to select. From then on, its transaction waits at most this long for each lock. */
export const SHORT_WAITS = sql`set_config('lock_timeout', '500ms', true)`;

/** The right side of a comparison with any of these values. For a single one, `=` costs less than `= ANY`. */
export function isOneOf(values: readonly string[]): Sql {
  return values.length === 1 ? sql`= ${values[0]}` : sql`= ANY (${values})`;
}

/** The length of these columns of a row together, in bytes. Long texts are not read for it. */
export function bytesOf(texts: readonly string[]): Sql {
  const lengths = texts.map((name) => sql`coalesce(octet_length(${raw(name)}), 0)`);
  return join([sql`0`, ...lengths], " + ");
}

/** The most rows that are listed one by one. */
const LISTED_MAX = 8;

/**
 * The rows of a `FROM`, as the table `name`: for each column its type and a value for each row. Many
 * are sent as arrays. A few are listed, because Postgres assumes that an array parameter has ten
 * elements: with fewer, a custom plan looks cheaper, and it would replan every execution.
 */
export function rowsOf(
  name: string,
  columns: Record<string, { type: string; values: readonly unknown[] }>,
): Sql {
  const given = Object.values(columns);
  const count = given[0]?.values.length ?? 0;
  const table = raw(`AS ${name} (${Object.keys(columns).join(", ")})`);
  if (count === 0 || count > LISTED_MAX) {
    const arrays = given.map(({ type, values }) => sql`${values}::${raw(type)}[]`);
    return sql`unnest(${join(arrays, ", ")}) ${table}`;
  }
  const row = `(${given.map(({ type }) => `?::${type}`).join(", ")})`;
  const text = `(VALUES ${Array(count).fill(row).join(", ")})`;
  const values = Array.from({ length: count }, (_, index) =>
    given.map((column) => column.values[index]),
  );
  return sql`${new template.Sql(text.split("?"), values.flat())} ${table}`;
}

export type { Transaction };

/**
 * Runs one statement in one round trip. `Row` is the type of a selected row. Bigints become
 * numbers, since the service stores only safe integers.
 */
export async function query<Row>(statement: Sql, db?: Db): Promise<Row[]> {
  if (!db) assertNoTransaction();
  const { text, values } = statement;
  const { rows } = await send(db ?? pool(), { text, values, types, name: nameOf(text) });
  // The caller declares the row's type.
  return rows as Row[];
}

/** Like `query`, for a statement that returns at most one row. */
export async function queryOne<Row>(statement: Sql, db?: Db): Promise<Row | undefined> {
  return (await query<Row>(statement, db))[0];
}

/**
 * Runs `work` in a transaction and rolls back when it throws. Every statement inside must take the
 * given `tx`, which has Prisma's models and runs SQL on the same connection.
 */
export async function transaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  assertNoTransaction();
  const client = await connect();
  const tx = new OpenTransaction(client);
  let broken = false;
  try {
    await send(client, { text: "BEGIN" });
    const result = await trackTransaction(() => work(tx as unknown as Transaction));
    await send(client, { text: "COMMIT" });
    for (const next of following.get(tx) ?? []) next();
    return result;
  } catch (error) {
    // Closing the connection also rolls back. The next one may reach another, writable server.
    broken = isDatabaseDown(error);
    if (!broken) {
      await send(client, { text: "ROLLBACK" }).catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    tx.end();
    client.release(broken);
  }
}

/** Work to do after the commit, by the transaction's connection. */
const following = new WeakMap<Db, (() => void)[]>();

/** Calls `work` after the transaction of `db` commits, or at once without a transaction. */
export function afterCommit(db: Db | undefined, work: () => void): void {
  if (db) following.set(db, [...(following.get(db) ?? []), work]);
  else work();
}

async function connect(): Promise<pg.PoolClient> {
  try {
    return await pool().connect();
  } catch (error) {
    recordResponse(error);
    reportDatabaseDown(error);
    throw error;
  }
}

const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format ?? "text"),
};

/** Postgres parses and plans a named statement once per connection. */
function nameOf(text: string): string | undefined {
  if (isBehindPooler()) return undefined;
  const names = oncePerProcess("db.statement-names", () => new Map<string, string>());
  let name = names.get(text);
  if (name === undefined) {
    name = hash("sha256", text, "base64url").slice(0, 22);
    names.set(text, name);
  }
  return name;
}
