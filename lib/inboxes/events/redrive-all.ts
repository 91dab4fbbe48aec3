import { assertAccess, mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { announcement } from "@/lib/db/announcements";
import { queryOne, sql } from "@/lib/db/sql";
import { notFound } from "@/lib/errors";
import { findInbox } from "@/lib/inboxes/service";
import { REDRIVE_MAX, type Redriven } from "./contract";
import { lapse } from "./expire";
import { inboxFull, isDuplicate } from "./ingest";
import { ALIVE, DEAD } from "./state";
import { topicOf } from "./waiting";

/**
 * Makes the oldest dead events of an inbox ready again, `limit` at most and as many as there is room
 * for. Throws 404, 403, and 429 `inbox_full` when there is room for none.
 */
export async function redriveDead(
  caller: Caller,
  inboxId: string,
  limit = REDRIVE_MAX,
): Promise<Redriven> {
  await findInbox(caller, inboxId);
  // What has lapsed holds neither room nor a `dedup_id` any longer.
  while ((await lapse(inboxId)) > 0);
  const row = await reviveBatch(caller, inboxId, limit).catch(async (error: unknown) => {
    // An event with the same `dedup_id` arrived meanwhile: the second look sees it.
    if (!isDuplicate(error)) throw error;
    return reviveBatch(caller, inboxId, limit);
  });
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.owner);
  if (row.revived === 0 && row.found > 0) throw inboxFull();
  return {
    object: "inbox_redrive_result",
    redriven: row.revived,
    remaining: row.dead - row.revived,
  };
}

/** The same for all of them. Throws 429 when there is no room for some: the others are ready then. */
export async function redriveAll(caller: Caller, inboxId: string): Promise<void> {
  for (;;) {
    const { redriven, remaining } = await redriveDead(caller, inboxId);
    if (remaining === 0) return;
    if (redriven < REDRIVE_MAX) throw inboxFull();
  }
}

function reviveBatch(caller: Caller, inboxId: string, limit: number) {
  return queryOne<{ owner: string | null; dead: number; found: number; revived: number }>(sql`
    WITH inbox AS (
      -- Whoever locks both locks the inbox first: no deadlock.
      SELECT organization_id, ${mayReach(caller)} AS reachable, max_events - occupied AS room,
             awaited_until > now() AS is_awaited
      FROM inboxes WHERE id = ${inboxId} FOR NO KEY UPDATE
    ), found AS (
      SELECT event.id, event.visible_at < 'infinity' AS counted, event.dedup_id
      FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND ${ALIVE} AND ${DEAD}
        AND (SELECT reachable FROM inbox)
      ORDER BY event.id LIMIT ${limit}
      FOR UPDATE
    ), chosen AS (
      SELECT id, counted, row_number() OVER (PARTITION BY dedup_id ORDER BY id) AS turn,
             count(*) FILTER (WHERE NOT counted) OVER (ORDER BY id) AS place
      FROM found
    ), revived AS (
      UPDATE inbox_events AS event SET
        visible_at = now(), lapses_at = to_timestamp(expires_at), delivery_count = 0,
        lease_id = NULL, dedup_key = CASE WHEN chosen.turn = 1 AND NOT EXISTS (
          SELECT FROM inbox_events AS other
          WHERE other.inbox_id = ${inboxId} AND other.dedup_key = event.dedup_id
        ) THEN event.dedup_id END
      FROM chosen CROSS JOIN inbox
      WHERE event.inbox_id = ${inboxId} AND event.id = chosen.id
        AND (chosen.counted OR chosen.place <= inbox.room)
      RETURNING chosen.counted
    ), totals AS (
      SELECT count(*) AS revived, count(*) FILTER (WHERE NOT counted) AS entered FROM revived
    ), counted AS (
      UPDATE inboxes SET occupied = occupied + totals.entered, active_at = unix_now()
      FROM totals WHERE inboxes.id = ${inboxId} AND totals.revived > 0
    )
    SELECT inbox.organization_id AS owner, (SELECT count(*) FROM found) AS found, totals.revived,
           (SELECT count(*) FROM inbox_events AS event
            WHERE event.inbox_id = ${inboxId} AND ${ALIVE} AND ${DEAD}) AS dead,
           CASE WHEN inbox.is_awaited AND totals.revived > 0
                THEN ${announcement(topicOf(inboxId))}::text END
    FROM inbox CROSS JOIN totals`);
}
