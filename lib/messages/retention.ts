import { query, sql } from "@/lib/db/sql";
import { recordChanges } from "@/lib/resources/change";
import { IS_OF_ITSELF } from "./lease";

/**
 * Deletes up to `limit` messages that ended that long ago, with their attempts, and returns their
 * number.
 */
export async function removeFinishedMessages(ageSeconds: number, limit: number): Promise<number> {
  // The time in the ID limits the search to old messages without a further index.
  const removed = await query(sql`
    WITH removed AS (
      DELETE FROM scheduled_messages AS message WHERE id IN (
        SELECT id FROM scheduled_messages
        WHERE id < 'msg_' || id_time((unix_now() - ${ageSeconds}::bigint) * 1000000)
          AND due_at IS NULL AND updated_at < unix_now() - ${ageSeconds}::bigint
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING id, organization_id, ${IS_OF_ITSELF} AS is_of_itself
    ), recorded AS (
      ${recordChanges("messages", "deleted", sql`(SELECT * FROM removed WHERE is_of_itself)`, null)}
    )
    SELECT id FROM removed`);
  return removed.length;
}
