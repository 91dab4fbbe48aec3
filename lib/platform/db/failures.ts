import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

export const REPORT_EVERY_MS = 10_000;
/** How much of a statement the log shows. */
const SHOWN_CHARACTERS = 100;
const DEADLOCK = "40P01";
const LOCK_TIMEOUT = "55P03";
const READ_ONLY = "25006";
/** How often all connections are replaced while the database refuses writes. */
const REPLACE_EVERY_MS = 1000;

const failure = oncePerProcess("db.failure", () => ({
  at: Number.NEGATIVE_INFINITY,
  readOnlyAt: Number.NEGATIVE_INFINITY,
}));

/**
 * Whether the database failed in a way that may pass, rather than rejected the statement: it is
 * unreachable, read-only, full or too slow. Such a statement had no effect, unless the reply to a
 * COMMIT was lost.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return PASSING_CODES.test(codeOf(error)) || PASSING_MESSAGES.test(error.message);
}

/**
 * Whether no statement can succeed now. Otherwise only this one failed, for example at its time
 * limit, on a lock or on a full disk, and others may succeed.
 */
export function isDatabaseGone(error: unknown): boolean {
  return isDatabaseDown(error) && !ONE_STATEMENT.test(codeOf(error));
}

/** Whether a repeat may succeed, since the other side of the deadlock could go on. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK;
}

/** Whether a statement gave up on a lock, where its function has a `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_TIMEOUT;
}

/** Whether Postgres rejected U+0000, which it can store neither in text nor in JSON. */
export function isUnstorableText(error: unknown): boolean {
  return /^(22021|22P05)$/.test(codeOf(error));
}

/**
 * Logs the cause of such a failure, the lock that the statement waited for, and its beginning. Each cause is logged
 * at most every ten seconds, but every statement that failed alone.
 */
export function reportDatabaseDown(error: unknown, statement = ""): void {
  if (!(error instanceof Error) || !isDatabaseDown(error)) return;
  if (codeOf(error) === READ_ONLY || ON_STANDBY.test(error.message)) recordReadOnly();
  const cause = codeOf(error) || error.message;
  const topic = isDatabaseGone(error) ? cause : `${cause} ${statement}`;
  const reportedAt = oncePerProcess("db.reported", () => new Map<string, number>());
  const now = performance.now();
  failure.at = now;
  if (now - (reportedAt.get(topic) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return;
  reportedAt.set(topic, now);
  const context = "where" in error ? String(error.where).split("\n")[0] : "";
  const start = statement.replaceAll(/\s+/g, " ").trim().slice(0, SHOWN_CHARACTERS);
  const place = [context, start && `in ${start}`].filter(Boolean).join(", ");
  logError(`The database failed: ${error.message} (${cause})${place && `: ${place}`}`);
}

/** Whether a statement of this process has failed that way since `time`, by `performance.now()`. */
export function hasBeenDownSince(time: number): boolean {
  return failure.at >= time;
}

/** Records that the database refuses writes, so that new connections replace those there are. */
export function recordReadOnly(): void {
  const now = performance.now();
  if (now - failure.readOnlyAt > REPLACE_EVERY_MS) failure.readOnlyAt = now;
}

/**
 * Whether a connection made at `time`, by `performance.now()`, may lead to a server that refuses
 * writes, such as a former primary, while a new one may lead to the primary.
 */
export function mayBeReadOnly(time: number): boolean {
  return failure.readOnlyAt >= time;
}

/**
 * The SQLSTATE of an error, also of one that Prisma reports, or the code of a Node error; else
 * empty.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error && "code" in error)) return "";
  const reported = "meta" in error ? (error.meta as Reported) : undefined;
  return String(reported?.driverAdapterError?.cause?.originalCode ?? error.code ?? "");
}

/** The shape in which Prisma's driver adapter reports a Postgres error. */
interface Reported {
  driverAdapterError?: { cause?: { originalCode?: string } };
}

// Class 08 (connection), class 53 (disk full, too many connections), 57P0x (shutdown, crash,
// starting), 57014 (canceled: statement timeout), 26000 (the one that would have prepared it was),
// 55P03 (lock timeout), 40001 (serialization), 40P01 (deadlock), 25006 (read-only), 25P03 (idle in
// transaction), 58030 (I/O), Node's codes, and Prisma's for them: P1001 (unreachable), P1008 (timeout), P1017 (closed).
const PASSING_CODES =
  /^(08...|P1001|P1008|P1017|53...|57P0[1-5]|57014|26000|55P03|40001|40P01|25006|25P03|58030|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_DESTROYED)$/;
const ONE_STATEMENT = /^(26000|53100|53200|57014|55P03|40001|40P01|58030)$/;
const PASSING_MESSAGES =
  /^Connection terminated|is not queryable$|timeout exceeded when trying to connect|^timeout expired|^Query read timeout|unlogged relations during recovery$/;
/** A standby reports this for unlogged tables, instead of being read-only. */
const ON_STANDBY = /unlogged relations during recovery$/;
