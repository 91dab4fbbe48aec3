import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import pg from "pg";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";
import { isBehindPooler, pool } from "./connections";
import { isDatabaseDown, reportDatabaseDown } from "./failures";
import { answerMsMax, noteAnswer } from "./time-limits";

/** A SQL statement with its values kept separate, built by the `sql` tag. */
export class Statement {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/**
 * Builds a statement. Values become parameters, nested statements part of the text: sql`SELECT …
 * WHERE ${condition} AND id = ${id}`.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  return new Statement(strings, values);
}

/** Joins statements, such as conditions with AND. */
export function join(statements: readonly Statement[], separator: string): Statement {
  const gaps = statements.slice(1).map(() => separator);
  return new Statement(["", ...gaps, ""], statements);
}

/** `column = value` for every defined value. Column names must never come from a caller. */
export function assignments(values: Record<string, unknown>): Statement[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => new Statement([`${column} = `, ""], [value]));
}

/** Where a statement runs: the pool or a transaction's connection. */
export interface Db {
  query(query: TimedQuery): Promise<{ rows: unknown[] }>;
}

/** pg gives up after `query_timeout` milliseconds; its types lack it. */
type TimedQuery = pg.QueryConfig & { query_timeout: number };

/**
 * Runs one statement in one round trip. `Row` is the type of a selected row. Bigints become
 * numbers, since the service stores only safe integers.
 */
export async function query<Row>(statement: Statement, db?: Db): Promise<Row[]> {
  if (!db) assertNoTransaction();
  const { text, values } = compile(statement);
  const query_timeout = answerMsMax();
  const { rows } = await send(db ?? pool(), {
    text,
    values,
    types,
    query_timeout,
    ...prepared(text),
  });
  // The caller declares the row's type.
  return rows as Row[];
}

/** Like `query`, for a statement that returns at most one row. */
export async function queryOne<Row>(statement: Statement, db?: Db): Promise<Row | undefined> {
  return (await query<Row>(statement, db))[0];
}

function command(text: string): TimedQuery {
  return { text, query_timeout: answerMsMax() };
}

/** Sends a statement, and notes how the database does. */
async function send(db: Db, statement: TimedQuery): Promise<{ rows: unknown[] }> {
  try {
    const result = await db.query(statement);
    noteAnswer();
    return result;
  } catch (error) {
    noteAnswer(error);
    reportDatabaseDown(error);
    throw error;
  }
}

/**
 * Runs `work` in a transaction and rolls back when it throws. Every statement inside must take the
 * given `db`.
 */
export async function transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  assertNoTransaction();
  const client = await connect();
  let broken = false;
  try {
    await send(client, command("BEGIN"));
    const result = await trackTransaction(() => work(client));
    await send(client, command("COMMIT"));
    for (const next of following.get(client) ?? []) next();
    return result;
  } catch (error) {
    // Closing the connection also rolls back. The next one may reach another, writable server.
    broken = isDatabaseDown(error);
    if (!broken) {
      await send(client, command("ROLLBACK")).catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    following.delete(client);
    client.release(broken);
  }
}

/** Work to do after the commit, by the connection of the transaction. */
const following = new WeakMap<Db, (() => void)[]>();

/** Calls `work` after the commit of the transaction of `db`, at once without one. */
export function afterCommit(db: Db | undefined, work: () => void): void {
  if (db) following.set(db, [...(following.get(db) ?? []), work]);
  else work();
}

/**
 * Throws inside a `transaction()`, in tests only. Holding a connection while waiting for another,
 * or for a mail server, deadlocks the process under load.
 */
export function assertNoTransaction(): void {
  if (!transactions()?.getStore()?.isOpen) return;
  throw new Error("Inside a transaction: use its `db`, and do everything else after the commit.");
}

async function connect(): Promise<pg.PoolClient> {
  try {
    return await pool().connect();
  } catch (error) {
    noteAnswer(error);
    reportDatabaseDown(error);
    throw error;
  }
}

async function trackTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const watch = transactions();
  if (!watch) return work();
  const state = { isOpen: true };
  try {
    return await watch.run(state, work);
  } finally {
    // Timers and promises may outlive the transaction in its context.
    state.isOpen = false;
  }
}

/** Undefined in production, where tracking async context costs time. */
function transactions() {
  return oncePerProcess("db.transactions", () =>
    config().validateResponses ? new AsyncLocalStorage<{ isOpen: boolean }>() : undefined,
  );
}

/** Whether Postgres rejected U+0000, which it cannot store in text, as such or in JSON. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(22021|22P05)$/.test(String(error.code));
}

const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format ?? "text"),
};

const texts = new WeakMap<readonly string[], string>();

function compile(statement: Statement): { text: string; values: unknown[] } {
  if (!statement.values.some((value) => value instanceof Statement)) {
    let text = texts.get(statement.strings);
    if (text === undefined) {
      text = statement.strings.reduce((left, right, index) => `${left}$${index}${right}`);
      texts.set(statement.strings, text);
    }
    return { text, values: [...statement.values] };
  }
  const values: unknown[] = [];
  return { text: flatten(statement, values), values };
}

function flatten(statement: Statement, values: unknown[]): string {
  let text = statement.strings[0] ?? "";
  for (const [index, value] of statement.values.entries()) {
    if (value instanceof Statement) text += flatten(value, values);
    else text += `$${values.push(value)}`;
    text += statement.strings[index + 1] ?? "";
  }
  return text;
}

/**
 * Postgres parses and plans a named statement once per connection, which halves the cost of a small
 * one.
 */
function prepared(text: string): { name?: string } {
  if (isBehindPooler()) return {};
  const names = oncePerProcess("db.statement-names", () => new Map<string, string>());
  let name = names.get(text);
  if (name === undefined) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    names.set(text, name);
  }
  return { name };
}
