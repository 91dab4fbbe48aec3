import { createKey, findOrCreateOrganization } from "@/lib/identity/keys/keys";
import { type Scope, scopes } from "@/lib/platform/caller";
import { UsageError } from "./usage-error";
import { withDatabase } from "./with-database";

export const usage = `Usage: npm run create-key -- --organization NAME [--scopes api.read,api.write] [--name NAME]

Creates an API key and prints it once, to standard output. The organization is found by its ID, or by its
name if it has no members, and created if there is none.`;

export const options = {
  organization: { type: "string" },
  scopes: { type: "string", default: scopes.join(",") },
  name: { type: "string", default: "create-key" },
} as const;

export async function run(values: {
  organization?: string;
  scopes: string;
  name: string;
}): Promise<void> {
  const { organization: nameOrId, name } = values;
  if (!nameOrId) throw new UsageError("--organization is missing.");
  const wanted = values.scopes.split(/[\s,]+/).filter((scope) => scope !== "");
  const granted = wanted.filter((scope): scope is Scope => scopes.some((known) => known === scope));
  if (granted.length === 0 || granted.length < wanted.length) {
    throw new UsageError(`--scopes takes ${scopes.join(" and ")}, separated by commas.`);
  }

  await withDatabase(async () => {
    const organization = await findOrCreateOrganization(nameOrId, refuse);
    const { key, id } = await createKey(organization.id, { name, scopes: granted });
    console.error(`${id} of ${organization.name} (${organization.id}), ${granted.join(" ")}:`);
    console.log(key);
  });
}

/** Anyone who signs in can give an organization the name that the operator has in mind. */
function refuse(ids: string[]): never {
  throw new UsageError(
    `Organizations of this name have members: ${ids.join(", ")}. Pass the ID of the one that you mean, or another name.`,
  );
}
