import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import pg from "pg";
import { config } from "@/lib/config/config";
import { oncePerProcess } from "@/lib/process";

/** One SQL statement with its values apart; made by the `sql` tag. */
export class Statement {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/**
 * Builds a statement from a template. Values become parameters, nested statements become part of
 * the text: sql`SELECT … WHERE ${condition} AND id = ${id}`.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Statement {
  return new Statement(strings, values);
}

/** Statements put together with `separator` between them, such as a list of conditions with AND. */
export function join(statements: readonly Statement[], separator: string): Statement {
  const gaps = statements.slice(1).map(() => separator);
  return new Statement(["", ...gaps, ""], statements);
}

/**
 * `column = value` for every value that is not undefined. The column names are the code's own, never
 * a caller's.
 */
export function assignments(values: Record<string, unknown>): Statement[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => new Statement([`${column} = `, ""], [value]));
}

/** Where a statement runs: the pool, or the one connection of a transaction. */
export interface Db {
  query(query: pg.QueryConfig): Promise<{ rows: unknown[] }>;
}

/**
 * Runs one statement in one round trip and returns its rows. `Row` is what the statement selects;
 * integers of 64 bits arrive as numbers, as all that the service stores are safe integers.
 */
export async function query<Row>(statement: Statement, db?: Db): Promise<Row[]> {
  if (!db) assertNoTransaction();
  const { text, values } = compile(statement);
  const { rows } = await (db ?? pool()).query({ text, values, types, ...prepared(text) });
  // The statement's author states the row's shape; Postgres guarantees the columns.
  return rows as Row[];
}

/** Like `query`, for a statement that gives one row or none. */
export async function queryOne<Row>(statement: Statement, db?: Db): Promise<Row | undefined> {
  return (await query<Row>(statement, db))[0];
}

/**
 * Runs `work` on one connection between BEGIN and COMMIT; rolls back when it throws. Inside it, every
 * statement takes the `db` that `work` is given.
 */
export async function transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  assertNoTransaction();
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await watched(() => work(client));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Throws inside a `transaction()`, where the tests run. Work that holds one connection while it waits
 * for another, or for a mail server, stops the whole process once enough of it runs at the same time.
 */
export function assertNoTransaction(): void {
  if (!transactions()?.getStore()?.isOpen) return;
  throw new Error(
    "Inside a transaction: use its `db`, and leave everything else until the commit.",
  );
}

async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
  const watch = transactions();
  if (!watch) return work();
  const state = { isOpen: true };
  try {
    return await watch.run(state, work);
  } finally {
    // Timers and promises that outlive the transaction keep its context.
    state.isOpen = false;
  }
}

/** Undefined in production: following the context of every promise costs time. */
function transactions() {
  return oncePerProcess("db.transactions", () =>
    config().validateResponses ? new AsyncLocalStorage<{ isOpen: boolean }>() : undefined,
  );
}

/** The process's connections to the database. */
export function pool(): pg.Pool {
  return oncePerProcess("db.pool", () => makePool(config().databasePoolSize));
}

/** One connection more, for the health check: it must not wait behind work that fills the pool. */
export function reservedConnection(): pg.Pool {
  return oncePerProcess("db.reserved-connection", () => makePool(1));
}

/** Closes all connections. */
export async function closePools(): Promise<void> {
  await Promise.all([pool().end(), reservedConnection().end()]);
}

function makePool(max: number): pg.Pool {
  const { databaseUrl } = config();
  if (!databaseUrl) {
    throw new Error("DATABASE_URL is not set; `npm start` brings a database of its own.");
  }
  const made = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    application_name: "agent-infrastructure",
    // A plan made while a table had 5 rows reads all of it until the next ANALYZE: at 100 000 rows a
    // read by ID took 2500 pages, without sequential scans 10. (`force_custom_plan` cures that too,
    // for 0.1 ms more of each statement.) Postgres before 18 counts what it must scan all the same
    // as so dear that it would compile it.
    onConnect: (client) => client.query("SET enable_seqscan = off; SET jit = off").then(() => {}),
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  made.on("error", () => {});
  return made;
}

/** Whether `error` says that the database cannot be reached or is stopping, rather than refusing a statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return DOWN_CODES.test(code) || DOWN_MESSAGES.test(error.message);
}

/** Whether `error` says that a text holds U+0000, which no stored text does. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "22021";
}

// Class 08 (connection), 57P0x (shutdown, crash, starting), 53300 (too many connections); Node's own codes.
const DOWN_CODES =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const DOWN_MESSAGES =
  /^Connection terminated|timeout exceeded when trying to connect|^timeout expired/;

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

/** Postgres parses and plans a named statement once for each connection: half the cost of a small one. */
function prepared(text: string): { name?: string } {
  if (poolerWithoutStatements()) return {};
  const names = oncePerProcess("db.statement-names", () => new Map<string, string>());
  let name = names.get(text);
  if (name === undefined) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    names.set(text, name);
  }
  return { name };
}

function poolerWithoutStatements() {
  return oncePerProcess("db.pooler", () => /[?&]pgbouncer=true/.test(config().databaseUrl ?? ""));
}
