import type pg from "pg";
import { reportDatabaseDown } from "./failures";
import { recordResponse, statementMsMax } from "./time-limits";

/** Where a statement runs: the pool or a transaction's connection. */
export interface Db {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Sends a statement within the time limit, and records whether the database responds. */
export async function send(db: Db, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    // pg gives up after `query_timeout` milliseconds; its types lack it.
    const result = await db.query(Object.assign(statement, { query_timeout: statementMsMax() }));
    recordResponse();
    return result;
  } catch (error) {
    recordResponse(error);
    reportDatabaseDown(error, statement.text);
    throw error;
  }
}
