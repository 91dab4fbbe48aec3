import { reservedConnection } from "@/lib/db/connections";
import { queryOne, sql } from "@/lib/db/sql";
import service from "@/package.json" with { type: "json" };
import type { Health } from "./contract";

/** Degraded when messages have been due, and no dispatch has run, for this long. */
const LATE_SECONDS = 60;

interface DispatchRow {
  last_dispatch_at: number | null;
  seconds_since_dispatch: number | null;
  oldest_due_seconds: number | null;
}

/** Throws the database's error when it cannot be reached. */
export async function health(): Promise<Health> {
  // Reads one row of the index on `due_at`. `scheduled_at` may be too far back for a safe integer.
  const row = await queryOne<DispatchRow>(
    sql`
    SELECT last_dispatch_at, unix_now() - last_dispatch_at AS seconds_since_dispatch,
           (SELECT least(unix_now() - due_at, ${Number.MAX_SAFE_INTEGER}::bigint)
            FROM scheduled_messages WHERE due_at <= unix_now()
            ORDER BY due_at, id LIMIT 1) AS oldest_due_seconds
    FROM dispatch_state`,
    reservedConnection(),
  );
  const reason = row && degradedReason(row);
  return {
    status: reason ? "degraded" : "ok",
    ...(reason && { reason }),
    version: service.version,
    database: "ok",
    last_dispatch_at: row?.last_dispatch_at ?? null,
    oldest_due_seconds: row?.oldest_due_seconds ?? null,
  };
}

function degradedReason(row: DispatchRow): string | undefined {
  const { oldest_due_seconds: due, seconds_since_dispatch: since } = row;
  if (due === null || due < LATE_SECONDS) return undefined;
  if (since !== null && since < LATE_SECONDS) return undefined;
  const dispatched = since === null ? "has not run yet" : `ran ${since} seconds ago`;
  return `Scheduled messages are not being sent: the oldest has been due for ${due} seconds, and the last dispatch ${dispatched}.`;
}
