import { audit } from "@/lib/identity/audit/audit";
import { lockKeys } from "@/lib/identity/keys/key-lock";
import { endMembership } from "@/lib/identity/organizations/end-membership";
import type { Caller } from "@/lib/platform/caller";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { forgetAddress } from "./forget-address";
import { requireOwner, requirePerson } from "./person";

/**
 * Deletes the caller's organization: members lose access and keys stop working at once, and the sweep
 * deletes its resources later (lib/upkeep/remove-organizations.ts). `typedName` must match its name.
 * Throws 403 unless the caller is an owner.
 */
export async function deleteOrganization(caller: Caller, typedName: string): Promise<void> {
  const { userId, organizationId } = requirePerson(caller);
  await transaction(async (db) => {
    await lockKeys(db, sql`${organizationId}`);
    await requireOwner(caller, db);
    const found = await queryOne<{ name: string }>(
      sql`SELECT name FROM organizations WHERE id = ${organizationId}`,
      db,
    );
    if (typedName.trim() !== found?.name.trim()) {
      throw invalidParam("typed", "Type the name of the organization exactly as it is shown.");
    }
    await close(db, organizationId, userId);
  });
}

/** The fate of an organization when a member deletes their account. */
export interface AccountOrganization {
  id: string;
  name: string;
  /** `blocked`: others are members, and this person is the only owner. */
  fate: "deleted" | "left" | "blocked";
}

/** The caller's organizations, and what deleting the account does to each. */
export async function accountOrganizations(caller: Caller): Promise<AccountOrganization[]> {
  const { userId } = requirePerson(caller);
  return query<AccountOrganization>(organizationsOf(userId));
}

/**
 * Deletes the caller's account with the organizations in which they are alone, and leaves the others.
 * `typedEmail` must be their address. Throws 403 when they are the only owner of an organization that
 * has other members.
 */
export async function deleteAccount(caller: Caller, typedEmail: string): Promise<void> {
  const { userId } = requirePerson(caller);
  await transaction(async (db) => {
    await lockKeys(db, sql`SELECT organization_id FROM members WHERE user_id = ${userId}`);
    await forgetAddress(db, userId);
    // Only one deletion of an account runs, and no membership is added during it.
    const user = await queryOne<{ email: string | null }>(
      sql`SELECT email FROM users WHERE id = ${userId} FOR UPDATE`,
      db,
    );
    if (!user) throw new ApiError("unauthorized", "This account has been deleted.");
    if (typedEmail.trim().toLowerCase() !== (user.email ?? userId)) {
      throw invalidParam("typed", "Type your email address exactly as it is shown.");
    }
    for (const { id, name, fate } of await query<AccountOrganization>(
      organizationsOf(userId),
      db,
    )) {
      if (fate === "blocked") throw onlyOwner(name);
      await lockKeys(db, sql`${id}`);
      if (fate === "left") await endMembership(db, userId, { userId, organizationId: id });
      else await closeAlone(db, { id, name, userId });
    }
    await audit(db, { action: "account.deleted", actor: userId });
    await query(sql`DELETE FROM users WHERE id = ${userId}`, db);
  });
}

/** Users without an address cannot sign in: an organization without a person would be lost. */
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

/** Deletes an organization in which the person is alone. Throws 403 if somebody has just joined. */
async function closeAlone(
  db: Transaction,
  { id, name, userId }: { id: string; name: string; userId: string },
) {
  const removed = await close(db, id, userId);
  const others = await query(
    sql`SELECT id FROM users WHERE id = ANY (${removed}) AND id <> ${userId} AND email IS NOT NULL`,
    db,
  );
  if (others.length > 0) throw onlyOwner(name);
}

/**
 * Ends the memberships of the organization and all its keys, and returns the IDs of the members.
 * `db` is a transaction that has called `lockKeys`.
 */
async function close(db: Transaction, organizationId: string, userId: string): Promise<string[]> {
  await query(
    sql`INSERT INTO deleted_organizations (id) VALUES (${organizationId}) ON CONFLICT DO NOTHING`,
    db,
  );
  // Members before keys, as when a member is removed: the opposite order could deadlock.
  const members = await query<{ user_id: string }>(
    sql`DELETE FROM members WHERE organization_id = ${organizationId} RETURNING user_id`,
    db,
  );
  await query(
    sql`UPDATE api_keys SET revoked_at = unix_now() WHERE id IN (
          SELECT id FROM api_keys WHERE organization_id = ${organizationId} AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > unix_now())
          ORDER BY id FOR UPDATE)`,
    db,
  );
  await audit(db, {
    action: "organization.deleted",
    actor: userId,
    data: { organization: organizationId },
  });
  return members.map(({ user_id }) => user_id);
}

function onlyOwner(name: string): ApiError {
  return new ApiError(
    "forbidden",
    `You are the only owner of ${name}, which has other members. Make one of them an owner first, or delete the organization.`,
  );
}
