import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { unixNow } from "@/lib/platform/db/clock";
import { sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { endChain, endKeys } from "./end-keys";

/**
 * Revokes a key with its rotation chain, or a registration with all its keys, on behalf of the
 * operator. Returns the number of keys revoked, or undefined if the ID does not exist.
 */
export function revokeById(id: string): Promise<number | undefined> {
  return transaction((tx) =>
    id.startsWith("reg_") ? revokeRegistration(tx, id) : revokeKey(tx, id),
  );
}

const actor = "operator";

async function revokeRegistration(tx: Transaction, id: string): Promise<number | undefined> {
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
  const { length: revoked } = await endKeys(tx, sql`registration_id = ${id}`);
  await audit(tx, {
    action: "registration.revoked",
    actor,
    organizationId: found.organization_id,
    registrationId: id,
    data: { id, revoked },
  });
  return revoked;
}

async function revokeKey(tx: Transaction, id: string): Promise<number | undefined> {
  await lockOrganizations(tx, sql`SELECT organization_id FROM api_keys WHERE id = ${id}`);
  const found = await tx.apiKey.findUnique({ where: { id }, select: { organization_id: true } });
  return found ? endChain(tx, id, { actor, organizationId: found.organization_id }) : undefined;
}
