import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Pool } from "pg";
import { plainEnvironment, ROOT } from "./servers";

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs an operator's command, as `npm run` does. */
export function runCommand(
  name: string,
  argv: string[],
  environment: Record<string, string>,
): Promise<Ended> {
  return run(process.execPath, ["scripts/run.mjs", name, ...argv], environment);
}

/** Runs a program in the project's folder, with only this environment. */
export async function run(
  program: string,
  argv: string[],
  environment: Record<string, string>,
): Promise<Ended> {
  const child = spawn(program, argv, {
    cwd: ROOT,
    env: { ...plainEnvironment(), ...environment },
  });
  const status = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, stdout, stderr };
}

/** The number of rows of each table and a digest of them without fencing tokens, and the rules of the tables. */
export async function contentOf(db: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> '_prisma_migrations'`,
  );
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await db.query<{ digest: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(row, '|' ORDER BY row)), '') AS digest
       FROM (SELECT (to_jsonb(t) - 'fencing_token')::text AS row FROM "${name}" AS t) AS rows`,
    );
    content[name] = rows[0]?.digest ?? "";
  }
  const { rows: rules } = await db.query<{ name: string; rule: string }>(
    `SELECT conrelid::regclass || ' ' || conname AS name, pg_get_constraintdef(oid) AS rule
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT tgrelid::regclass || ' ' || tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal`,
  );
  for (const { name, rule } of rules) content[name] = rule;
  return content;
}
