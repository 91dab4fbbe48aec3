import { query, type Sql, sql, type Transaction } from "./sql";

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

/** (a) Locks a name, or the one that a query in parentheses selects, until the transaction `tx` ends. */
export async function lockName(tx: Transaction, space: Space, name: string | Sql): Promise<void> {
  const seed = SPACES.indexOf(space);
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, ${seed}))`, tx);
}
