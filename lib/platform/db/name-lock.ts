import { query, raw, type Sql, sql, type Transaction } from "./sql";

/** Kinds of names. The index is part of the lock, which servers of other versions share: append only. */
const SPACES = [
  "external ID",
  "organization",
  "address",
  "subject",
  "blockers",
  "claim",
  "grants",
] as const;
type Space = (typeof SPACES)[number];

/**
 * (a) Locks a name, or the one that a query in parentheses selects, until the transaction `tx`
 * ends. A `shared` lock does not wait for other shared ones.
 */
export async function lockName(
  tx: Transaction,
  space: Space,
  name: string | Sql,
  { shared = false } = {},
): Promise<void> {
  const lock = raw(shared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  await query(sql`SELECT ${lock}(hashtextextended(${name}, ${SPACES.indexOf(space)}))`, tx);
}
