import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { requireOwner, requirePerson } from "@/lib/identity/people/person";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, together } from "@/lib/platform/db/commit";
import { prisma } from "@/lib/platform/db/prisma";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { countTry } from "@/lib/platform/limits/fixed-window";
import { assertReplaceable, endMembership } from "./end-membership";
import { createOrganization, type Role } from "./members";

const NAME_MAX = 100;
/** How many organizations a person may create. */
const CREATION_LIMIT = { limit: 20, windowSeconds: 86_400 };

export type MemberSummary = Awaited<ReturnType<typeof listMembers>>[number];

/** The people of the caller's organization, oldest first. */
export async function listMembers(caller: Caller) {
  if (caller.kind !== "user") return [];
  return prisma.member.findMany({
    where: { organization_id: caller.organizationId, user: { email: { not: null } } },
    select: { user_id: true, role: true, created_at: true, user: { select: { email: true } } },
    orderBy: [{ created_at: "asc" }, { user_id: "asc" }],
  });
}

/** Creates another organization of the caller and returns its ID. Throws 401 and 429 `CREATION_LIMIT`. */
export async function createAnother(caller: Caller, name: string, commit: Commit): Promise<string> {
  const { userId } = requirePerson(caller);
  const trimmed = organizationName(name);
  return commit(
    together(async (tx) => {
      // (a) A deletion of the account waits, and then covers the organization.
      const user = await queryOne(sql`SELECT id FROM users WHERE id = ${userId} FOR KEY SHARE`, tx);
      if (!user) throw new ApiError("unauthorized", "This account has been deleted.");
      await countTry(`organizations:${userId}`, CREATION_LIMIT, tx);
      const id = await createOrganization(tx, trimmed, userId);
      const data = { name: trimmed };
      await audit(tx, { action: "organization.created", actor: userId, organizationId: id, data });
      return id;
    }),
  );
}

/** Throws 403 unless the caller is an owner. */
export async function rename(caller: Caller, name: string): Promise<void> {
  const { organizationId } = requirePerson(caller);
  const trimmed = organizationName(name);
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    const { userId } = await requireOwner(caller, tx);
    await tx.organization.update({
      where: { id: organizationId },
      data: { name: trimmed },
      select: { id: true },
    });
    await audit(tx, {
      action: "organization.renamed",
      actor: userId,
      organizationId,
      data: { name: trimmed },
    });
  });
}

/**
 * Removes a member and ends everything that works through the membership (`endMembership`). Owners
 * may remove anyone, members only themselves; the last owner stays.
 */
export async function removeMember(caller: Caller, userId: string): Promise<void> {
  const self = requirePerson(caller);
  const { organizationId } = self;
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    if (userId !== self.userId) await requireOwner(caller, tx);
    await endMembership(tx, self.userId, { userId, organizationId });
  });
}

/** Throws 403 unless the caller is an owner, or if no owner would be left. */
export async function changeRole(caller: Caller, userId: string, role: Role): Promise<void> {
  const { organizationId } = requirePerson(caller);
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    const self = await requireOwner(caller, tx);
    await assertReplaceable(tx, { userId, organizationId });
    await tx.member.update({
      where: { organization_id_user_id: { organization_id: organizationId, user_id: userId } },
      data: { role },
      select: { user_id: true },
    });
    await audit(tx, {
      action: "member.role_changed",
      actor: self.userId,
      organizationId,
      data: { user: userId, role },
    });
  });
}

/** Trims the name. Throws 400. */
function organizationName(name: string): string {
  const trimmed = name.trim();
  const { length } = [...trimmed];
  if (length > 0 && length <= NAME_MAX && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw invalidParam(
    "name",
    `"name" must have 1 to ${NAME_MAX} characters, none of them a control character; it has ${length}.`,
  );
}
