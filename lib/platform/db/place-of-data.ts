import path from "node:path";
import pg from "pg";
import { config } from "@/lib/platform/config/config";

/** Where the data is, in words for the operator: a folder, or a database and its host. */
export function placeOfData(): string {
  const { embedded, dataDir, databaseUrl } = config();
  if (embedded || databaseUrl === undefined) {
    return `${path.resolve(dataDir)} (with its own Postgres)`;
  }
  const { host, database } = new pg.Client({ connectionString: databaseUrl });
  return `the database ${database} at ${host}`;
}
