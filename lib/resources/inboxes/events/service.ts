import { assertAccess, mayReach, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull } from "@/lib/platform/db/columns";
import { contains } from "@/lib/platform/db/like";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import {
  afterCommit,
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { hasHeader } from "@/lib/platform/http/header-search";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import { QUERY_WEIGHT } from "@/lib/platform/http/recorded-query";
import { type List, page, rowsToRead, wantsTotal } from "@/lib/platform/lists/list";
import { mapInTurns } from "@/lib/platform/loop-turns";
import { inboxKind } from "@/lib/resources/inboxes/kind";
import { findInbox } from "@/lib/resources/inboxes/service";
import { hasMany } from "@/lib/resources/remove-in-turns";
import { RUN_COLUMNS, type RunColumns } from "@/lib/resources/run-headers";
import type { EventListQuery, EventState, InboxEvent } from "./contract";
import { moveHeldEventsSoon } from "./move-held-events";
import { removeMany } from "./remove-many";
import { serializeEvent } from "./serialize";
import { ALIVE, EVENT_COLUMNS, type EventRow, inState } from "./state";

/** The total size of bodies and weight of queries per page, unless there is a single event. */
const PAGE_WEIGHT_MAX = 4_000_000;

/**
 * The events of an inbox, oldest first. With `words`, only those whose body, headers, query string
 * or IDs contain them. Throws 404 and 403.
 */
export async function list(
  caller: Caller,
  inboxId: string,
  listQuery: EventListQuery,
  words?: string,
): Promise<List<InboxEvent>> {
  await findInbox(caller, inboxId);
  const matching = sql`event.inbox_id = ${inboxId} AND ${ALIVE} ${inState(listQuery.state)}`;
  const position = listQuery.after === undefined ? sql`` : sql`AND event.id > ${listQuery.after}`;
  const stop = words === undefined ? undefined : await endOfSearch(sql`${matching} ${position}`);
  const searched =
    words === undefined
      ? sql``
      : sql`${stop === undefined ? sql`` : sql`AND event.id <= ${stop}`} AND ${hasWords(words)}`;
  const [rows, total] = await Promise.all([
    queryShown<EventRow & { found: number }>(sql`
      WITH candidate AS (
        SELECT event.id, event.size_bytes + ${QUERY_WEIGHT} AS weight
        FROM inbox_events AS event WHERE ${matching} ${position} ${searched}
        ORDER BY event.id LIMIT ${rowsToRead(listQuery)}
      ), chosen AS (
        SELECT id, count(*) OVER () AS found, row_number() OVER oldest AS place,
               sum(weight) OVER oldest AS upto
        FROM candidate WINDOW oldest AS (ORDER BY id)
      )
      SELECT ${EVENT_COLUMNS}, found FROM chosen
      JOIN inbox_events AS event ON event.inbox_id = ${inboxId} AND event.id = chosen.id
      JOIN inbox_state AS inbox ON inbox.inbox_id = event.inbox_id
      WHERE (place = 1 OR upto <= ${PAGE_WEIGHT_MAX}) AND ${mayReach(caller)}
      ORDER BY event.id`),
    wantsTotal(listQuery) && words === undefined
      ? queryShownOne<{ count: number }>(
          sql`SELECT count(*) FROM inbox_events AS event WHERE ${matching}`,
        )
      : undefined,
  ]);
  const events = await mapInTurns(rows, serializeEvent);
  const found = page(events, listQuery, total?.count, rows[0]?.found);
  if (stop === undefined || found.has_more) return found;
  return { ...found, has_more: true, next_cursor: stop };
}

/** An event, with the schedule that created it. Throws 404 and 403. */
export async function getWithRun(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<{ event: InboxEvent; run: RunColumns; queryString: string }> {
  const row = await find(caller, inboxId, eventId);
  return { event: serializeEvent(row), run: row, queryString: row.query_string };
}

/** The raw body of an event, and what its sender said of it. Throws 404 and 403. */
export async function readBody(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<{ bytes: Buffer; contentType: string | null; headers: InboxEvent["headers"] }> {
  const row = await find(caller, inboxId, eventId);
  const { headers } = readHeaders(row.headers);
  return { bytes: row.body, contentType: row.content_type, headers };
}

/**
 * Deletes an event in any state, without a lease. Throws 404, 403, and 412 when the precondition
 * fails.
 */
export async function remove(
  caller: Caller,
  inboxId: string,
  eventId: string,
  precondition?: Precondition,
): Promise<void> {
  const removed = await (precondition
    ? transaction(async (db) => {
        // (a) A receiver does not lock the inbox.
        await query(sql`SELECT FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE`, db);
        await query(
          sql`SELECT FROM inbox_events WHERE inbox_id = ${inboxId} AND id = ${eventId} FOR UPDATE`,
          db,
        );
        precondition(serializeEvent(await find(caller, inboxId, eventId, db)));
        return removeEvents(caller, inboxId, { eventId }, db);
      })
    : removeEvents(caller, inboxId, { eventId }));
  if (removed === 0) throw notFound("event of this inbox", eventId);
}

/** Deletes the events in one state, or all events and replies. Throws 404 and 403. */
export async function purge(caller: Caller, inboxId: string, state?: EventState): Promise<void> {
  if (await hasMany(inboxKind, inboxId)) {
    await findInbox(caller, inboxId);
    await removeMany(caller, inboxId, { state });
  }
  await removeEvents(caller, inboxId, { state });
}

/** Returns how many were deleted. */
async function removeEvents(
  caller: Caller,
  inboxId: string,
  { eventId, state }: { eventId?: string; state?: EventState | undefined },
  db?: Transaction,
): Promise<number> {
  const row = await queryOne<{
    owner: string | null;
    is_awaited_by_forwards: boolean;
    removed: number;
  }>(
    sql`SELECT * FROM remove_events(
          ${inboxId}, ${organizationOf(caller)}, ${eventId ?? null}, ${state ?? null})`,
    db,
  );
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.owner);
  if (row.is_awaited_by_forwards) afterCommit(db, () => moveHeldEventsSoon(inboxId));
  return row.removed;
}

async function find(
  caller: Caller,
  inboxId: string,
  eventId: string,
  db?: Transaction,
): Promise<EventRow & RunColumns> {
  const row = await queryOne<OrNull<EventRow & RunColumns> & { owner: string | null }>(
    sql`
    SELECT inbox.organization_id AS owner, ${RUN_COLUMNS}, ${EVENT_COLUMNS}
    FROM inbox_state AS inbox LEFT JOIN inbox_events AS event
      ON event.inbox_id = inbox.inbox_id AND event.id = ${eventId} AND ${ALIVE}
    WHERE inbox.inbox_id = ${inboxId}`,
    db,
  );
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.owner);
  if (row.id === null) throw notFound("event of this inbox", eventId);
  return row;
}

/**
 * The maximum number of events that one page of a search reads. The next page continues from there.
 */
const SEARCH_EVENTS_MAX = 2000;
const SEARCH_BYTES_MAX = 16_000_000;

/**
 * The condition that the body, a header, the query string or an ID of the row `event` contains the
 * words.
 */
function hasWords(words: string): Sql {
  const texts = contains([sql`event.id`, sql`event.dedup_id`, sql`event.query_string`], words);
  // Compares bytes, so that binary bodies are searched as well.
  return sql`(${texts} OR position(${Buffer.from(words)}::bytea IN event.body) > 0
    OR ${hasHeader(sql`event.headers`, words)})`;
}

/** The last of these events that one page of a search reads; undefined if it reads all of them. */
async function endOfSearch(matching: Sql): Promise<string | undefined> {
  const row = await queryShownOne<{ last: string }>(sql`
    SELECT last FROM (
      SELECT lag(id) OVER upto AS last, row_number() OVER upto AS place,
             sum(bytes) OVER (upto ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT event.id, event.size_bytes + octet_length(event.headers)
                             + octet_length(event.query_string) AS bytes
            FROM inbox_events AS event WHERE ${matching}
            ORDER BY event.id LIMIT ${SEARCH_EVENTS_MAX + 1}) AS first
      WINDOW upto AS (ORDER BY id)
    ) AS measured
    WHERE place > ${SEARCH_EVENTS_MAX} OR bytes_before > ${SEARCH_BYTES_MAX}
    ORDER BY place LIMIT 1`);
  return row?.last;
}
