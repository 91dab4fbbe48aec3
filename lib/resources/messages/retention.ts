import { query, raw, type Sql, sql } from "@/lib/platform/db/sql";
import { recordChanges } from "@/lib/resources/change";
import type { Origin } from "./enqueue";
import { IS_STANDALONE } from "./lease";

/** How long messages of a forward, subscription or replay are kept after they finish. */
export const ENDED_RETENTION_SECONDS = 7 * 86_400;
/** A message that a claim holds has not ended: its owner decides. */
const HAS_ENDED = sql`due_at IS NULL AND status <> 'scheduled'`;

/** Deletes up to `limit` messages that finished that long ago and returns their number. */
export async function removeFinishedMessages(ageSeconds: number, limit: number): Promise<number> {
  // The time in the ID finds old messages without another index.
  return removeEnded(
    sql`id < 'msg_' || id_time((unix_now() - ${ageSeconds}::bigint) * 1000000)`,
    ageSeconds,
    limit,
  );
}

/** Makes the function that deletes up to `limit` messages of this origin that finished long ago. */
export function removeOldOf(origin: Origin): (limit: number) => Promise<number> {
  return (limit) => removeEnded(sql`${raw(origin)} IS NOT NULL`, ENDED_RETENTION_SECONDS, limit);
}

/** Deletes these messages if they have finished and belong to a forward. */
export async function removeEndedForwards(ids: string[]): Promise<void> {
  await query(sql`
    DELETE FROM scheduled_messages
    WHERE id = ANY (${ids}) AND webhook_endpoint_id IS NOT NULL AND ${HAS_ENDED}`);
}

async function removeEnded(which: Sql, ageSeconds: number, limit: number): Promise<number> {
  // (a) Concurrent sweeps skip each other's rows.
  const removed = await query(sql`
    WITH removed AS (
      DELETE FROM scheduled_messages AS message WHERE id IN (
        SELECT id FROM scheduled_messages
        WHERE ${which} AND ${HAS_ENDED} AND updated_at < unix_now() - ${ageSeconds}::bigint
        LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING id, organization_id, ${IS_STANDALONE} AS is_standalone
    ), recorded AS (
      ${recordChanges("messages", "deleted", sql`(SELECT * FROM removed WHERE is_standalone)`, null)}
    )
    SELECT id FROM removed`);
  return removed.length;
}
