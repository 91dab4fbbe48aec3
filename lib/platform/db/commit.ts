import { ApiError } from "@/lib/platform/errors";
import { type Transaction, transaction } from "./sql";

/**
 * Runs a write and commits it. For a request with an `Idempotency-Key`, the write and the record of
 * its result share one transaction, whose `db` the write must use; otherwise there is no `db`.
 * Reads, waits, mail and anything that must follow the commit stay outside. A write that returns
 * `UNRECORDED` is committed without a record, so the request may try again; if a request never
 * records a write, its response is recorded, such as the empty one of a wait. `shown` makes the
 * recorded value, if it differs from the result.
 */
export type Commit = <Result>(
  write: (db?: Transaction) => Promise<Result>,
  shown?: (result: Exclude<Result, typeof UNRECORDED>) => unknown,
) => Promise<Result>;

/** The result of a write that does not answer the request, such as one that found nothing to do. */
export const UNRECORDED = Symbol("unrecorded");

/** Runs a write for a request without an `Idempotency-Key`. */
export const unrecorded: Commit = (write) => write();

/** Runs a write of several statements in one transaction, with or without an `Idempotency-Key`. */
export function together<Result>(
  write: (db: Transaction) => Promise<Result>,
): (db?: Transaction) => Promise<Result> {
  return (db) => (db ? write(db) : transaction(write));
}

/** Commits what `decide` writes, also when it returns an error, which is then thrown. */
export async function commitDecision<Decided>(
  commit: Commit,
  decide: (tx: Transaction) => Promise<Decided | ApiError>,
): Promise<Decided> {
  let refused: ApiError | undefined;
  const decided = await commit(
    together(async (tx) => {
      const outcome = await decide(tx);
      if (!(outcome instanceof ApiError)) return outcome;
      refused = outcome;
      return UNRECORDED;
    }),
  );
  if (decided === UNRECORDED) throw refused;
  return decided;
}
