import pg from "pg";
import { oncePerProcess } from "@/lib/platform/process";

/** How long a request waits for a free connection, and how long connecting takes. */
export const CONNECT_MS_MAX = 5000;
/** When Postgres cancels a statement. */
export const STATEMENT_MS_MAX = 6000;
/** When Postgres ends a session that left its transaction open. */
export const IDLE_TRANSACTION_MS_MAX = 60_000;
/**
 * By then a working database has at least canceled the statement; one that has not is stopped or
 * unreachable.
 */
export const SILENT_AFTER_MS = STATEMENT_MS_MAX + 500;
/** The limits while the database is silent, so that requests do not hang one after another. */
const SILENT_CONNECT_MS_MAX = 1000;
export const SILENT_STATEMENT_MS_MAX = 1000;

const silence = oncePerProcess("db.silence", () => ({ isSilent: false }));

/** The milliseconds after which a statement is abandoned and its connection closed. */
export function statementMsMax(): number {
  return silence.isSilent ? SILENT_STATEMENT_MS_MAX : SILENT_AFTER_MS;
}

/** The milliseconds to wait for a connection. */
export function connectMsMax(): number {
  return silence.isSilent ? SILENT_CONNECT_MS_MAX : CONNECT_MS_MAX;
}

/** Records whether the database has responded, with a result or an error. */
export function recordResponse(error?: unknown): void {
  if (error === undefined || error instanceof pg.DatabaseError) silence.isSilent = false;
  else if (error instanceof Error && NO_RESPONSE.test(error.message)) silence.isSilent = true;
}

/**
 * The messages with which pg reports silence. "timeout exceeded when trying to connect" is not
 * among them: the pool is full.
 */
const NO_RESPONSE =
  /^(Query read timeout|Connection terminated due to connection timeout|timeout expired)$/;
