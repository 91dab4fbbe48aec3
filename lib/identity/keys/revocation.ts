import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { unixNow } from "@/lib/platform/db/clock";
import { queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { endChain, endKeys } from "./end-keys";
import { IS_LIVE } from "./live-key";

interface Revoked {
  keys: number;
  organizationId: string | null;
}

/**
 * Revokes a key with its rotation chain, or a registration with all its keys, on behalf of the
 * operator. Returns the number of keys revoked, and the ID of their organization if nobody is left
 * in it. Undefined if the ID does not exist.
 */
export function revokeById(id: string) {
  return transaction(async (tx) => {
    const revoke = id.startsWith("reg_") ? revokeRegistration : revokeKey;
    const revoked = await revoke(tx, id);
    if (!revoked) return undefined;
    const { keys, organizationId } = revoked;
    // (d) Nobody is left who could sign in, and no key.
    const abandoned = await queryOne<{ id: string }>(
      sql`SELECT id FROM organizations
          WHERE id = ${organizationId} AND id NOT IN (SELECT id FROM deleted_organizations)
            AND NOT EXISTS (SELECT FROM members JOIN users ON users.id = user_id
                            WHERE organization_id = organizations.id AND email IS NOT NULL)
            AND NOT EXISTS (SELECT FROM api_keys
                            WHERE organization_id = organizations.id AND ${IS_LIVE})`,
      tx,
    );
    return { keys, abandoned: abandoned?.id };
  });
}

const actor = "operator";

async function revokeRegistration(tx: Transaction, id: string): Promise<Revoked | undefined> {
  await lockOrganizations(
    tx,
    sql`SELECT organization_id FROM agent_registrations WHERE id = ${id}`,
  );
  const data = { revoked_at: await unixNow(tx) };
  await tx.agentRegistration.updateMany({ where: { id, revoked_at: null }, data });
  // Reads after the update, which waits for a claim into an organization.
  const found = await tx.agentRegistration.findUnique({
    where: { id },
    select: { organization_id: true },
  });
  if (!found) return undefined;
  const organizationId = found.organization_id;
  const { length: keys } = await endKeys(tx, sql`registration_id = ${id}`);
  await audit(tx, {
    action: "registration.revoked",
    actor,
    organizationId,
    registrationId: id,
    data: { id, revoked: keys },
  });
  return { keys, organizationId };
}

async function revokeKey(tx: Transaction, id: string): Promise<Revoked | undefined> {
  await lockOrganizations(tx, sql`SELECT organization_id FROM api_keys WHERE id = ${id}`);
  const found = await tx.apiKey.findUnique({ where: { id }, select: { organization_id: true } });
  if (!found) return undefined;
  const organizationId = found.organization_id;
  return { keys: await endChain(tx, id, { actor, organizationId }), organizationId };
}
