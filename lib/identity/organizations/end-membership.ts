import { audit, revocationOf } from "@/lib/identity/audit/audit";
import type { Person } from "@/lib/identity/people/person";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, notFound } from "@/lib/platform/errors";

/**
 * Ends a membership on behalf of a person, and records it. What works through the membership ends with
 * it, by a trigger: the keys that the member made, the agents that they claimed or that a provider
 * registered for them, the clients that they connected, and their open invitations. Throws 404, and
 * 403 for the only owner. `db` is a transaction that has called `lockKeys`.
 */
export async function endMembership(db: Transaction, actor: string, member: Person): Promise<void> {
  const { userId, organizationId } = member;
  const agents = await query<{ id: string }>(
    sql`SELECT agents_of_member(${organizationId}, ${userId}) AS id`,
    db,
  );
  const keys = await query<{ id: string; name: string; kind: string }>(
    sql`SELECT id, name, kind FROM api_keys
        WHERE id IN (SELECT keys_of_member(${organizationId}, ${userId}))
          AND registration_id IS NULL AND (expires_at IS NULL OR expires_at > unix_now())`,
    db,
  );
  const removed = await queryOne(
    sql`DELETE FROM members WHERE organization_id = ${organizationId} AND user_id = ${userId}
          AND (role <> 'owner' OR ${hasOtherOwner(member)}) RETURNING user_id`,
    db,
  );
  if (!removed) throw await lastOwnerOrMissing(db, member);
  const event = { actor, organizationId };
  await audit(db, { ...event, action: "member.removed", data: { user: userId } });
  for (const { id, name, kind } of keys) {
    await audit(db, { ...event, action: revocationOf(kind), data: { key: id, name } });
  }
  for (const { id } of agents) {
    const action = "registration.revoked";
    await audit(db, { ...event, action, registrationId: id, data: { id } });
  }
}

/**
 * A condition: another person is an owner. Nobody else changes that in a transaction that has called
 * `lockKeys`. A user without an address is none, since they cannot sign in.
 */
export function hasOtherOwner({ userId, organizationId }: Person) {
  return sql`EXISTS (
    SELECT FROM members AS other JOIN users ON users.id = other.user_id
    WHERE other.organization_id = ${organizationId} AND other.role = 'owner'
      AND other.user_id <> ${userId} AND email IS NOT NULL)`;
}

/** Why a membership was neither ended nor changed. */
export async function lastOwnerOrMissing(
  db: Transaction,
  { userId, organizationId }: Person,
): Promise<ApiError> {
  const member = await queryOne(
    sql`SELECT role FROM members WHERE organization_id = ${organizationId} AND user_id = ${userId}`,
    db,
  );
  if (!member) return notFound("member", userId);
  return new ApiError("forbidden", "You are the only owner. Make someone else an owner first.");
}
