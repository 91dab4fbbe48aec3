// `npm run db-url`: prints the URL of this checkout's database, for psql and Prisma's CLI.
import "./environment.mjs";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { argumentsOf } from "./arguments.mjs";

/**
 * `DIRECT_URL`, `DATABASE_URL`, or the URL of the embedded database.
 * Undefined when neither is set and no server of this checkout is running.
 */
export function databaseUrl() {
  const { DIRECT_URL, DATABASE_URL, DATA_DIR = ".data" } = process.env;
  return DIRECT_URL || DATABASE_URL || embeddedUrl(DATA_DIR);
}

function embeddedUrl(dataDir) {
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  if (!existsSync(pidFile)) return undefined;
  const port = readFileSync(pidFile, "utf8").split("\n")[3].trim();
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim();
  return `postgresql://postgres:${password}@127.0.0.1:${port}/app?sslmode=disable`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  argumentsOf("Usage: npm run db-url\n\nPrints the URL of the database, for psql and other tools.");
  const url = databaseUrl();
  if (!url) {
    console.error("No database: run npm start, or set DATABASE_URL.");
    process.exit(1);
  }
  console.log(url);
}
