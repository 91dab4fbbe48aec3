import { setTimeout as pause } from "node:timers/promises";
import { reservedConnection } from "@/lib/platform/db/connections";
import { recordReadOnly } from "@/lib/platform/db/failures";
import { migrationNames } from "@/lib/platform/db/migration-files";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { unavailable } from "@/lib/platform/errors";
import { DISPATCH_IS_OFF } from "@/lib/resources/messages/dispatch-off";

export const TIMEOUT_MS = 2000;

/** How many of the messages that are due first are compared. */
const LOOKED_AT = 100;

/** The state of the database that health checks read. Times are in Unix seconds. */
export interface DatabaseState {
  last_dispatch_at: number | null;
  seconds_since_dispatch: number | null;
  seconds_since_sweep: number | null;
  oldest_due_seconds: number | null;
  is_dispatch_off: boolean;
}

let running: Promise<DatabaseState> | undefined;
let migrations: string[] | undefined;

/**
 * Checks that the database responds within two seconds, accepts writes and has this version's
 * schema. Throws 503 `service_unavailable` with the reason. Concurrent checks share one statement,
 * so a flood of them delays none.
 */
export async function checkDatabase(): Promise<DatabaseState> {
  running ??= readState().finally(() => {
    running = undefined;
  });
  const state = await Promise.race([running, pause(TIMEOUT_MS, undefined, { ref: false })]);
  if (!state) throw unavailable(LATE);
  return state;
}

async function readState(): Promise<DatabaseState> {
  migrations ??= await migrationNames();
  // A message may be written when it is already due: it has waited only since then.
  const state = await queryOne<DatabaseState & { is_read_only: boolean; missing: number }>(
    sql`
    SELECT current_setting('transaction_read_only')::boolean AS is_read_only,
           (SELECT count(*) FROM unnest(${migrations}::text[]) AS name
            WHERE NOT EXISTS (
              SELECT FROM _prisma_migrations
              WHERE migration_name = name AND finished_at IS NOT NULL AND rolled_back_at IS NULL
            )) AS missing,
           ${DISPATCH_IS_OFF} AS is_dispatch_off,
           last_dispatch_at, unix_now() - last_dispatch_at AS seconds_since_dispatch,
           unix_now() - last_sweep_at AS seconds_since_sweep,
           (SELECT max(unix_now() - greatest(due_at, updated_at))
            FROM (SELECT due_at, updated_at FROM scheduled_messages WHERE due_at <= unix_now()
                  ORDER BY due_at, id LIMIT ${LOOKED_AT}) AS due) AS oldest_due_seconds
    FROM dispatch_state`,
    reservedConnection(),
  ).catch((error) => {
    if (hasOtherSchema(error)) throw unavailable(OTHER_SCHEMA);
    throw String(error).includes("Query read timeout") ? unavailable(LATE) : error;
  });
  if (!state || state.missing > 0) throw unavailable(OTHER_SCHEMA);
  if (state.is_read_only) {
    recordReadOnly();
    throw unavailable("The database is read-only.");
  }
  return state;
}

const LATE = "The database did not answer within 2 seconds.";
const OTHER_SCHEMA = "The database does not have the schema of this version. Run the migrations.";

/** Class 42: a table, column or function is missing, or the user may not read it. */
function hasOtherSchema(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^42...$/.test(String(error.code));
}
