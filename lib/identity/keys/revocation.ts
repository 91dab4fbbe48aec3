import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { unixNow } from "@/lib/platform/db/clock";
import { sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { endKeys } from "./end-keys";
import { revokeChains } from "./key-chains";

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
  const data = { revoked_at: await unixNow(tx) };
  await tx.agentRegistration.updateMany({ where: { id, revoked_at: null }, data });
  // Reads after the update, which waits for a claim into an organization.
  const found = await tx.agentRegistration.findUnique({
    where: { id },
    select: { organization_id: true },
  });
  if (!found) return undefined;
  const { length: keys } = await endKeys(tx, sql`registration_id = ${id}`);
  return { organizationId: found.organization_id, keys };
}

async function revokeKey(tx: Transaction, id: string): Promise<Revoked | undefined> {
  await lockOrganizations(tx, sql`SELECT organization_id FROM api_keys WHERE id = ${id}`);
  const found = await tx.apiKey.findUnique({ where: { id }, select: { organization_id: true } });
  if (!found) return undefined;
  const revoked = await revokeChains(tx, sql`${id}`);
  return { organizationId: found.organization_id, keys: revoked.length };
}
