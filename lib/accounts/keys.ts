import type { ApiKey, Organization, Prisma } from "@/lib/db/generated/client";
import { newId } from "@/lib/db/ids";
import { prisma } from "@/lib/db/prisma";
import type { Scope } from "./caller";
import { newApiKey, storedForm } from "./key-format";

/**
 * Makes an API key of an organization. The key itself is in the answer only: what is stored is its
 * digest, and a few characters by which people recognise it.
 */
export async function createKey(
  organizationId: string,
  input: { name: string; scopes: Scope[] },
): Promise<{ key: string; record: ApiKey }> {
  const key = newApiKey();
  const record = await prisma().apiKey.create({
    data: { id: newId("key"), organizationId, ...input, ...storedForm(key) },
  });
  return { key, record };
}

/** Makes sure that a key that the operator chose exists, with both scopes. */
export async function installKey(organizationId: string, name: string, key: string): Promise<void> {
  const scopes: Scope[] = ["api.read", "api.write"];
  const { digest, ...shown } = storedForm(key);
  await prisma().apiKey.upsert({
    where: { digest },
    create: { id: newId("key"), organizationId, name, scopes, digest, ...shown },
    update: {},
  });
}

/** The oldest organization with this name or ID, made when there is none. */
export async function findOrCreateOrganization(name: string): Promise<Organization> {
  const work = async (transaction: Prisma.TransactionClient) => {
    // Names are not unique, so two processes that make the same one take turns.
    await transaction.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 1))::text`;
    const found = await transaction.organization.findFirst({
      where: { OR: [{ id: name }, { name }] },
      orderBy: { id: "asc" },
    });
    return found ?? transaction.organization.create({ data: { id: newId("org"), name } });
  };
  return prisma().$transaction(work);
}
