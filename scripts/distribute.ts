import type pg from "pg";
import { config } from "@/lib/platform/config/config";
import { assertNoServers } from "@/lib/platform/db/assert-no-servers";
import { connectAtStart } from "@/lib/platform/db/connect-at-start";
import { DISTRIBUTED, distributedTables, distributeTables } from "@/lib/platform/db/distribution";
import { MIGRATION_LOCK } from "@/lib/platform/db/migrate";
import { prepareDatabase } from "@/lib/platform/db/open";
import { OperatorError } from "@/lib/platform/operator-error";

export const usage = `Usage: npm run distribute -- [--yes]

Spreads the tables of events over the nodes of a Citus cluster, whose coordinator is DATABASE_URL (DIRECT_URL, if set).
Prints the plan, and carries it out with --yes. Stop all servers first. If it is interrupted, run it again.`;

export const options = { yes: { type: "boolean", default: false } } as const;

/** Prints the plan or, with --yes, distributes the database. Throws `OperatorError`. */
export async function run(values: { yes: boolean }): Promise<void> {
  const { directUrl } = config();
  if (directUrl === undefined) {
    throw new OperatorError("Set DATABASE_URL (and DIRECT_URL with a pooler) to the coordinator.");
  }
  const client = await connectAtStart(directUrl, console.error);
  try {
    await client.query("SET statement_timeout = 0");
    const nodes = await countNodes(client);
    const missing = await tablesToDistribute(client);
    const isNew = missing.length === DISTRIBUTED.length;
    console.log(`To be spread over ${nodes} nodes: ${missing.join("") || "nothing."}`);
    if (!values.yes) return console.log("Nothing was changed. To do it, add -- --yes.");
    if (isNew) await prepareDatabase(console.error);
    // Keeps servers from migrating. If this process dies, the lock ends with its session.
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await assertNoServers(client);
    await distributeTables(client);
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
    await prepareDatabase(console.error);
    console.log("The tables are distributed. Start the servers.");
  } finally {
    await client.end();
  }
}

async function countNodes(client: pg.Client): Promise<number> {
  const { rows: extensions } = await client.query(
    "SELECT FROM pg_extension WHERE extname = 'citus'",
  );
  if (extensions.length === 0) {
    throw new OperatorError("The database lacks Citus. On each node: CREATE EXTENSION citus.");
  }
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_dist_node WHERE isactive AND shouldhaveshards",
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0) return count;
  throw new OperatorError(
    "The cluster has no workers. For each: SELECT citus_add_node('HOST', 5432).",
  );
}

async function tablesToDistribute(client: pg.Client): Promise<string[]> {
  const done = await distributedTables(client);
  const missing = DISTRIBUTED.filter(({ table }) => !done.includes(table));
  const { rows } = await client.query<{ line: string }>(
    `SELECT format(E'\\n  %s by %s, %s', name, key,
                   coalesce(pg_size_pretty(pg_total_relation_size(to_regclass(name))), 'new')) AS line
     FROM unnest($1::text[], $2::text[]) AS missing (name, key)`,
    [missing.map(({ table }) => table), missing.map(({ key }) => key)],
  );
  return rows.map(({ line }) => line);
}
