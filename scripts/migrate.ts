import { config } from "@/lib/platform/config/config";
import { prepareDatabase } from "@/lib/platform/db/open";

export const usage = `Usage: npm run migrate

Applies pending migrations to the database of DATABASE_URL (DIRECT_URL, if set). For deployments without
npm start, which migrates on its own.`;

export async function run(): Promise<void> {
  if (config().directUrl === undefined) {
    console.error("Set DATABASE_URL (and DIRECT_URL behind a pooler) to the database to migrate.");
    process.exit(1);
  }
  const applied = await prepareDatabase(console.error);
  console.log(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
}
