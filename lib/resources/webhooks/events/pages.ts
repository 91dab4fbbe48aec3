import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { QUERY_WEIGHT } from "@/lib/platform/http/recorded-query";
import { PAGE_BYTES_MAX, page } from "@/lib/platform/lists/list";
import { mapInTurns } from "@/lib/platform/loop-turns";
import type { WebhookEvent } from "./contract";
import {
  directionOf,
  type Endpoint,
  type EventFilter,
  isSearch,
  matching,
  matchingWithinBudget,
  startOfEvents,
} from "./filter";
import { type EventRow, eventColumns, serializeEvent } from "./serialize";

export interface EventPage {
  events: WebhookEvent[];
  /** The event after which the next page starts; null on the last page. */
  next: string | null;
  /** The position up to which events had been removed. Undefined on an empty page. */
  start?: string | undefined;
}

/**
 * One page of an endpoint's events, newest first or, with `since`, oldest first. Reads are bounded
 * in bytes, so a page may have fewer events than `limit`, or none in a search, and still have a
 * next page.
 */
export async function readPage(
  endpoint: Endpoint,
  filter: EventFilter & { limit: number },
): Promise<EventPage> {
  const direction = directionOf(filter);
  const { matches, stop } = await matchingWithinBudget(endpoint, filter);
  const rows = await queryShown<EventRow & { found: number; start: string }>(sql`
    SELECT ${eventColumns(endpoint.id)}, found, ${startOfEvents(endpoint)} AS start
    FROM (
      SELECT found.*, count(*) OVER () AS found,
             row_number() OVER upto AS place,
             sum(octet_length(body) + octet_length(headers) + octet_length(path)
                 + ${QUERY_WEIGHT}) OVER upto AS bytes
      FROM (SELECT * FROM webhook_events
            WHERE ${matches}
            ORDER BY id ${direction} LIMIT ${filter.limit + 1}) AS found
      WINDOW upto AS (ORDER BY id ${direction})
    ) AS webhook_events
    WHERE place = 1 OR bytes <= ${PAGE_BYTES_MAX}
    ORDER BY place`);
  const events = await mapInTurns(rows, (row) => serializeEvent(row, endpoint));
  const shown = page(events, { limit: filter.limit }).data;
  const { found = 0, start } = rows[0] ?? {};
  if (found > shown.length) return { events: shown, next: shown.at(-1)?.id ?? null, start };
  return { events: shown, next: stop ?? null, start };
}

/** The number of matching events. Undefined for a search, which could read gigabytes. */
export async function countEvents(
  endpoint: Endpoint,
  filter: EventFilter,
): Promise<number | undefined> {
  if (isSearch(filter)) return undefined;
  const { since, method } = filter;
  const row = await queryShownOne<{ count: number }>(
    sql`SELECT count(*) FROM webhook_events WHERE ${matching(endpoint, { since, method })}`,
  );
  return row?.count;
}
