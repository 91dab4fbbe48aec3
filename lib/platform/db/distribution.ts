import type pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";

/** The tables that are spread over nodes, by their parent's ID. The first of a family has a row for each parent. */
const FAMILIES = [
  { key: "endpoint_id", tables: ["endpoint_state", "webhook_events"] },
  { key: "inbox_id", tables: ["inbox_state", "inbox_events", "inbox_replies"] },
] as const;

/** The functions that run on the node of their first argument, and the family of that argument. */
const RUN_AT_PARENT: Record<string, string> = {
  capture_events: "endpoint_state",
  ingest_events: "inbox_state",
  lease_events: "inbox_state",
  redrive_events: "inbox_state",
};

/** Each distributed table, with the column that distributes it. */
export const DISTRIBUTED = FAMILIES.flatMap(({ key, tables }) =>
  tables.map((table) => ({ table, key })),
);

/**
 * The plans of statements on a distributed database. A generic plan cannot tell which node has the rows that
 * `= ANY ($1)` names, so it asks all of them, and Citus keeps one for each shard.
 */
export const PLANS_WHEN_DISTRIBUTED = "force_custom_plan";

/** Whether the tables of events are distributed. Statements are the same either way. */
export async function isDistributed(db: Pick<pg.Client, "query">): Promise<boolean> {
  return (await distributedTables(db)).length > 0;
}

/** Which of the tables are distributed by Citus; none on plain Postgres. */
export async function distributedTables(client: Pick<pg.Client, "query">): Promise<string[]> {
  const { rows: citus } = await client.query(
    "SELECT WHERE to_regclass('pg_dist_partition') IS NOT NULL",
  );
  if (citus.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT logicalrelid::text AS name FROM pg_dist_partition
     WHERE logicalrelid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)`,
    [DISTRIBUTED.map(({ table }) => table)],
  );
  return rows.map(({ name }) => name);
}

/** Lets the caller's transaction change tables and functions: Citus refuses both where nodes change side by side. */
export async function changeNodesInTurn(client: pg.Client): Promise<void> {
  if (!(await isDistributed(client))) return;
  await client.query("SET LOCAL citus.multi_shard_modify_mode = sequential");
}

/** Distributes the tables of events that are not yet, with their rows. Can be repeated. */
export async function distributeTables(client: pg.Client): Promise<void> {
  const done = await distributedTables(client);
  for (const { key, tables } of FAMILIES) {
    const [first] = tables;
    for (const table of tables) {
      if (!done.includes(table)) {
        await client.query("SELECT create_distributed_table($1, $2, colocate_with => $3)", [
          table,
          key,
          table === first ? "none" : first,
        ]);
      }
      // The rows that were copied to the nodes.
      await client.query("SELECT truncate_local_data_after_distributing_table($1)", [table]);
    }
  }
}

/**
 * Makes functions that a migration has made or replaced available on every node, if the database is
 * distributed. Throws `OperatorError` if it is so in part.
 */
export async function distributeFunctions(client: pg.Client): Promise<void> {
  const done = await distributedTables(client);
  if (done.length === 0) return;
  if (done.length < DISTRIBUTED.length) {
    throw new OperatorError(
      "npm run distribute was interrupted. Run npm run distribute -- --yes again.",
    );
  }
  const { rows } = await client.query<{ name: string; signature: string; key: string | null }>(
    `SELECT proname AS name, oid::regprocedure::text AS signature, proargnames[1] AS key
     FROM pg_proc LEFT JOIN pg_dist_object ON classid = 'pg_proc'::regclass AND objid = oid
     WHERE pronamespace = current_schema()::regnamespace AND prorettype <> 'trigger'::regtype
       AND NOT EXISTS (SELECT FROM pg_depend WHERE pg_depend.objid = oid AND deptype = 'e')
       AND (pg_dist_object.objid IS NULL OR array_to_string(proconfig, ',') LIKE '%plan_cache_mode%'
            OR proname = ANY ($1) AND distribution_argument_index IS NULL)
     ORDER BY oid`,
    [Object.keys(RUN_AT_PARENT)],
  );
  for (const { name, signature, key } of rows) {
    await client.query(`ALTER FUNCTION ${signature} RESET plan_cache_mode`);
    const family = RUN_AT_PARENT[name];
    if (family === undefined) {
      await client.query("SELECT create_distributed_function($1)", [signature]);
    } else {
      await client.query(
        "SELECT create_distributed_function($1, $2, colocate_with => $3, force_delegation => true)",
        [signature, key, family],
      );
    }
  }
}
