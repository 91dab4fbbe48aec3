import { readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";
import { assertNoServers } from "./assert-no-servers";
import type { Migration } from "./migration-files";
import { appliedNames, recordMigration } from "./migration-history";

/** The migrations that 0_tables and 1_rules replace. */
const REPLACED = { first: "0001_foundation", last: "20261125170000_device_codes", count: 66 };

/**
 * Changes a database that has the replaced migrations into one that has 0_tables and 1_rules, in the
 * caller's transaction. Returns whether the database had them. Throws `OperatorError` if it has
 * others or only some of them, and while servers are connected: their statements need the earlier
 * schema.
 */
export async function adopt(
  client: pg.Client,
  folder: string,
  [tables, rules]: Migration[],
  log: (line: string) => void,
): Promise<boolean> {
  if (tables?.name !== "0_tables" || !rules) return false;
  const applied = await appliedNames(client);
  if (!applied.includes(REPLACED.first)) return false;
  if (!applied.includes(REPLACED.last) || applied.length !== REPLACED.count) {
    throw new OperatorError(
      `The database has ${applied.length} of the ${REPLACED.count} migrations up to ${REPLACED.last}. ` +
        "Start the last version that has these, commit 38280681, once; then this one.",
    );
  }
  // A server that starts now waits, and then finds the new history.
  await client.query("LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE");
  await assertNoServers(client);
  log("Changing the types of columns, which rewrites tables and may take minutes…");
  const changes = await readFile(path.join(folder, "adopt.sql"), "utf8");
  const statements = tables.sql.replaceAll(/^--.*$/gm, "").split(";\n");
  const types = statements.filter((one) => one.includes("CREATE TYPE"));
  const dropped = [...changes.matchAll(/^DROP INDEX (\w+)/gm)].map(([, name]) => name);
  const indexes = statements.filter((one) => {
    const name = /CREATE (?:UNIQUE )?INDEX (\w+)/.exec(one)?.[1];
    return name === "webhook_events_held_idx" || dropped.includes(name);
  });
  try {
    for (const sql of [types.join(";"), changes, indexes.join(";"), rules.sql]) {
      await client.query(sql);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      `The change to this version's schema failed and was rolled back: ${reason}.`,
      { cause },
    );
  }
  await client.query("DELETE FROM _prisma_migrations");
  for (const baseline of [tables, rules]) await recordMigration(client, baseline);
  return true;
}
