import { parseArgs } from "node:util";
import { createKey, findOrCreateOrganization } from "@/lib/accounts/keys";
import { type Scope, scopes } from "@/lib/caller";
import { openDatabase } from "@/lib/db/open";
import { connectEmbeddedPostgres } from "@/lib/embedded-postgres/start";

const USAGE = `Usage: npm run create-key -- --organization NAME [--scopes api.read,api.write] [--name NAME]

Creates an API key and prints it once, to standard output. The organization is found by name or ID, and
created if it does not exist.`;

const values = readOptions();
const wanted = values.scopes.split(/[\s,]+/).filter((scope) => scope !== "");
const granted = wanted.filter((scope): scope is Scope => scopes.some((known) => known === scope));
if (values.help || !values.organization || granted.length === 0 || granted.length < wanted.length) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 1);
}

const close = await openDatabase(connectEmbeddedPostgres);
const organization = await findOrCreateOrganization(values.organization);
const { key, id } = await createKey(organization.id, { name: values.name, scopes: granted });
console.error(`${id} of ${organization.name} (${organization.id}), ${granted.join(" ")}:`);
console.log(key);
await close();

function readOptions() {
  try {
    return parseArgs({
      options: {
        organization: { type: "string" },
        scopes: { type: "string", default: scopes.join(",") },
        name: { type: "string", default: "create-key" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(1);
  }
}
