import { audit } from "@/lib/identity/audit/audit";
import { endKeys } from "@/lib/identity/keys/end-keys";
import { digestOf } from "@/lib/identity/keys/key-format";
import { endMembership } from "@/lib/identity/organizations/end-membership";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { confirmationWord } from "@/lib/platform/confirmation-word";
import type { Row } from "@/lib/platform/db/columns";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { forgetAddress, forgetName, organizationsNamed } from "./forget-address";
import { requireOwner, requirePerson } from "./person";

/**
 * Deletes the caller's organization. Members lose access and keys stop working at once; the sweep
 * deletes its resources later (lib/upkeep/remove-organizations.ts). `typed` must be its confirmation
 * word. Throws 403 unless the caller is an owner.
 */
export async function deleteOrganization(caller: Caller, typed: string): Promise<void> {
  const { userId, organizationId } = requirePerson(caller);
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    await requireOwner(caller, tx);
    const found = await tx.organization.findUnique({
      where: { id: organizationId },
      select: { name: true },
    });
    const word = confirmationWord({ id: organizationId, name: found?.name ?? "" });
    if (typed.trim() !== word) {
      throw invalidParam("typed", `Type ${word} exactly as it is shown.`);
    }
    await close(tx, organizationId, userId);
  });
}

/** Deletes an organization for the operator. False if there is none; 403 if it holds `BOOTSTRAP_API_KEY`. */
export function deleteById(id: string): Promise<boolean> {
  return transaction(async (tx) => {
    await lockOrganizations(tx, sql`${id}`);
    const found = await tx.organization.findUnique({ where: { id }, select: { id: true } });
    if (found) await close(tx, id, "operator");
    return found !== null;
  });
}

/** What happens to an organization when a member deletes their account. */
export interface AccountOrganization {
  id: string;
  name: string;
  /** `blocked`: there are other members, and this person is the only owner. */
  fate: "deleted" | "left" | "blocked";
}

/** The caller's organizations, and what deleting the account would do to each. */
export async function accountOrganizations(caller: Caller): Promise<AccountOrganization[]> {
  const { userId } = requirePerson(caller);
  return query<AccountOrganization>(organizationsOf(userId));
}

/**
 * Deletes the caller's account and the organizations of which they are the only member, and leaves
 * the others. `typedEmail` must be their address. Throws 403 if they are the only owner of an
 * organization with other members.
 */
export async function deleteAccount(caller: Caller, typedEmail: string): Promise<void> {
  const { userId } = requirePerson(caller);
  await transaction(async (tx) => {
    // Also locks organizations that invite the person or have their address as a name. Otherwise
    // people who leave at the same time could deadlock.
    const email = sql`(SELECT email FROM users WHERE id = ${userId})`;
    await lockOrganizations(
      tx,
      sql`SELECT organization_id FROM members WHERE user_id = ${userId}
          UNION SELECT organization_id FROM invitations WHERE email = ${email}
          UNION ${organizationsNamed(email)}`,
    );
    await forgetAddress(tx, userId);
    // (a) Only one deletion of an account runs at a time, and no membership is added meanwhile.
    const user = await queryOne<Row<"User", "email">>(
      sql`SELECT email FROM users WHERE id = ${userId} FOR UPDATE`,
      tx,
    );
    if (!user) throw new ApiError("unauthorized", "This account has been deleted.");
    if (typedEmail.trim().toLowerCase() !== (user.email ?? userId)) {
      throw invalidParam("typed", "Type your email address exactly as it is shown.");
    }
    for (const { id, name, fate } of await query<AccountOrganization>(
      organizationsOf(userId),
      tx,
    )) {
      if (fate === "blocked") throw onlyOwner(name);
      await lockOrganizations(tx, sql`${id}`);
      if (fate === "left") await endMembership(tx, userId, { userId, organizationId: id });
      else await closeAlone(tx, { id, name, userId });
    }
    if (user.email !== null) await forgetName(tx, user.email);
    await audit(tx, { action: "account.deleted", actor: userId });
    await tx.user.delete({ where: { id: userId }, select: { id: true } });
  });
}

/**
 * (d) Ignores users without an address: they cannot sign in, so an organization with only them
 * would be lost.
 */
function organizationsOf(userId: string) {
  return sql`
    SELECT organizations.id, name,
           CASE WHEN others.people = 0 THEN 'deleted'
                WHEN members.role <> 'owner' OR others.owners > 0 THEN 'left' ELSE 'blocked' END AS fate
    FROM members JOIN organizations ON organizations.id = organization_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS people, count(*) FILTER (WHERE other.role = 'owner') AS owners
      FROM members AS other JOIN users ON users.id = other.user_id
      WHERE other.organization_id = members.organization_id AND other.user_id <> ${userId}
        AND email IS NOT NULL
    ) AS others
    WHERE members.user_id = ${userId} ORDER BY organizations.id`;
}

/** Deletes an organization with only this member. Throws 403 if somebody has just joined. */
async function closeAlone(
  tx: Transaction,
  { id, name, userId }: { id: string; name: string; userId: string },
) {
  const removed = await close(tx, id, userId);
  const other = await tx.user.findFirst({
    where: { id: { in: removed, not: userId }, email: { not: null } },
    select: { id: true },
  });
  if (other) throw onlyOwner(name);
}

/**
 * Ends the memberships of the organization and all its keys, and returns the IDs of the members.
 * `tx` is a transaction that has called `lockOrganizations`.
 */
async function close(tx: Transaction, organizationId: string, actor: string): Promise<string[]> {
  await assertNotBootstrap(tx, organizationId);
  await tx.deletedOrganization.createMany({ data: { id: organizationId }, skipDuplicates: true });
  // (a) Members before keys, as in the removal of a member: the opposite order could deadlock.
  await query(
    sql`SELECT user_id FROM members WHERE organization_id = ${organizationId} FOR UPDATE`,
    tx,
  );
  // Waits for clients that are exchanging a code. Their grants then end with the other keys.
  const ofOrganization = { where: { organization_id: organizationId } };
  await tx.oAuthCode.deleteMany(ofOrganization);
  await tx.oAuthDeviceCode.deleteMany(ofOrganization);
  await endKeys(tx, sql`organization_id = ${organizationId}`);
  const members = await query<Row<"Member", "user_id">>(
    sql`DELETE FROM members WHERE organization_id = ${organizationId} RETURNING user_id`,
    tx,
  );
  await audit(tx, {
    action: "organization.deleted",
    actor,
    data: { organization: organizationId },
  });
  return members.map(({ user_id }) => user_id);
}

/** The row of the operator's key says that it was revoked. Without it, the next start would install the key again. */
async function assertNotBootstrap(tx: Transaction, organization_id: string): Promise<void> {
  const { bootstrapApiKey } = config();
  if (bootstrapApiKey === undefined) return;
  const where = { organization_id, digest: digestOf(bootstrapApiKey) };
  if ((await tx.apiKey.count({ where })) === 0) return;
  throw new ApiError(
    "forbidden",
    "The next start would install BOOTSTRAP_API_KEY again, which belongs to this organization. Unset BOOTSTRAP_API_KEY first.",
  );
}

function onlyOwner(name: string): ApiError {
  return new ApiError(
    "forbidden",
    `You are the only owner of ${name}, which has other members. Make one of them an owner first, or delete the organization.`,
  );
}
