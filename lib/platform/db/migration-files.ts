import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "@/lib/platform/operator-error";

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
  /**
   * The statements of a migration that must run outside of a transaction; undefined for other
   * migrations.
   */
  concurrent: ConcurrentStatement[] | undefined;
}

export interface ConcurrentStatement {
  sql: string;
  /** The index that it creates; undefined when it drops one. */
  created: string | undefined;
}

/** The folder of the migrations. */
export function migrationsFolder(root = process.cwd()): string {
  return path.join(/*turbopackIgnore: true*/ root, "prisma/migrations");
}

/** The names of all migrations of this version, in order. */
export async function migrationNames(folder = migrationsFolder()): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.sort();
}

/** Reads the migrations of a folder in the order of their application. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = await migrationNames(dir).catch((cause: unknown) => {
    throw new OperatorError(`Cannot read the migrations folder ${dir}.`, { cause });
  });
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(dir, name, "migration.sql"), "utf8").catch((cause) => {
        throw new OperatorError(`Migration ${name} has no readable migration.sql.`, { cause });
      });
      const checksum = hash("sha256", sql, "hex");
      return { name, sql, checksum, concurrent: concurrentStatements(name, sql) };
    }),
  );
}

const CONCURRENT =
  /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)|DROP INDEX CONCURRENTLY IF EXISTS )/i;

function concurrentStatements(name: string, sql: string): ConcurrentStatement[] | undefined {
  const code = sql.replaceAll(/--.*$/gm, "");
  if (!/\bINDEX\s+CONCURRENTLY\b/i.test(code)) return undefined;
  const statements = code
    .split(";")
    .map((statement) => statement.trim())
    .filter(Boolean);
  return statements.map((statement) => {
    const match = CONCURRENT.exec(statement.replaceAll(/\s+/g, " "));
    if (match) return { sql: statement, created: match[1] };
    throw new OperatorError(
      `Migration ${name} has CONCURRENTLY, so it may only have statements that begin with ` +
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS or DROP INDEX CONCURRENTLY IF EXISTS.",
    );
  });
}
