import { type AuditEvent, auditAll, revocationOf } from "@/lib/identity/audit/audit";
import { endKeys } from "@/lib/identity/keys/end-keys";
import type { Person } from "@/lib/identity/people/person";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, notFound } from "@/lib/platform/errors";

/**
 * Ends a membership on behalf of a person, and records it. Everything that works through it ends
 * too: keys that the member made, agents that they claimed or that a provider registered for them,
 * clients that they connected or let in, and open invitations by them and to them. Throws 404, and 403
 * for the only owner. `tx` is a transaction that has called `lockOrganizations`.
 */
export async function endMembership(tx: Transaction, actor: string, member: Person): Promise<void> {
  const { userId, organizationId } = member;
  await assertReplaceable(tx, member);
  // (a) From here on, no key or agent is made through the membership. The keys end in steps: the trigger, which ends what
  // is left, would end all of them in one statement, and that could take too long.
  await query(
    sql`SELECT user_id FROM members
        WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR UPDATE`,
    tx,
  );
  // Codes before keys, as in an exchange, which this waits for: the opposite order could deadlock.
  const ofMember = { where: { organization_id: organizationId, user_id: userId } };
  await tx.oAuthCode.deleteMany(ofMember);
  await tx.oAuthDeviceCode.deleteMany(ofMember);
  // Open invitations to them end too: the sender may not have known that they had joined.
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
  const email = user?.email ?? "";
  await tx.invitation.deleteMany({ where: { organization_id: organizationId, email } });
  // Found once: an agent that has lost its first key no longer counts as the member's.
  const keys = await query<{ id: string }>(
    sql`SELECT keys_of_member(${organizationId}, ${userId}) AS id`,
    tx,
  );
  const ended = await endKeys(tx, sql`id = ANY (${keys.map(({ id }) => id)})`);
  await tx.member.delete({
    where: { organization_id_user_id: { organization_id: organizationId, user_id: userId } },
    select: { user_id: true },
  });
  const agents = new Set(ended.flatMap((key) => key.registration_id ?? []));
  const event = { actor, organizationId };
  await auditAll(tx, [
    { ...event, action: "member.removed", data: { user: userId } },
    ...ended
      .filter((key) => key.registration_id === null)
      .map(({ id, name, kind }): AuditEvent => {
        return { ...event, action: revocationOf(kind), data: { key: id, name } };
      }),
    ...Array.from(agents, (id): AuditEvent => {
      return { ...event, action: "registration.revoked", registrationId: id, data: { id } };
    }),
  ]);
}

/**
 * Throws 404 unless the person is a member, and 403 for the only owner. A user without an address
 * does not count as an owner, since they cannot sign in. In a transaction that has called
 * `lockOrganizations`, nobody else can change that.
 */
export async function assertReplaceable(
  tx: Transaction,
  { userId, organizationId }: Person,
): Promise<void> {
  const member = await tx.member.findUnique({
    where: { organization_id_user_id: { organization_id: organizationId, user_id: userId } },
    select: { role: true },
  });
  if (!member) throw notFound("member", userId);
  if (member.role !== "owner") return;
  const other = await tx.member.findFirst({
    where: {
      organization_id: organizationId,
      role: "owner",
      user_id: { not: userId },
      user: { email: { not: null } },
    },
    select: { user_id: true },
  });
  if (other) return;
  throw new ApiError("forbidden", "You are the only owner. Make someone else an owner first.");
}
