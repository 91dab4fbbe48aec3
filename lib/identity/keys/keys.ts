import { createOrganization } from "@/lib/identity/organizations/members";
import type { Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { digestOf, newApiKey, storedForm } from "./key-format";

/** Creates an API key for the operator. The key is returned once and never stored. */
export async function createKey(
  organizationId: string,
  input: { name: string; scopes: Scope[] },
): Promise<{ key: string; id: string }> {
  const key = newApiKey();
  const id = newId("key");
  await prisma.apiKey.create({ data: rowOf(id, organizationId, input, key), select: { id: true } });
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
  await prisma.apiKey.createMany({
    data: rowOf(newId("key"), organizationId, { name, scopes }, key),
    skipDuplicates: true,
  });
  const live = await prisma.apiKey.findUnique({
    where: {
      digest: digestOf(key),
      revoked_at: null,
      OR: [{ expires_at: null }, { expires_at: { gt: await unixNow() } }],
    },
    select: { id: true },
  });
  return live !== null;
}

/** The oldest organization with this name or ID, created if there is none. */
export async function findOrCreateOrganization(
  name: string,
): Promise<{ id: string; name: string }> {
  return transaction(async (tx) => {
    // (a) Names are not unique, so a lock keeps two processes from both creating one.
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 1))`, tx);
    const found = await findOrganization(tx, name);
    return found ?? { id: await createOrganization(tx, name, null), name };
  });
}

function rowOf(
  id: string,
  organizationId: string,
  { name, scopes }: { name: string; scopes: Scope[] },
  key: string,
) {
  return { id, organization_id: organizationId, name, scopes, ...storedForm(key) };
}

async function findOrganization(tx: Transaction, name: string) {
  // Prisma's schema has no relation between the tables.
  return queryOne<Row<"Organization", "id" | "name">>(
    sql`SELECT id, name FROM organizations
        WHERE (id = ${name} OR name = ${name}) AND id NOT IN (SELECT id FROM deleted_organizations)
        ORDER BY id LIMIT 1`,
    tx,
  );
}
