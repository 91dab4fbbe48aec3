import type { Caller } from "@/lib/caller";
import { type Db, query, queryOne, sql, transaction } from "@/lib/db/sql";
import { ApiError, invalidParam, notFound } from "@/lib/errors";
import { countUse } from "@/lib/http/limits";
import { audit } from "./audit";
import { recordEndOfGrants } from "./grants";
import { lockKeys } from "./key-lock";
import { createOrganization, type Role } from "./members";
import { requirePerson, revokeKeysCreatedBy } from "./organization-keys";

const NAME_MAX = 100;
/** Organizations created by one person. */
const CREATION_LIMIT = { limit: 20, windowSeconds: 86_400 };

export interface MemberSummary {
  userId: string;
  email: string | null;
  role: Role;
  joinedAt: number;
}

/** The members of the caller's organization, oldest first. */
export async function listMembers(caller: Caller): Promise<MemberSummary[]> {
  if (caller.kind !== "user") return [];
  return query<MemberSummary>(sql`
    SELECT user_id AS "userId", email, role, members.created_at AS "joinedAt"
    FROM members JOIN users ON users.id = user_id
    WHERE organization_id = ${caller.organizationId} ORDER BY members.created_at, user_id`);
}

/**
 * Creates another organization, owned by the caller, and returns its ID. Throws 429 after
 * `CREATION_LIMIT`.
 */
export async function createAnother(caller: Caller, name: string, db: Db): Promise<string> {
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
  const { userId, organizationId } = await requireOwner(caller);
  const trimmed = organizationName(name);
  await transaction(async (db) => {
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
 * Removes a member, which revokes their OAuth grants. Owners may remove anyone, members only themselves, and the last owner stays.
 * `revokesKeys` also revokes the keys the member created.
 */
export async function removeMember(
  caller: Caller,
  userId: string,
  { revokesKeys }: { revokesKeys: boolean },
): Promise<void> {
  const self = requirePerson(caller);
  const { organizationId } = self;
  if (userId !== self.userId) await requireOwner(caller);
  await transaction(async (db) => {
    await lockKeys(db, sql`${organizationId}`);
    await recordEndOfGrants(db, self, userId);
    const removed = await queryOne(
      sql`
      DELETE FROM members WHERE organization_id = ${organizationId} AND user_id = ${userId}
        AND (role <> 'owner' OR ${hasOtherOwner(organizationId)})
      RETURNING user_id`,
      db,
    );
    if (!removed) throw await lastOwnerOrMissing(db, organizationId, userId);
    await audit(db, {
      action: "member.removed",
      actor: self.userId,
      organizationId,
      data: { user: userId },
    });
    if (revokesKeys) await revokeKeysCreatedBy(db, self, userId);
  });
}

/** Throws 403 unless the caller is an owner, or when it would leave no owner. */
export async function changeRole(caller: Caller, userId: string, role: Role): Promise<void> {
  const self = await requireOwner(caller);
  const { organizationId } = self;
  await transaction(async (db) => {
    const changed = await queryOne(
      sql`
      UPDATE members SET role = ${role}
      WHERE organization_id = ${organizationId} AND user_id = ${userId}
        AND (role <> 'owner' OR ${hasOtherOwner(organizationId)})
      RETURNING user_id`,
      db,
    );
    if (!changed) throw await lastOwnerOrMissing(db, organizationId, userId);
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

/** A condition. Locks the owners' rows, so that two owners cannot leave at once. */
export function hasOtherOwner(organizationId: string) {
  return sql`(SELECT count(*) FROM (
    SELECT user_id FROM members WHERE organization_id = ${organizationId} AND role = 'owner'
    ORDER BY user_id FOR UPDATE) AS owners) > 1`;
}

async function lastOwnerOrMissing(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<ApiError> {
  const member = await queryOne(
    sql`SELECT role FROM members WHERE organization_id = ${organizationId} AND user_id = ${userId}`,
    db,
  );
  if (!member) return notFound("member", userId);
  return new ApiError("forbidden", "You are the only owner. Make someone else an owner first.");
}

/** The caller's IDs. Throws 403 unless the caller is an owner. */
export async function requireOwner(
  caller: Caller,
): Promise<{ userId: string; organizationId: string }> {
  const { userId, organizationId } = requirePerson(caller);
  const owns = await queryOne(sql`SELECT role FROM members
    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND role = 'owner'`);
  if (!owns) throw new ApiError("forbidden", "Only an owner of the organization can do this.");
  return { userId, organizationId };
}
