import pg from "pg";
import { connectAtStart } from "./connect-at-start";
import { isDistributed, PLANS_WHEN_DISTRIBUTED } from "./distribution";
import { IDLE_TRANSACTION_MS_MAX, STATEMENT_MS_MAX } from "./time-limits";

/** Advisory lock: two servers must not change one role at the same moment. */
const SETTINGS_LOCK = 7_305_218_848;

/** The settings of every session of the service's role, in the service's database only. */
const SETTINGS = {
  // A plan made while a table had 5 rows scans all of it until the next ANALYZE: at 100 000 rows a
  // read by ID took 2500 pages, and 10 without sequential scans. (`force_custom_plan` also helps,
  // but costs 0.1 ms per statement.) Before Postgres 18 the penalty for an unavoidable scan is so
  // high that it triggers JIT.
  enable_seqscan: "off",
  jit: "off",
  statement_timeout: `${STATEMENT_MS_MAX}ms`,
  idle_in_transaction_session_timeout: `${IDLE_TRANSACTION_MS_MAX}ms`,
};

/**
 * Sets these for the role of `url` in that database. A SET would reach other clients of a pooler
 * and be lost when it reconnects. If the role may not change itself, logs what to run.
 */
export async function configureRole(url: string, log: (line: string) => void): Promise<void> {
  const client = await connectAtStart(url, log);
  let changes = "";
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [SETTINGS_LOCK]);
    const { rows } = await client.query<{ database: string; role: string; settings: string[] }>(
      `SELECT current_database() AS database, session_user AS role, coalesce((
         SELECT setconfig FROM pg_db_role_setting
         WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = session_user)
           AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
       ), '{}') AS settings`,
    );
    const { database = "", role = "", settings = [] } = rows[0] ?? {};
    const place = `${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)}`;
    const isSpread = await isDistributed(client);
    const wanted = { ...SETTINGS, ...(isSpread && { plan_cache_mode: PLANS_WHEN_DISTRIBUTED }) };
    changes = Object.entries(wanted)
      .filter(([name, value]) => !settings.includes(`${name}=${value}`))
      .map(([name, value]) => `ALTER ROLE ${place} SET ${name} = '${value}';`)
      .join(" ");
    if (changes) await client.query(changes);
    await client.query("COMMIT");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log(`The database role could not be given its settings: ${reason}. Run: ${changes}`);
  } finally {
    await client.end();
  }
}
