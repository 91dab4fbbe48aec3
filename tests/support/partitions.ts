import fs from "node:fs";
import path from "node:path";
import type { Pool } from "pg";
import { DISTRIBUTED } from "@/lib/platform/db/distribution";
import { migrate } from "@/lib/platform/db/migrate";
import { ROOT } from "./servers";
import { testPool } from "./test-pool";

/** The column by which the rows of each table are partitioned: those that a distributed database spreads over nodes. */
const PARENT_COLUMN = Object.fromEntries(DISTRIBUTED.map(({ table, key }) => [table, key]));
/** Those that docs/scaling.md partitions. The others are partitioned to see how they are read. */
const DOCUMENTED = ["inbox_events", "webhook_events"];
/** In a statement that reads the rows of any number of parents, which asks every node of a distributed database. */
const DECLARED = "/* asks every node */";
/** With these settings of a connection Postgres logs the plan of each statement, also inside functions. */
const LOG_PLANS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
};

/**
 * Applies the migrations and partitions the event tables as docs/scaling.md says, and those beside them. Returns the URL
 * for a server whose plans are logged. The user is a superuser.
 */
export async function makePartitionedDatabase(url: string): Promise<string> {
  await migrate({ url });
  const document = fs.readFileSync(path.join(ROOT, "docs/scaling.md"), "utf8");
  const [, script = ""] = /```sql\n(DO [\s\S]*?)```/.exec(document) ?? [];
  const db = testPool(url, 1);
  await db.query(script);
  for (const { table, key } of DISTRIBUTED.filter(({ table }) => !DOCUMENTED.includes(table))) {
    await db.query(`ALTER TABLE ${table} RENAME TO ${table}_before`);
    await db.query(
      `CREATE TABLE ${table} (LIKE ${table}_before INCLUDING ALL) PARTITION BY HASH (${key})`,
    );
    for (const n of [0, 1, 2, 3]) {
      await db.query(
        `CREATE TABLE ${table}_${n} PARTITION OF ${table} FOR VALUES WITH (MODULUS 4, REMAINDER ${n})`,
      );
    }
    await db.query(`DROP TABLE ${table}_before`);
  }
  await db.end();
  const settings = Object.entries(LOG_PLANS).map(([name, value]) => `-c ${name}=${value}`);
  const logged = new URL(url);
  logged.searchParams.set("options", settings.join(" "));
  // The service looks for `options=` and adds its own after a space.
  return logged.href.replaceAll("+", "%20");
}

/** The log of the embedded Postgres that a database is in. */
export async function postgresLog(db: Pool): Promise<string> {
  const { rows } = await db.query<{ data_directory: string }>("SHOW data_directory");
  return fs.readFileSync(path.join(rows[0]?.data_directory ?? "", "../postgres.log"), "utf8");
}

interface Plan {
  Plans?: Plan[];
  [property: string]: unknown;
}

/** The statements on event tables whose plans were logged. */
export function eventStatements(log: string): { text: string; plan: Plan }[] {
  const entries = log.matchAll(/ plan:\n((?:\t.*\n)+)/g);
  return Array.from(entries, ([, json = ""]) => JSON.parse(json.replaceAll(/^\t/gm, "")))
    .map((entry) => ({ text: String(entry["Query Text"]), plan: entry.Plan as Plan }))
    .filter(({ plan }) => nodes(plan).some((node) => partitioned(node) !== undefined));
}

/**
 * The texts of statements that read partitions without naming one parent or a list of them, unless they say so, or name
 * a place on the disk.
 */
export function breaches(statements: { text: string; plan: Plan }[]): string[] {
  const wrong = statements.filter(({ text, plan }) => {
    const all = nodes(plan);
    const conditions = all.flatMap((node) =>
      Object.entries(node).flatMap(([name, value]) => (/Cond$|Filter$/.test(name) ? [value] : [])),
    );
    const scans = all.filter((node) => /Scan/.test(String(node["Node Type"])) && partitioned(node));
    return (
      /\b(ctid|xmin)\b/.test(text) ||
      !(text.includes(DECLARED) || scans.every((scan) => isReached(scan, scans, conditions)))
    );
  });
  return [...new Set(wrong.map(({ text }) => text))];
}

/** Whether the scan names its parent, or is joined by it with rows that do. */
function isReached(scan: Plan, scans: Plan[], conditions: unknown[]): boolean {
  const column = parentOf(scan);
  const joins = new RegExp(`\\b${column} = \\w+\\.${column}\\b`);
  const isJoined = [...conditionsOf(scan), ...conditions.map(String)].some((text) =>
    joins.test(text),
  );
  const reached = isJoined ? scans.filter((other) => parentOf(other) === column) : [scan];
  return reached.some(isNamed);
}

/** Whether the scan compares the table's column for equality with a value or a list, not with another column. */
function isNamed(scan: Plan): boolean {
  const equals = new RegExp(`\\b${parentOf(scan)} = (?!\\w+\\.\\w)`);
  return conditionsOf(scan).some((text) => equals.test(text));
}

function parentOf(scan: Plan): string | undefined {
  return PARENT_COLUMN[partitioned(scan) ?? ""];
}

function conditionsOf(scan: Plan): string[] {
  return ["Index Cond", "Recheck Cond", "Filter"].map((name) => String(scan[name] ?? ""));
}

/** The table of a node that reads or writes one of its partitions. */
function partitioned(node: Plan): string | undefined {
  const [, table = ""] = /^(\w+)_\d+$/.exec(String(node["Relation Name"])) ?? [];
  return table in PARENT_COLUMN ? table : undefined;
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

/** The unique keys of the event tables that do not begin with their column, and their foreign keys and triggers. */
export async function wrongKeys(db: Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `WITH event AS (SELECT name::regclass AS id, parent FROM unnest($1::text[], $2::text[]) AS one (name, parent))
     SELECT indexrelid::regclass::text AS name FROM pg_index JOIN event ON indrelid = id
     WHERE indisunique AND pg_get_indexdef(indexrelid, 1, false) <> parent
     UNION ALL SELECT conname FROM pg_constraint JOIN event ON id IN (conrelid, confrelid) WHERE contype = 'f'
     UNION ALL SELECT tgname FROM pg_trigger JOIN event ON tgrelid = id`,
    [Object.keys(PARENT_COLUMN), Object.values(PARENT_COLUMN)],
  );
  return rows.map(({ name }) => name);
}
