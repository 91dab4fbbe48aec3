import { assertAccess, mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED, unrecorded } from "@/lib/platform/db/commit";
import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { invalidParam, notFound } from "@/lib/platform/errors";
import { publish } from "@/lib/platform/wakeups/pubsub";
import { findInbox } from "@/lib/resources/inboxes/service";
import { REDRIVE_MAX, type Redriven } from "./consumer-contract";
import type { EventState, InboxEvent } from "./contract";
import { expire } from "./expire";
import { inboxFull } from "./ingest";
import { isDuplicate } from "./insert";
import { readyTopic } from "./ready-topic";
import { serializeEvent } from "./serialize";
import { ALIVE, DEAD, EVENT_COLUMNS, type EventRow, STATE } from "./state";

/**
 * Makes a dead event ready again and resets its delivery count. Throws 404, 403, 400 if it is not
 * dead, and 429 `inbox_full`.
 */
export async function redrive(
  caller: Caller,
  inboxId: string,
  eventId: string,
  commit: Commit = unrecorded,
): Promise<InboxEvent> {
  return redriveAfterExpiry(caller, inboxId, commit, async (db) => {
    const row = await redriveMatching<OrNull<EventRow> & { state_before: EventState | null }>(
      caller,
      inboxId,
      sql`event.id = ${eventId}`,
      sql`found.state AS state_before, revived.*
        FROM inbox LEFT JOIN found ON true LEFT JOIN revived ON true`,
      db,
    );
    if (row.id !== null) return serializeEvent(row);
    if (row.state_before === null) throw notFound("event of this inbox", eventId);
    if (row.state_before === "dead") throw inboxFull();
    throw invalidParam(
      "state",
      `Only a dead event can be redriven; this one is ${row.state_before}.`,
    );
  });
}

/**
 * Redrives the oldest dead events, at most `limit` and as many as the quota allows; without a
 * limit, all of them. Throws 404, 403, and 429 `inbox_full` if not even the first fits.
 */
export async function redriveDead(
  caller: Caller,
  inboxId: string,
  limit?: number,
  commit: Commit = unrecorded,
): Promise<Redriven> {
  let before = 0;
  for (;;) {
    const result = await redriveAfterExpiry(caller, inboxId, commit, async (db) => {
      const batch = await redriveOldest(caller, inboxId, limit ?? REDRIVE_MAX, db);
      const redriven = before + batch.revived;
      if (redriven === 0 && batch.found > 0) throw inboxFull();
      const remaining = batch.dead - batch.revived;
      if (limit === undefined && remaining > 0 && batch.revived === REDRIVE_MAX) {
        before = redriven;
        return UNRECORDED;
      }
      return { object: "inbox_redrive_result" as const, redriven, remaining };
    });
    if (result !== UNRECORDED) return result;
  }
}

function redriveOldest(
  caller: Caller,
  inboxId: string,
  limit: number,
  db: Transaction | undefined,
) {
  return redriveMatching<{ dead: number; found: number; revived: number }>(
    caller,
    inboxId,
    sql`${DEAD} ORDER BY event.id LIMIT ${limit}`,
    sql`totals.revived, (SELECT count(*) FROM found) AS found,
        (SELECT count(*) FROM inbox_events AS event
         WHERE event.inbox_id = ${inboxId} AND ${ALIVE} AND ${DEAD}) AS dead
        FROM inbox CROSS JOIN totals`,
    db,
  );
}

/** Commits a redrive after expired events have freed their quota and their `dedup_id`. */
async function redriveAfterExpiry<Result>(
  caller: Caller,
  inboxId: string,
  commit: Commit,
  write: (db?: Transaction) => Promise<Result>,
): Promise<Result> {
  await findInbox(caller, inboxId);
  while ((await expire(inboxId)) > 0);
  return commit(write).catch((error: unknown) => {
    // A new event with the same `dedup_id` has arrived; the retry sees it.
    if (!isDuplicate(error)) throw error;
    return commit(write);
  });
}

/**
 * Redrives the dead events matching `which`, as many as the quota allows. `selected` is the rest of
 * the final SELECT.
 */
async function redriveMatching<Row>(
  caller: Caller,
  inboxId: string,
  which: Sql,
  selected: Sql,
  db: Transaction | undefined,
) {
  const row = await queryOne<Row & { owner: string | null }>(
    sql`
    WITH inbox AS (
      -- Always lock the inbox before its events, to avoid deadlocks.
      SELECT organization_id, ${mayReach(caller)} AS reachable, max_events - occupied AS quota, ready_from,
             awaited_until > now() AS is_awaited
      FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE
    ), found AS (
      SELECT event.id, event.visible_at < 'infinity' AS counted, event.dedup_id, ${STATE} AS state
      FROM inbox_events AS event
      WHERE event.inbox_id = ${inboxId} AND ${ALIVE} AND (SELECT reachable FROM inbox) AND ${which}
      FOR UPDATE
    ), chosen AS (
      SELECT id, counted, row_number() OVER (PARTITION BY dedup_id ORDER BY id) AS turn,
             count(*) FILTER (WHERE NOT counted) OVER (ORDER BY id) AS place
      FROM found WHERE state = 'dead'
    ), picked AS (
      SELECT id, counted, turn FROM chosen CROSS JOIN inbox WHERE counted OR place <= quota
    ), revived AS (
      UPDATE inbox_events AS event SET
        visible_at = greatest(now(), inbox.ready_from), lapses_at = to_timestamp(expires_at), delivery_count = 0,
        lease_id = NULL, dedup_key = CASE WHEN event.id IN (SELECT id FROM picked WHERE turn = 1) AND NOT EXISTS (
          SELECT FROM inbox_events AS other
          WHERE other.inbox_id = ${inboxId} AND other.dedup_key = event.dedup_id
        ) THEN event.dedup_id END
      FROM inbox
      WHERE event.inbox_id = ${inboxId}
        AND event.id BETWEEN (SELECT min(id) FROM picked) AND (SELECT max(id) FROM picked)
        -- Neither a join nor an array: while Postgres believes the table to be small, it would
        -- compare each event with each of them.
        AND (event.id IN (SELECT id FROM picked)) IS TRUE
      RETURNING ${EVENT_COLUMNS}
    ), totals AS (
      SELECT (SELECT count(*) FROM revived) AS revived,
             (SELECT count(*) FROM picked WHERE NOT counted) AS entered
    ), counted AS (
      UPDATE inbox_state SET occupied = occupied + totals.entered, active_at = unix_now()
      FROM totals WHERE inbox_state.inbox_id = ${inboxId} AND totals.revived > 0
    )
    SELECT inbox.organization_id AS owner,
           CASE WHEN inbox.is_awaited AND EXISTS (SELECT FROM revived)
                THEN ${publish(readyTopic(inboxId))}::text END,
           ${selected}`,
    db,
  );
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.owner);
  return row;
}
