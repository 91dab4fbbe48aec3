import { type Caller, scopes } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { type Db, query, queryOne, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";

export type Role = "owner" | "member";

export interface Membership {
  organizationId: string;
  name: string;
  role: Role;
}

/** Creates an organization, owned by this user if one is given. `db` is a transaction. */
export async function createOrganization(
  db: Db,
  name: string,
  ownerId: string | null,
): Promise<string> {
  const id = newId("org");
  await query(sql`INSERT INTO organizations (id, name) VALUES (${id}, ${name})`, db);
  if (ownerId !== null) await addMember(db, id, ownerId, "owner");
  return id;
}

/** Adds a member, or changes the role of an existing one. */
export async function addMember(
  db: Db,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await query(
    sql`INSERT INTO members (organization_id, user_id, role)
        VALUES (${organizationId}, ${userId}, ${role})
        ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`,
    db,
  );
}

/**
 * The oldest organization the user owns, created if there is none. `db` is a transaction, until whose
 * end the membership cannot end.
 */
export async function primaryOrganization(db: Db, userId: string, name: string): Promise<string> {
  // Concurrent first sign-ins must create only one organization.
  await query(sql`SELECT id FROM users WHERE id = ${userId} FOR UPDATE`, db);
  const owned = await queryOne<{ organization_id: string }>(
    sql`SELECT organization_id FROM members WHERE user_id = ${userId} AND role = 'owner'
        ORDER BY organization_id LIMIT 1 FOR KEY SHARE`,
    db,
  );
  return owned?.organization_id ?? createOrganization(db, name, userId);
}

/** A user's organizations, in the order joined. */
export async function membershipsOf(userId: string): Promise<Membership[]> {
  return query<Membership>(sql`
    SELECT organization_id AS "organizationId", name, role
    FROM members JOIN organizations ON organizations.id = organization_id
    WHERE user_id = ${userId} ORDER BY members.created_at, organization_id`);
}

/** A signed-in user as a caller in one of their organizations. Throws 403 for any other. */
export async function callerOf(userId: string, organizationId: string): Promise<Caller> {
  const member = await queryOne(sql`
    SELECT role FROM members WHERE user_id = ${userId} AND organization_id = ${organizationId}`);
  if (member) return { kind: "user", userId, organizationId, scopes };
  throw new ApiError("forbidden", "You are not a member of this organization.");
}
