import { query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";

/**
 * (a) Locks the selected organizations until the transaction `tx` ends. A rotation, a claim of an
 * agent, a change of members, every revocation of several keys, and whatever has a limit for each
 * organization take this lock first. Without it, a revocation that waits for a rotation would revoke
 * the old key and miss the new one, which its statement cannot see. `organizations` is a subquery
 * or one value. There is a single lock mode, so that many rotations cannot starve a revocation.
 */
export async function lockOrganizations(tx: Transaction, organizations: Sql): Promise<void> {
  await query(
    sql`SELECT id FROM organizations WHERE id IN (${organizations}) ORDER BY id
        FOR NO KEY UPDATE`,
    tx,
  );
}
