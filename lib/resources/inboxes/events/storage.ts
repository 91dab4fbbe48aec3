import { waitUntil } from "@vercel/functions";
import { config } from "@/lib/platform/config/config";
import { together } from "@/lib/platform/db/commit";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { setBounded } from "@/lib/platform/set-bounded";
import { PART_BYTES } from "@/lib/resources/storage/stored-bytes-sum";

/** When senders to a full inbox should try again. */
export const RETRY_SECONDS = 5;
/** How many full inboxes a process remembers. */
const FULL_MAX = 10_000;

/** Until when public inboxes, by ID, are full according to a recount, by `performance.now()`. */
const fullUntil = new Map<string, number>();

/** Whether the inbox has fewer events than its maximum. */
export async function hasQuota(inboxId: string, db?: Transaction): Promise<boolean> {
  const open = sql`SELECT 1 FROM inbox_state WHERE inbox_id = ${inboxId} AND occupied < max_events`;
  return (await queryOne(open, db)) !== undefined;
}

/**
 * Returns whether `bytes` fit into the inbox. Recounts the stored bytes of a public inbox if
 * `bytes_used`, which ingests and nacks only raise, is too high; unless `again`, not soon after a
 * recount that found no room.
 */
export async function measure(
  inboxId: string,
  bytes: number,
  { db, again = true }: { db?: Transaction | undefined; again?: boolean } = {},
): Promise<boolean> {
  const usedMax = config().publicEventsMaxBytes - bytes;
  const isShort = sql`inbox_id = ${inboxId} AND organization_id IS NULL
    AND bytes_used > ${usedMax}::bigint`;
  if (!(await queryOne(sql`SELECT 1 FROM inbox_state WHERE ${isShort}`, db))) return true;
  if (!again && performance.now() < (fullUntil.get(inboxId) ?? 0)) return false;
  const recount = together(async (tx) => {
    // Locked in a separate statement, so that the sum sees earlier ingests.
    const locked = await queryOne(
      sql`SELECT 1 FROM inbox_state WHERE ${isShort} FOR NO KEY UPDATE`,
      tx,
    );
    if (!locked) return true;
    const measured = await queryOne<{ fits: boolean }>(
      sql`UPDATE inbox_state SET bytes_used = (
            -- The functions ingest_events and reply_to_event count alike.
            SELECT coalesce(sum(size_bytes + octet_length(headers) + octet_length(query_string)
                                + coalesce(octet_length(last_error), 0)
                                + ${PART_BYTES}::int), 0)
            FROM inbox_events WHERE inbox_id = ${inboxId}) + (
            SELECT coalesce(sum(size_bytes + ${PART_BYTES}::int), 0)
            FROM inbox_replies WHERE inbox_id = ${inboxId})
          WHERE inbox_id = ${inboxId} RETURNING bytes_used <= ${usedMax}::bigint AS fits`,
      tx,
    );
    return measured?.fits ?? false;
  });
  const fits = await recount(db);
  if (fits) fullUntil.delete(inboxId);
  else setBounded(fullUntil, inboxId, performance.now() + RETRY_SECONDS * 1000, FULL_MAX);
  return fits;
}

/**
 * Adds the bytes of errors to those of a public inbox, in the background. If it fails, the next recount
 * finds them.
 */
export function countErrorsSoon(inboxId: string, bytes: number): void {
  const counted = sql`UPDATE inbox_state SET bytes_used = bytes_used + ${bytes}::bigint
    WHERE inbox_id = ${inboxId}`;
  waitUntil(query(counted).catch(() => {}));
}
