import { createOrganization } from "@/lib/identity/organizations/members";
import type { Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { lockName } from "@/lib/platform/db/name-lock";
import { prisma } from "@/lib/platform/db/prisma";
import { queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { digestOf, newApiKey, storedForm } from "./key-format";
import { notEnded } from "./live-key";

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
    where: { digest: digestOf(key), ...notEnded(await unixNow()) },
    select: { id: true },
  });
  return live !== null;
}

/**
 * The organization with this ID, or else the oldest one with this name and no members, which is created if there is
 * none. People can give their organizations any name, so a name never finds one that has members. If only such
 * organizations have the name, `refuse` gets their IDs and throws; without `refuse`, another one is created.
 */
export async function findOrCreateOrganization(
  nameOrId: string,
  refuse?: (ids: string[]) => never,
): Promise<{ id: string; name: string }> {
  return transaction(async (tx) => {
    // (a) Names are not unique, so a lock keeps two processes from both creating one.
    await lockName(tx, "organization", nameOrId);
    const found = await findOrganization(tx, nameOrId);
    if (found) return found;
    const others = refuse ? await organizationsNamed(tx, nameOrId) : [];
    if (others.length > 0) refuse?.(others.map(({ id }) => id));
    return { id: await createOrganization(tx, nameOrId, null), name: nameOrId };
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

async function findOrganization(tx: Transaction, nameOrId: string) {
  // Prisma's schema has no relation between the tables.
  return queryOne<Row<"Organization", "id" | "name">>(
    sql`SELECT id, name FROM organizations
        WHERE (id = ${nameOrId} OR (name = ${nameOrId} AND NOT EXISTS (
                 SELECT FROM members WHERE organization_id = organizations.id)))
          AND id NOT IN (SELECT id FROM deleted_organizations)
        ORDER BY id = ${nameOrId} DESC, id LIMIT 1`,
    tx,
  );
}

/** Organizations that have members and this name, the oldest first. */
function organizationsNamed(tx: Transaction, name: string) {
  return tx.organization.findMany({
    where: { name, members: { some: {} } },
    select: { id: true },
    orderBy: { id: "asc" },
    take: 20,
  });
}
