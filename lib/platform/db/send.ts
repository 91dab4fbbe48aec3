import type pg from "pg";
import { reportDatabaseDown } from "./failures";
import { answerMsMax, noteAnswer } from "./time-limits";

/** Where a statement runs: the pool or a transaction's connection. */
export interface Db {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>;
}

/** Sends a statement within the time limit, and notes how the database does. */
export async function send(db: Db, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    // pg gives up after `query_timeout` milliseconds; its types lack it.
    const timed = { ...statement, query_timeout: answerMsMax() };
    const result = await db.query(timed);
    noteAnswer();
    return result;
  } catch (error) {
    noteAnswer(error);
    reportDatabaseDown(error);
    throw error;
  }
}
