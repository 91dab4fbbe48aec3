import pg from "pg";
import { oncePerProcess } from "@/lib/platform/process";

/** How long a request waits for a free connection, and how long connecting takes. */
export const CONNECT_MS_MAX = 5000;
/** When Postgres cancels a statement. */
export const STATEMENT_MS_MAX = 6000;
/** When Postgres ends a session that has left its transaction open. */
export const IDLE_TRANSACTION_MS_MAX = 60_000;
/** A database that has not even canceled a statement by then is silent: stopped, or cut off. */
const SILENT_AFTER_MS = STATEMENT_MS_MAX + 500;
/** The same limits while the database is silent, so that no request hangs for one after another. */
const SILENT_CONNECT_MS_MAX = 1000;
const SILENT_STATEMENT_MS_MAX = 1000;

interface Silence {
  isSilent: boolean;
}

const silence = oncePerProcess<Silence>("db.silence", () => ({ isSilent: false }));

/** The milliseconds after which a statement is given up and its connection closed. */
export function answerMsMax(): number {
  return silence.isSilent ? SILENT_STATEMENT_MS_MAX : SILENT_AFTER_MS;
}

/** The milliseconds for which to wait for a connection. */
export function connectMsMax(): number {
  return silence.isSilent ? SILENT_CONNECT_MS_MAX : CONNECT_MS_MAX;
}

/** Remembers whether the database has answered, with a result or an error. */
export function noteAnswer(error?: unknown): void {
  if (error === undefined || error instanceof pg.DatabaseError) silence.isSilent = false;
  else if (error instanceof Error && NO_ANSWER.test(error.message)) silence.isSilent = true;
}

/** The messages of pg. A full pool, "timeout exceeded when trying to connect", is none. */
const NO_ANSWER =
  /^(Query read timeout|Connection terminated due to connection timeout|timeout expired)$/;
