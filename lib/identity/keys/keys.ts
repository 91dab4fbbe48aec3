import { createOrganization } from "@/lib/identity/organizations/members";
import type { Scope } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { digestOf, newApiKey, storedForm } from "./key-format";

/**
 * Creates an API key on behalf of the operator. The key itself is returned once and never stored.
 */
export async function createKey(
  organizationId: string,
  input: { name: string; scopes: Scope[] },
): Promise<{ key: string; id: string }> {
  const key = newApiKey();
  const id = newId("key");
  await query(insertion(id, organizationId, input, key));
  return { key, id };
}

/**
 * Ensures that a key chosen by the operator exists, with both scopes. Returns whether it is live: a
 * revoked or rotated key is not revived.
 */
export async function installKey(
  organizationId: string,
  name: string,
  key: string,
): Promise<boolean> {
  const scopes: Scope[] = ["api.read", "api.write"];
  await query(sql`
    ${insertion(newId("key"), organizationId, { name, scopes }, key)}
    ON CONFLICT (digest) DO NOTHING`);
  const live = await queryOne(sql`
    SELECT id FROM api_keys
    WHERE digest = ${digestOf(key)} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > unix_now())`);
  return live !== undefined;
}

/** The oldest organization with this name or ID, created if there is none. */
export async function findOrCreateOrganization(
  name: string,
): Promise<{ id: string; name: string }> {
  return transaction(async (db) => {
    // Names are not unique, so a lock keeps two processes from both creating one.
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 1))`, db);
    const found = await findOrganization(db, name);
    return found ?? { id: await createOrganization(db, name, null), name };
  });
}

function insertion(
  id: string,
  organizationId: string,
  { name, scopes }: { name: string; scopes: Scope[] },
  key: string,
) {
  const { digest, prefix, lastFour } = storedForm(key);
  return sql`
    INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes)
    VALUES (${id}, ${organizationId}, ${name}, ${digest}, ${prefix}, ${lastFour}, ${scopes})`;
}

async function findOrganization(db: Transaction, name: string) {
  return queryOne<{ id: string; name: string }>(
    sql`SELECT id, name FROM organizations
        WHERE (id = ${name} OR name = ${name}) AND id NOT IN (SELECT id FROM deleted_organizations)
        ORDER BY id LIMIT 1`,
    db,
  );
}
