import { config } from "@/lib/platform/config/config";
import { query, raw, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { recordChanges } from "@/lib/resources/change";
import { type Walked, walkRanges } from "@/lib/resources/walk";
import type { Origin } from "./enqueue";
import { messageKind } from "./kind";
import { IS_STANDALONE } from "./lease";

/** How long messages of a forward, subscription or replay are kept after they finish. */
export const ENDED_RETENTION_SECONDS = 7 * 86_400;
const SECONDS_PER_DAY = 86_400;
/** A message that a claim holds has not ended: its owner decides. */
const HAS_ENDED = sql`due_at IS NULL AND status <> 'scheduled'`;

/** Deletes about `limit` messages that finished `MESSAGE_RETENTION_DAYS` ago. */
export const removeFinishedMessages = walkRanges(
  "Finished messages could not be removed",
  // The time in the ID finds old messages without another index. Many of them may still be due.
  (after, limit) =>
    query(sql`
      SELECT id FROM scheduled_messages
      WHERE id > ${after} AND id < 'msg_' || id_time((unix_now() - ${keptSeconds()}::bigint) * 1000000)
      ORDER BY id LIMIT ${limit}`),
  (first, last, limit) => removeEnded(sql`id BETWEEN ${first} AND ${last}`, keptSeconds(), limit),
);

/**
 * Makes the function that deletes about `limit` messages of this origin that finished long ago, except those of the IDs
 * that `kept` selects.
 */
export function removeOldOf(
  origin: Origin,
  kept = sql`SELECT NULL WHERE false`,
): (limit: number) => Promise<Walked> {
  const ended = sql`${raw(origin)} IS NOT NULL AND due_at IS NULL`;
  return walkRanges(
    `Messages with a ${origin} could not be removed`,
    (after, limit) =>
      query(sql`
        SELECT updated_at::text AS id FROM scheduled_messages
        WHERE ${ended} AND updated_at > coalesce(nullif(${after}, '')::bigint, -1)
          AND updated_at < unix_now() - ${ENDED_RETENTION_SECONDS}::bigint
        ORDER BY updated_at LIMIT ${limit}`),
    (first, last, limit) => {
      const which = sql`${ended} AND updated_at BETWEEN ${first}::bigint AND ${last}::bigint
        AND ${raw(origin)} <> ALL (ARRAY(${kept}))`;
      return removeEnded(which, ENDED_RETENTION_SECONDS, limit);
    },
  );
}

function keptSeconds(): number {
  return config().messageRetentionDays * SECONDS_PER_DAY;
}

/**
 * Deletes the messages that these events were forwarded as, in the transaction that deletes the
 * events: those that have finished and have this owner, since each can be claimed alone.
 */
export async function removeEndedForwards(
  forwardedIds: (string | null)[],
  owner: string | null,
  db: Transaction,
): Promise<void> {
  const ids = forwardedIds.filter((id) => id?.startsWith(`${messageKind.prefix}_`));
  if (ids.length === 0) return;
  await query(
    sql`DELETE FROM scheduled_messages
        WHERE id = ANY (${ids}) AND webhook_endpoint_id IS NOT NULL AND ${HAS_ENDED}
          AND organization_id IS NOT DISTINCT FROM ${owner}`,
    db,
  );
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
