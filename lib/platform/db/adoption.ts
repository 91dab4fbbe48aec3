import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { assertNoServers } from "./assert-no-servers";
import { MigrationError } from "./migration-error";
import type { Migration } from "./migration-files";
import { appliedNames, recordMigration } from "./migration-history";

/** The first and the last of the migrations that the baselines replace. Removed with version 1.0. */
const FIRST_REPLACED = "0001_foundation";
const LAST_REPLACED = "20261125170000_device_codes";

/**
 * Changes a database of the replaced migrations into one of the baselines, in the caller's
 * transaction, and returns whether it was one. Throws `MigrationError` if it lacks some of them, or
 * while servers are connected: their statements need the earlier schema.
 */
export async function adopt(
  client: pg.Client,
  folder: string,
  [tables, rules]: Migration[],
): Promise<boolean> {
  if (tables?.name !== "0_tables" || !rules) return false;
  const applied = await appliedNames(client);
  if (!applied.includes(FIRST_REPLACED)) return false;
  if (!applied.includes(LAST_REPLACED)) {
    throw new MigrationError(
      `The database lacks migration ${LAST_REPLACED}. Start the last version that has it, commit ` +
        "38280681, once; then this one.",
    );
  }
  await assertNoServers(client);
  const statements = tables.sql.replaceAll(/^--.*$/gm, "").split(";\n");
  await client.query(statements.filter((one) => one.includes("CREATE TYPE")).join(";"));
  await client.query(await readFile(path.join(folder, "adopt.sql"), "utf8"));
  const indexes = statements.filter((one) => /CREATE (UNIQUE )?INDEX/.test(one));
  await client.query(indexes.join(";").replaceAll("INDEX ", "INDEX IF NOT EXISTS "));
  await client.query(rules.sql);
  await client.query("DELETE FROM _prisma_migrations");
  for (const baseline of [tables, rules]) await recordMigration(client, baseline);
  return true;
}
