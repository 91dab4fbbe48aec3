import fs from "node:fs";
import path from "node:path";
import type { Pool } from "pg";
import { migrate } from "@/lib/platform/db/migrate";
import { ROOT } from "./servers";
import { testPool } from "./test-pool";

/** The column by which the rows of each event table are partitioned. */
const PARENT_COLUMN: Record<string, string> = {
  inbox_events: "inbox_id",
  webhook_events: "endpoint_id",
};
/** With these settings of a connection Postgres logs the plan of each statement, also inside functions. */
const LOG_PLANS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
};

/**
 * Applies the migrations and partitions the event tables as docs/scaling.md says. Returns the URL
 * for a server whose plans are logged. The user is a superuser.
 */
export async function makePartitionedDatabase(url: string): Promise<string> {
  await migrate({ url });
  const document = fs.readFileSync(path.join(ROOT, "docs/scaling.md"), "utf8");
  const [, script = ""] = /```sql\n(DO [\s\S]*?)```/.exec(document) ?? [];
  const db = testPool(url, 1);
  await db.query(script);
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

/** The statements on event tables whose plans a Postgres log has. */
export function eventStatements(log: string): { text: string; plan: Plan }[] {
  const entries = log.matchAll(/ plan:\n((?:\t.*\n)+)/g);
  return Array.from(entries, ([, json = ""]) => JSON.parse(json.replaceAll(/^\t/gm, "")))
    .map((entry) => ({ text: String(entry["Query Text"]), plan: entry.Plan as Plan }))
    .filter(({ plan }) => nodes(plan).some((node) => partitioned(node) !== undefined));
}

/** The texts of statements that read partitions without naming their column, or name a place on the disk. */
export function breaches(statements: { text: string; plan: Plan }[]): string[] {
  const wrong = statements.filter(({ text, plan }) => {
    const all = nodes(plan);
    const conditions = all.flatMap((node) =>
      Object.entries(node).flatMap(([name, value]) => (/Cond$|Filter$/.test(name) ? [value] : [])),
    );
    const scans = all.filter((node) => /Scan/.test(String(node["Node Type"])) && partitioned(node));
    return /\b(ctid|xmin)\b/.test(text) || !scans.every((scan) => isNamed(scan, conditions));
  });
  return [...new Set(wrong.map(({ text }) => text))];
}

/** Whether a condition of the scan, or one of a join with it, compares the table's column for equality. */
function isNamed(scan: Plan, conditions: unknown[]): boolean {
  const column = PARENT_COLUMN[partitioned(scan) ?? ""];
  const own = ["Index Cond", "Recheck Cond", "Filter"].map((name) => String(scan[name] ?? ""));
  // Postgres numbers the aliases of partitions.
  const alias = String(scan.Alias).replace(/_\d+$/, "");
  const equals = (name: string) => new RegExp(`\\b${name} = |= ${name}\\b`);
  return (
    own.some((text) => equals(`(?:\\w+\\.)?${column}`).test(text)) ||
    conditions.some((text) => equals(`${alias}(?:_\\d+)?\\.${column}`).test(String(text)))
  );
}

/** The event table of a node that reads or writes one of its partitions. */
function partitioned(node: Plan): string | undefined {
  const [, table] = /^(\w+_events)_\d+$/.exec(String(node["Relation Name"])) ?? [];
  return table;
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

/** The unique keys and foreign keys of the event tables that do not begin with their column. */
export async function wrongKeys(db: Pool): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT index.indexrelid::regclass::text AS name
     FROM pg_index AS index JOIN unnest($1::text[], $2::text[]) AS event (name, parent)
       ON index.indrelid = event.name::regclass
     WHERE index.indisunique AND pg_get_indexdef(index.indexrelid, 1, false) <> event.parent
     UNION ALL
     SELECT key.conname FROM pg_constraint AS key JOIN unnest($1::text[], $2::text[]) AS event (name, parent)
       ON event.name::regclass IN (key.conrelid, key.confrelid)
     WHERE key.contype = 'f' AND pg_get_constraintdef(key.oid) NOT LIKE '%(' || event.parent || '%'`,
    [Object.keys(PARENT_COLUMN), Object.values(PARENT_COLUMN)],
  );
  return rows.map(({ name }) => name);
}
