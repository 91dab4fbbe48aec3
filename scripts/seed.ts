import { createKey, findOrCreateOrganization } from "@/lib/identity/keys/keys";
import { addMember } from "@/lib/identity/organizations/members";
import { normalizeEmail } from "@/lib/identity/people/email";
import { findOrCreateUser } from "@/lib/identity/people/users";
import { type Caller, scopes } from "@/lib/platform/caller";
import { pool } from "@/lib/platform/db/connections";
import { isDistributed } from "@/lib/platform/db/distribution";
import { transaction } from "@/lib/platform/db/sql";
import { makeAccounts } from "./seed/accounts";
import { makeCaptures } from "./seed/captures";
import { recountHours } from "./seed/counters";
import { makeDocuments, makeTasks } from "./seed/documents";
import { makeFlows } from "./seed/flows";
import { makeInboxes } from "./seed/inboxes";
import { makeMessages } from "./seed/messages";
import { makeQuestions } from "./seed/questions";
import { UsageError } from "./usage-error";
import { withDatabase } from "./with-database";

export const usage = `Usage: npm run seed -- [--organization NAME] [--email ADDRESS]

Fills an organization with a few days of sample data and prints an API key. Sends nothing.
The person who signs in with ADDRESS owns the organization. It is a new one, unless NAME is an ID, or the
name of an organization without members.`;

export const options = {
  organization: { type: "string", default: "Northwind Robotics" },
  email: { type: "string", default: "anna@northwind.example" },
} as const;

export async function run(values: { organization: string; email: string }): Promise<void> {
  const email = normalizeEmail(values.email);
  if (email === undefined) throw new UsageError(`'${values.email}' is not an email address.`);
  await withDatabase(() => seed(values.organization, email));
}

async function seed(nameOrId: string, email: string): Promise<void> {
  // It moves events into the past, with their parents, and so to other nodes, which Citus refuses.
  if (await isDistributed(pool()))
    throw new UsageError("Sample data needs a database that is not distributed.");
  const organization = await findOrCreateOrganization(nameOrId);
  const ownerId = await transaction(async (db) => {
    const userId = await findOrCreateUser(db, email);
    await addMember(db, organization.id, userId, "owner");
    return userId;
  });
  const { key, id: keyId } = await createKey(organization.id, {
    name: "seed",
    scopes: [...scopes],
  });
  const caller: Caller = {
    kind: "key",
    keyId,
    organizationId: organization.id,
    scopes,
  };

  const keyIds = await makeAccounts(organization.id, ownerId);
  await makeTasks(caller);
  await makeDocuments(
    caller,
    keyIds.map((id) => ({ ...caller, keyId: id })),
  );
  await makeCaptures(caller);
  await makeMessages(caller);
  await makeInboxes(caller);
  await makeFlows(caller);
  await makeQuestions(caller);
  await recountHours(organization.id);
  console.error(`${organization.name} (${organization.id}) has sample data. Its key:`);
  console.log(key);
}
