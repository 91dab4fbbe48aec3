import { assertAccess } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { LARGE_ROWS_MAX, removeLarge } from "@/lib/platform/db/remove-rows";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { turnsOfChanges } from "@/lib/resources/remove-in-turns";
import type { EventState } from "./contract";
import { expire } from "./expire";
import { ALIVE, inState } from "./state";

/**
 * Deletes the events of an inbox in one state, or all events and replies, in many short transactions. The few
 * that arrive before it ends are left to the caller's statement. `begin` runs in the first one. Throws 403.
 */
export async function removeMany(
  caller: Caller,
  inboxId: string,
  { state, begin }: { state?: EventState; begin?: (db: Transaction) => Promise<void> },
): Promise<void> {
  const inTurn = turnsOfChanges(caller);
  if (state === undefined) await removeLarge((most) => inTurn(() => expire(inboxId, most)));
  let beginning = begin;
  const tables = state === undefined ? [removeEvents, removeReplies] : [removeEvents];
  for (const removeSome of tables) {
    // By position: a search from the start would step over the index entries of all that are gone.
    for (let after: string | undefined = ""; after !== undefined; ) {
      const range: Range = { inboxId, state, after };
      after = await inTurn(() =>
        transaction(async (db) => {
          await beginning?.(db);
          return removeNext(caller, range, removeSome, db);
        }),
      );
      beginning = undefined;
    }
  }
}

interface Range {
  inboxId: string;
  state: EventState | undefined;
  after: string;
}

type RemoveSome = (range: Range, db: Transaction, owner: string | null) => Promise<string[]>;

/** Returns where the next transaction continues; undefined at the end. */
async function removeNext(
  caller: Caller,
  range: Range,
  removeSome: RemoveSome,
  db: Transaction,
): Promise<string | undefined> {
  // (a) Every writer that deletes several rows of an inbox takes this lock first.
  const inbox = await queryOne<{ owner: string | null }>(
    sql`SELECT organization_id AS owner FROM inbox_state
        WHERE inbox_id = ${range.inboxId} FOR NO KEY UPDATE`,
    db,
  );
  if (!inbox) return undefined;
  assertAccess(caller, inbox.owner);
  const ids = await removeSome(range, db, inbox.owner);
  return ids.length < LARGE_ROWS_MAX ? undefined : ids.at(-1);
}

async function removeEvents(
  { inboxId, state, after }: Range,
  db: Transaction,
  owner: string | null,
): Promise<string[]> {
  const found = await query<{ id: string }>(
    sql`SELECT event.id FROM inbox_events AS event
        WHERE event.inbox_id = ${inboxId} AND event.id > ${after} AND ${ALIVE} ${inState(state)}
        ORDER BY event.id LIMIT ${LARGE_ROWS_MAX} FOR UPDATE`,
    db,
  );
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  const gone = await queryOne<{ removed: number; freed: number }>(
    sql`SELECT cardinality(deleted_ids) AS removed, freed
        FROM delete_inbox_events(${inboxId}, ${owner}, ${ids}, NULL, 'deleted', now())`,
    db,
  );
  await query(
    sql`UPDATE inbox_state SET occupied = occupied - ${gone?.freed ?? 0},
          purged = purged + ${gone?.removed ?? 0}, active_at = unix_now()
        WHERE inbox_id = ${inboxId}`,
    db,
  );
  return ids;
}

async function removeReplies({ inboxId, after }: Range, db: Transaction): Promise<string[]> {
  const found = await query<{ id: string }>(
    sql`SELECT event_id AS id FROM inbox_replies WHERE inbox_id = ${inboxId} AND event_id > ${after}
        ORDER BY event_id LIMIT ${LARGE_ROWS_MAX}`,
    db,
  );
  const ids = found.map(({ id }) => id);
  await query(
    sql`DELETE FROM inbox_replies WHERE inbox_id = ${inboxId} AND event_id = ANY (${ids})`,
    db,
  );
  return ids;
}
