import { config } from "@/lib/config/config";
import { prepareDatabase } from "@/lib/db/open";

// `npm run migrate`, for deployments without `npm start`, which migrates on its own.
const { directUrl } = config();
if (directUrl === undefined) {
  console.error("Set DATABASE_URL (and DIRECT_URL behind a pooler) to the database to migrate.");
  process.exit(1);
}
const applied = await prepareDatabase(console.error);
console.log(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
