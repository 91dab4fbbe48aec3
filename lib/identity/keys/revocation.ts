import { audit } from "@/lib/identity/audit/audit";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { revokeChains } from "./key-chains";
import { lockKeys } from "./key-lock";

/**
 * Revokes a key with its chain of rotations, or a registration with all its keys, on behalf of the
 * operator. Returns the number of keys revoked, or undefined when the ID does not exist.
 */
export async function revokeById(id: string): Promise<number | undefined> {
  const isRegistration = id.startsWith("reg_");
  return transaction(async (db) => {
    const revoked = await (isRegistration ? revokeRegistration(db, id) : revokeKey(db, id));
    if (revoked === undefined) return undefined;
    await audit(db, {
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

async function revokeRegistration(db: Transaction, id: string): Promise<Revoked | undefined> {
  await lockKeys(db, sql`SELECT organization_id FROM agent_registrations WHERE id = ${id}`);
  const [found] = await query<{ organization_id: string | null }>(
    sql`UPDATE agent_registrations SET revoked_at = coalesce(revoked_at, unix_now())
        WHERE id = ${id} RETURNING organization_id`,
    db,
  );
  if (!found) return undefined;
  const keys = await query(
    sql`UPDATE api_keys SET revoked_at = unix_now()
        WHERE registration_id = ${id} AND revoked_at IS NULL RETURNING id`,
    db,
  );
  return { organizationId: found.organization_id, keys: keys.length };
}

async function revokeKey(db: Transaction, id: string): Promise<Revoked | undefined> {
  await lockKeys(db, sql`SELECT organization_id FROM api_keys WHERE id = ${id}`);
  const found = await queryOne<{ organization_id: string }>(
    sql`SELECT organization_id FROM api_keys WHERE id = ${id}`,
    db,
  );
  if (!found) return undefined;
  const revoked = await revokeChains(db, sql`${id}`);
  return { organizationId: found.organization_id, keys: revoked.length };
}
