import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { unixNow } from "@/lib/platform/db/clock";
import { sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { revokeChains } from "./key-chains";
import { notEnded } from "./live-key";

/**
 * Revokes a key with its rotation chain, or a registration with all its keys, on behalf of the
 * operator. Returns the number of keys revoked, or undefined if the ID does not exist.
 */
export async function revokeById(id: string): Promise<number | undefined> {
  const isRegistration = id.startsWith("reg_");
  return transaction(async (tx) => {
    const revoked = await (isRegistration ? revokeRegistration(tx, id) : revokeKey(tx, id));
    if (revoked === undefined) return undefined;
    await audit(tx, {
      action: isRegistration ? "registration.revoked" : "key.revoked",
      actor: "operator",
      organizationId: revoked.organizationId,
      ...(isRegistration && { registrationId: id }),
      data: { id, revoked: revoked.keys },
    });
    return revoked.keys;
  });
}

interface Revoked {
  organizationId: string | null;
  keys: number;
}

async function revokeRegistration(tx: Transaction, id: string): Promise<Revoked | undefined> {
  await lockOrganizations(
    tx,
    sql`SELECT organization_id FROM agent_registrations WHERE id = ${id}`,
  );
  const now = await unixNow(tx);
  const revoked = { revoked_at: now };
  await tx.agentRegistration.updateMany({ where: { id, revoked_at: null }, data: revoked });
  // Reads after the update, which waits for a claim into an organization.
  const found = await tx.agentRegistration.findUnique({
    where: { id },
    select: { organization_id: true },
  });
  if (!found) return undefined;
  const keys = await tx.apiKey.updateMany({
    where: { registration_id: id, ...notEnded(now) },
    data: revoked,
  });
  return { organizationId: found.organization_id, keys: keys.count };
}

async function revokeKey(tx: Transaction, id: string): Promise<Revoked | undefined> {
  await lockOrganizations(tx, sql`SELECT organization_id FROM api_keys WHERE id = ${id}`);
  const found = await tx.apiKey.findUnique({ where: { id }, select: { organization_id: true } });
  if (!found) return undefined;
  const revoked = await revokeChains(tx, sql`${id}`);
  return { organizationId: found.organization_id, keys: revoked.length };
}
