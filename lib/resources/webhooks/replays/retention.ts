import { removeRows } from "@/lib/platform/db/remove-rows";
import { sql } from "@/lib/platform/db/sql";

/** How long a bulk replay is kept after it has ended. */
export const KEPT_SECONDS = 30 * 86_400;

/** The IDs of the bulk replays that still count their messages. */
export const RUNNING_REPLAYS = sql`SELECT id FROM webhook_replays WHERE ended_at IS NULL`;

/** Deletes up to `limit` bulk replays that ended long ago and returns their number. */
export function removeOldReplays(limit: number): Promise<number> {
  const where = sql`id < 'wrp_' || id_time((unix_now() - ${KEPT_SECONDS}::bigint) * 1000000)
    AND ended_at < unix_now() - ${KEPT_SECONDS}::bigint`;
  return removeRows({ table: sql`webhook_replays`, where }, limit);
}
