import { join, query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { page } from "@/lib/http/list";
import type { WebhookEvent } from "./contract";
import { type EventRow, serializeEvent } from "./serialize";

/** Stored bytes that one page reads, so that a hundred large bodies are not fetched to be cut off. */
const PAGE_BYTES_MAX = 4_000_000;
/** Stored bytes that one page searches for `q`; the next page goes on from there. */
const SEARCH_BYTES_MAX = 16_000_000;

export interface EventFilter {
  after?: string | undefined;
  since?: string | undefined;
  method?: string | undefined;
  q?: string | undefined;
}

export interface EventPage {
  events: WebhookEvent[];
  /** The event after which the next page begins; null: there is none. */
  next: string | null;
}

interface Endpoint {
  id: string;
  organization_id: string | null;
}

/**
 * One page of an endpoint's events: newest first, with `since` oldest first. What it reads is
 * bounded in bytes, so a page may hold fewer events than `limit`, or with `q` none, and have a next.
 */
export async function readPage(
  endpoint: Endpoint,
  filter: EventFilter & { limit: number },
): Promise<EventPage> {
  const direction = filter.since === undefined ? sql`DESC` : sql`ASC`;
  const stop = filter.q === undefined ? undefined : await endOfSearch(endpoint, filter, direction);
  const reached =
    stop === undefined
      ? sql``
      : filter.since === undefined
        ? sql`AND id >= ${stop}`
        : sql`AND id <= ${stop}`;
  const rows = await query<EventRow & { found: number }>(sql`
    SELECT id, method, path, query_string, headers, body, size_bytes, source_ip, received_at, found
    FROM (
      SELECT found.*, count(*) OVER () AS found,
             row_number() OVER upto AS place,
             sum(octet_length(body) + octet_length(headers)) OVER upto AS bytes
      FROM (SELECT * FROM webhook_events
            WHERE ${matching(endpoint, filter)} ${reached}
            ORDER BY id ${direction} LIMIT ${filter.limit + 1}) AS found
      WINDOW upto AS (ORDER BY id ${direction})
    ) AS measured
    WHERE place = 1 OR bytes <= ${PAGE_BYTES_MAX}
    ORDER BY place`);
  const events = rows.map((row) => serializeEvent(row, endpoint));
  const shown = page(events, { limit: filter.limit }).data;
  const found = rows[0]?.found ?? 0;
  if (found > shown.length) return { events: shown, next: shown.at(-1)?.id ?? null };
  return { events: shown, next: stop ?? null };
}

/** How many events match. Not known where the bodies would have to be searched: they may be many gigabytes. */
export async function countEvents(
  endpoint: Endpoint,
  { since, method, q }: EventFilter,
): Promise<number | undefined> {
  if (q !== undefined) return undefined;
  const row = await queryOne<{ count: number }>(
    sql`SELECT count(*) FROM webhook_events WHERE ${matching(endpoint, { since, method })}`,
  );
  return row?.count;
}

function matching(endpoint: Endpoint, filter: EventFilter): Statement {
  const { after, since, method, q } = filter;
  const conditions = [
    sql`endpoint_id = ${endpoint.id}`,
    sql`id > (SELECT gone_up_to FROM webhook_endpoints WHERE id = ${endpoint.id})`,
  ];
  if (since !== undefined) conditions.push(sql`id > ${since}`);
  if (after !== undefined)
    conditions.push(since === undefined ? sql`id < ${after}` : sql`id > ${after}`);
  if (method !== undefined) conditions.push(sql`method = ${method}`);
  if (q !== undefined) {
    // Bytes are compared, so a body that is no text is searched like any other.
    conditions.push(sql`(position(${Buffer.from(q)}::bytea IN body) > 0
      OR position(${q}::text IN path) > 0 OR position(${q}::text IN query_string) > 0)`);
  }
  return join(conditions, " AND ");
}

/** The last event that a search may look at; undefined: it may look at all. */
async function endOfSearch(
  endpoint: Endpoint,
  filter: EventFilter,
  direction: Statement,
): Promise<string | undefined> {
  const row = await queryOne<{ last: string }>(sql`
    SELECT last FROM (
      SELECT lag(id) OVER upto AS last, sum(octet_length(body)) OVER (
               upto ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM webhook_events WHERE ${matching(endpoint, { ...filter, q: undefined })}
      WINDOW upto AS (ORDER BY id ${direction})
    ) AS measured
    WHERE bytes_before > ${SEARCH_BYTES_MAX} ORDER BY bytes_before LIMIT 1`);
  return row?.last;
}
