import type { Caller } from "@/lib/caller";
import { query, sql } from "@/lib/db/sql";
import { type List, wantsTotal } from "@/lib/http/list";
import { findEndpoint } from "@/lib/webhooks/service";
import { type EventFilter, isSearch, matchingWithinBudget } from "./filter";
import { countEvents } from "./pages";
import { newestEvent } from "./watch";

/** Enough of a body, path or query to recognize a request. */
const START_BYTES = 400;

/** What a list shows of an event. */
export interface EventLine {
  id: string;
  method: string;
  path: string;
  query_string: string;
  /** The start of the body; null if it is not text. */
  start: string | null;
  size_bytes: number;
  received_at: number;
  verified: boolean | null;
  forward_status: "held" | "forwarded" | "skipped" | "failed" | null;
}

export interface EventLines extends List<EventLine> {
  /** How many of the newest events an unfinished search has covered. */
  searched?: number;
}

/**
 * The events of an endpoint, newest first, without their contents, so that body size does not
 * matter.
 */
export async function lines(
  caller: Caller,
  id: string,
  filter: EventFilter & { limit: number; include?: string },
): Promise<EventLines> {
  const endpoint = await findEndpoint(caller, id);
  const { matches, stop } = await matchingWithinBudget(endpoint, filter);
  const rows = await query<Omit<EventLine, "start"> & { start: Buffer }>(sql`
    SELECT id, method, left(path, ${START_BYTES}::integer) AS path,
           left(query_string, ${START_BYTES}::integer) AS query_string,
           substring(body FROM 1 FOR ${START_BYTES}::integer) AS start, size_bytes, received_at,
           verified, forward_status
    FROM webhook_events WHERE ${matches} ORDER BY id DESC LIMIT ${filter.limit + 1}`);
  const data = rows
    .slice(0, filter.limit)
    .map((row) => ({ ...row, start: startOfText(row.start) }));
  const next = rows.length > data.length ? data.at(-1)?.id : stop;
  const isAll = filter.method === undefined && !isSearch(filter);
  const total = wantsTotal(filter)
    ? isAll
      ? endpoint.event_count
      : await countEvents(endpoint, filter)
    : undefined;
  return {
    object: "list",
    data,
    has_more: next !== undefined,
    next_cursor: next ?? null,
    ...(total !== undefined && { total_count: total }),
    ...(isSearch(filter) && next !== undefined && { searched: await countUpTo(endpoint, next) }),
  };
}

export interface NewerLines extends EventLines {
  /** The event up to which all are known; the `since` of the next read. */
  reached: string;
}

/** The events after `since`, newest first: the last ones when there are more than `limit`. */
export async function newerLines(
  caller: Caller,
  id: string,
  filter: EventFilter & { since: string; limit: number; include?: string },
): Promise<NewerLines> {
  // Read first, so that no event is skipped.
  const newest = await newestEvent((await findEndpoint(caller, id)).id);
  const list = await lines(caller, id, filter);
  const isUnfinished = list.has_more && list.data.length < filter.limit;
  return { ...list, reached: (isUnfinished && list.next_cursor) || newest };
}

/** The number of events from the newest to this one. */
async function countUpTo(endpoint: { id: string }, eventId: string): Promise<number> {
  return 1 + ((await countEvents(endpoint, { since: eventId })) ?? 0);
}

/** The last character may be cut off; a streaming decoder ignores the incomplete rest. */
function startOfText(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
