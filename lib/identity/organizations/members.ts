import { type Caller, scopes } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";

/** What a member may do in an organization. */
export type Role = Row<"Member">["role"];

export interface Membership {
  organizationId: string;
  name: string;
  role: Role;
}

/** Creates an organization, owned by this user if one is given. */
export async function createOrganization(
  tx: Transaction,
  name: string,
  ownerId: string | null,
): Promise<string> {
  const { id } = await tx.organization.create({
    data: { id: newId("org"), name },
    select: { id: true },
  });
  if (ownerId !== null) await addMember(tx, id, ownerId, "owner");
  return id;
}

/** Adds a member, or changes the role of an existing one. */
export async function addMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  const member = { organization_id: organizationId, user_id: userId };
  await tx.member.upsert({
    where: { organization_id_user_id: member },
    create: { ...member, role },
    update: { role },
    select: { user_id: true },
  });
}

/**
 * Of the organizations that the user owns, the one that they joined first, as in `membershipsOf`; created
 * if there is none. The membership cannot end before the transaction does.
 */
export async function primaryOrganization(
  tx: Transaction,
  userId: string,
  name: string,
): Promise<string> {
  // (a) Concurrent first sign-ins must create only one organization.
  await query(sql`SELECT id FROM users WHERE id = ${userId} FOR UPDATE`, tx);
  const [owned] = await query<{ organization_id: string }>(
    sql`SELECT organization_id FROM members WHERE user_id = ${userId} AND role = 'owner'
        ORDER BY created_at, organization_id LIMIT 1 FOR KEY SHARE`,
    tx,
  );
  return owned?.organization_id ?? createOrganization(tx, name, userId);
}

/** A user's organizations, in the order of joining. */
export async function membershipsOf(userId: string): Promise<Membership[]> {
  const members = await prisma.member.findMany({
    where: { user_id: userId },
    select: { organization_id: true, role: true, organization: { select: { name: true } } },
    orderBy: [{ created_at: "asc" }, { organization_id: "asc" }],
  });
  return members.map(({ organization_id, role, organization }) => ({
    organizationId: organization_id,
    name: organization.name,
    role,
  }));
}

/** The name of an organization, for pages that say who asks; undefined if it is gone. */
export async function organizationNamed(id: string): Promise<string | undefined> {
  const found = await prisma.organization.findUnique({ where: { id }, select: { name: true } });
  return found?.name;
}

/** A signed-in user as a caller in one of their organizations. Throws 403 for any other. */
export async function callerOf(userId: string, organizationId: string): Promise<Caller> {
  const member = await prisma.member.findUnique({
    where: { organization_id_user_id: { organization_id: organizationId, user_id: userId } },
    select: { role: true },
  });
  if (member) return { kind: "user", userId, organizationId, scopes };
  throw new ApiError("forbidden", "You are not a member of this organization.");
}
