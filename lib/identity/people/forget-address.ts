import { unixNow } from "@/lib/platform/db/clock";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";

/**
 * Removes a person's address from agents that requested it, from codes, and from the logs of all
 * organizations. Agents with an open request are revoked. `tx` is the transaction that deletes the
 * account. Registrations come before codes, and codes before the user, as when a code is entered:
 * another order could deadlock.
 */
export async function forgetAddress(tx: Transaction, userId: string): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user?.email) return;
  const { email } = user;
  await tx.agentRegistration.updateMany({
    where: { login_hint: email, claimed_at: null, revoked_at: null },
    data: { login_hint: null, revoked_at: await unixNow(tx) },
  });
  await tx.agentRegistration.updateMany({
    where: {
      login_hint: email,
      claimed_at: { not: null },
      organization: { members: { some: { user_id: userId } } },
    },
    data: { login_hint: null },
  });
  await tx.oneTimeCode.deleteMany({ where: { purpose: { in: ["claim", "sign-in"] }, email } });
  // Prisma cannot remove a member from JSON.
  await query(
    sql`UPDATE audit_events SET data = data - 'email' WHERE data->>'email' = ${email}`,
    tx,
  );
}
