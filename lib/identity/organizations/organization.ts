import { audit } from "@/lib/identity/audit/audit";
import { lockKeys } from "@/lib/identity/keys/key-lock";
import { requireOwner, requirePerson } from "@/lib/identity/people/person";
import type { Caller } from "@/lib/platform/caller";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { invalidParam } from "@/lib/platform/errors";
import { countUse } from "@/lib/platform/limits/limits";
import { endMembership, hasOtherOwner, lastOwnerOrMissing } from "./end-membership";
import { createOrganization, type Role } from "./members";

const NAME_MAX = 100;
/** Organizations created by one person. */
const CREATION_LIMIT = { limit: 20, windowSeconds: 86_400 };

export interface MemberSummary {
  userId: string;
  email: string;
  role: Role;
  joinedAt: number;
}

/** The people of the caller's organization, oldest first. */
export async function listMembers(caller: Caller): Promise<MemberSummary[]> {
  if (caller.kind !== "user") return [];
  return query<MemberSummary>(sql`
    SELECT user_id AS "userId", email, role, members.created_at AS "joinedAt"
    FROM members JOIN users ON users.id = user_id
    WHERE organization_id = ${caller.organizationId} AND email IS NOT NULL
    ORDER BY members.created_at, user_id`);
}

/**
 * Creates another organization, owned by the caller, and returns its ID. Throws 429 after
 * `CREATION_LIMIT`.
 */
export async function createAnother(
  caller: Caller,
  name: string,
  db: Transaction,
): Promise<string> {
  const { userId } = requirePerson(caller);
  const trimmed = organizationName(name);
  await countUse(`organizations:${userId}`, CREATION_LIMIT, db);
  const id = await createOrganization(db, trimmed, userId);
  const data = { name: trimmed };
  await audit(db, { action: "organization.created", actor: userId, organizationId: id, data });
  return id;
}

/** Throws 403 unless the caller is an owner. */
export async function rename(caller: Caller, name: string): Promise<void> {
  const { organizationId } = requirePerson(caller);
  const trimmed = organizationName(name);
  await transaction(async (db) => {
    await lockKeys(db, sql`${organizationId}`);
    const { userId } = await requireOwner(caller, db);
    await query(sql`UPDATE organizations SET name = ${trimmed} WHERE id = ${organizationId}`, db);
    await audit(db, {
      action: "organization.renamed",
      actor: userId,
      organizationId,
      data: { name: trimmed },
    });
  });
}

/**
 * Removes a member, and ends what works through the membership (`endMembership`). Owners may remove
 * anyone, members only themselves, and the last owner stays.
 */
export async function removeMember(caller: Caller, userId: string): Promise<void> {
  const self = requirePerson(caller);
  const { organizationId } = self;
  await transaction(async (db) => {
    await lockKeys(db, sql`${organizationId}`);
    if (userId !== self.userId) await requireOwner(caller, db);
    await endMembership(db, self.userId, { userId, organizationId });
  });
}

/** Throws 403 unless the caller is an owner, or when it would leave no owner. */
export async function changeRole(caller: Caller, userId: string, role: Role): Promise<void> {
  const { organizationId } = requirePerson(caller);
  const member = { userId, organizationId };
  await transaction(async (db) => {
    await lockKeys(db, sql`${organizationId}`);
    const self = await requireOwner(caller, db);
    const changed = await queryOne(
      sql`
      UPDATE members SET role = ${role}
      WHERE organization_id = ${organizationId} AND user_id = ${userId}
        AND (role <> 'owner' OR ${hasOtherOwner(member)})
      RETURNING user_id`,
      db,
    );
    if (!changed) throw await lastOwnerOrMissing(db, member);
    await audit(db, {
      action: "member.role_changed",
      actor: self.userId,
      organizationId,
      data: { user: userId, role },
    });
  });
}

/** The name without spaces around it. Throws 400. */
function organizationName(name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length > 0 && length <= NAME_MAX && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw invalidParam("name", `Name: 1–${NAME_MAX} characters (yours has ${length}).`);
}
