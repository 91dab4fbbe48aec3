import { query, sql, type Transaction } from "@/lib/platform/db/sql";

/**
 * Removes a person's address from agents that asked for it, from codes, and from the logs of all
 * organizations. Agents that still ask are revoked. `db` is the transaction that deletes the account.
 * Registrations come before codes, and codes before the user, as when a code is entered: another order
 * could deadlock.
 */
export async function forgetAddress(db: Transaction, userId: string): Promise<void> {
  const person = sql`(SELECT email FROM users WHERE id = ${userId} AND email IS NOT NULL) AS person`;
  await query(
    sql`
    WITH asking AS (
      UPDATE agent_registrations SET login_hint = NULL, revoked_at = unix_now() FROM ${person}
      WHERE login_hint = person.email AND claimed_at IS NULL AND revoked_at IS NULL
    )
    UPDATE agent_registrations SET login_hint = NULL FROM ${person}
    WHERE login_hint = person.email AND claimed_at IS NOT NULL AND organization_id IN (
      SELECT organization_id FROM members WHERE user_id = ${userId})`,
    db,
  );
  await query(
    sql`DELETE FROM one_time_codes AS code USING ${person}
        WHERE code.purpose IN ('claim', 'sign-in') AND code.email = person.email`,
    db,
  );
  await query(
    sql`UPDATE audit_events SET data = data - 'email' FROM ${person}
        WHERE data->>'email' = person.email`,
    db,
  );
}
