import { unixNow } from "@/lib/platform/db/clock";
import { inSteps } from "@/lib/platform/db/in-steps";
import { query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { purposes } from "./otp-limits";
import { forgotten, WINDOW_SECONDS } from "./prepare-code";

/**
 * Removes a person's address from agents that requested or asserted it, from codes and invitations, and from the logs
 * of organizations. Agents with an open request are revoked. `tx` is the transaction that deletes the account.
 * Registrations come before codes, and codes before the user, as when a code is entered: another order could deadlock.
 */
export async function forgetAddress(tx: Transaction, userId: string): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user?.email) return;
  const { email } = user;
  // The index has both columns as one expression, which Prisma cannot ask for.
  await inSteps(
    tx,
    (limit) => sql`
    UPDATE agent_registrations SET login_hint = NULL, asserted_email = NULL,
      revoked_at = CASE WHEN login_hint IS NOT NULL AND claimed_at IS NULL
                        THEN coalesce(revoked_at, unix_now()) ELSE revoked_at END
    WHERE id IN (
      SELECT id FROM agent_registrations WHERE coalesce(asserted_email, login_hint) = ${email}
      LIMIT ${limit} FOR NO KEY UPDATE)
    RETURNING id`,
  );
  const codes = { purpose: { in: [...purposes] }, email };
  // Kept only in windows that may still get another code, which must not have the same digits.
  const window = { gte: Math.floor((await unixNow(tx)) / WINDOW_SECONDS) - 1 };
  await tx.oneTimeCode.updateMany({
    where: { ...codes, window, consumed_at: { not: null } },
    data: { email: forgotten(email), source: "" },
  });
  await tx.oneTimeCode.deleteMany({ where: codes });
  await tx.invitation.deleteMany({ where: { email } });
  // Prisma cannot remove a member from JSON.
  await query(
    sql`UPDATE audit_events SET data = data - 'email' WHERE data->>'email' = ${email}`,
    tx,
  );
}

/**
 * Removes a person's address from the names of organizations: one that is made for a person has it, also once they have
 * left. Not of those that an operator made, which never had a member. `tx` has locked `organizationsNamed` the address.
 */
export async function forgetName(tx: Transaction, email: string): Promise<void> {
  await query(
    sql`UPDATE organizations SET name = id WHERE id IN (${organizationsNamed(email)})
          AND (EXISTS (SELECT FROM members WHERE organization_id = organizations.id)
               OR id IN (SELECT id FROM deleted_organizations))`,
    tx,
  );
}

/** The IDs of the organizations that have this address as their name. The index has the names with an @. */
export function organizationsNamed(email: string | Sql): Sql {
  return sql`SELECT id FROM organizations WHERE name = ${email} AND name LIKE '%@%'`;
}
