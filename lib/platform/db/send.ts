import type pg from "pg";
import { pool } from "./connections";
import { isDeadlock, reportDatabaseDown } from "./failures";
import { recordResponse, statementMsMax } from "./time-limits";

/** Where a statement runs: the pool or a transaction's connection. */
export interface Db {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
}

/**
 * Sends a statement within the time limit, and records whether the database responds. On the pool,
 * where it is a transaction of its own, it `mayRepeat` once if a deadlock ends it.
 */
export async function send(
  db: Db,
  statement: pg.QueryConfig,
  mayRepeat = db === pool(),
): Promise<pg.QueryResult> {
  try {
    // pg gives up after `query_timeout` milliseconds; its types lack it.
    const result = await db.query(Object.assign(statement, { query_timeout: statementMsMax() }));
    recordResponse();
    return result;
  } catch (error) {
    recordResponse(error);
    reportDatabaseDown(error, statement.text);
    if (mayRepeat && isDeadlock(error)) return send(db, statement, false);
    throw error;
  }
}
