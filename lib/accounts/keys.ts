import type { Scope } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { type Db, query, queryOne, sql, transaction } from "@/lib/db/sql";
import { digestOf, newApiKey, storedForm } from "./key-format";

/**
 * Makes an API key of an organization, for the operator. The key itself is in the answer only: what
 * is stored is its digest, and a few characters by which people recognise it.
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
 * Makes sure that a key that the operator chose exists, with both scopes. Gives whether it works: one
 * that was revoked or rotated stays so.
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

/** The oldest organization with this name or ID, made when there is none. */
export async function findOrCreateOrganization(
  name: string,
): Promise<{ id: string; name: string }> {
  return transaction(async (db) => {
    // Names are not unique, so two processes that make the same one take turns.
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 1))`, db);
    return (await findOrganization(db, name)) ?? makeOrganization(db, name);
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

async function findOrganization(db: Db, name: string) {
  return queryOne<{ id: string; name: string }>(
    sql`SELECT id, name FROM organizations WHERE id = ${name} OR name = ${name} ORDER BY id LIMIT 1`,
    db,
  );
}

async function makeOrganization(db: Db, name: string) {
  const id = newId("org");
  await query(sql`INSERT INTO organizations (id, name) VALUES (${id}, ${name})`, db);
  return { id, name };
}
