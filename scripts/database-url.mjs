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
  const [pid, , , port, , , , state] = readFileSync(pidFile, "utf8").split(/ *\n/);
  if (state !== "ready" || !isRunning(Number(pid))) return undefined;
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim();
  return `postgresql://postgres:${password}@127.0.0.1:${port}/app?sslmode=disable`;
}

/** The file outlives a Postgres that was killed. */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM"; // another user's
  }
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
