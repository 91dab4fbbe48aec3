import { type Transaction, transaction } from "./sql";

/**
 * Runs a write and commits it. For a request with an `Idempotency-Key` the write and the record of
 * its result are one transaction, whose `db` the write must use; otherwise there is no `db`. Reads,
 * waits, mail and whatever must wait for the commit stay outside. A write that returns `UNRECORDED`
 * is committed without a record, so that a repeat runs again. `shown` makes what is recorded, if it is
 * not the result itself.
 */
export type Commit = <Result>(
  write: (db?: Transaction) => Promise<Result>,
  shown?: (result: Exclude<Result, typeof UNRECORDED>) => unknown,
) => Promise<Result>;

/** The result of a write after which a repeat must run again, such as one that found nothing to do. */
export const UNRECORDED = Symbol("unrecorded");

/** Runs a write for a request that is not recorded. */
export const unrecorded: Commit = (write) => write();

/** A write of several statements: one transaction, also for a request that is not recorded. */
export function together<Result>(
  write: (db: Transaction) => Promise<Result>,
): (db?: Transaction) => Promise<Result> {
  return (db) => (db ? write(db) : transaction(write));
}
