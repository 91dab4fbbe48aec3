import { join, queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { hasHeader } from "@/lib/platform/http/header-search";

/** The bytes that one page searches for `q` or `header`. The next page continues from there. */
export const SEARCH_BYTES_MAX = 16_000_000;

export interface EventFilter {
  after?: string | undefined;
  since?: string | undefined;
  method?: string | undefined;
  q?: string | undefined;
  header?: string | undefined;
}

/** Whether the contents of events are searched, which takes long. */
export function isSearch({ q, header }: EventFilter): boolean {
  return q !== undefined || header !== undefined;
}

/** Whether a read of matching events takes a turn: it is a search, or filters by what no index serves. */
export function takesTurn(filter: EventFilter): boolean {
  return filter.method !== undefined || isSearch(filter);
}

/** An endpoint, as read when the caller's access was checked. */
export interface Endpoint {
  id: string;
  organization_id: string | null;
}

/**
 * The SQL for the position after which an endpoint has events. NULL, so that no event is found, if
 * the endpoint was claimed after `endpoint` was read: its events are no longer the caller's.
 */
export function startOfEvents({ id, organization_id }: Endpoint): Sql {
  return sql`(SELECT e.gone_up_to FROM endpoint_state e
    WHERE e.endpoint_id = ${id} AND e.organization_id IS NOT DISTINCT FROM ${organization_id})`;
}

/** A SQL condition for the endpoint's events that match the filter. */
export function matching(endpoint: Endpoint, filter: EventFilter): Sql {
  const { after, since, method, q, header } = filter;
  const conditions = [sql`endpoint_id = ${endpoint.id}`, sql`id > ${startOfEvents(endpoint)}`];
  if (since !== undefined) conditions.push(sql`id > ${since}`);
  if (after !== undefined)
    conditions.push(since === undefined ? sql`id < ${after}` : sql`id > ${after}`);
  if (method !== undefined) conditions.push(sql`method = ${method}`);
  if (q !== undefined) {
    // Compares bytes, so that binary bodies are searched as well.
    conditions.push(sql`(position(${Buffer.from(q)}::bytea IN body) > 0
      OR position(${q}::text IN path) > 0 OR position(${q}::text IN query_string) > 0)`);
  }
  if (header !== undefined) conditions.push(hasHeader(sql`headers`, header));
  return join(conditions, " AND ");
}

/** Newest first; with `since` oldest first. */
export function directionOf({ since }: EventFilter): Sql {
  return since === undefined ? sql`DESC` : sql`ASC`;
}

/**
 * Like `matching`, but a search stops after `SEARCH_BYTES_MAX`. `stop` is the last event searched,
 * after which the next page starts; undefined if all were searched.
 */
export async function matchingWithinBudget(
  endpoint: Endpoint,
  filter: EventFilter,
): Promise<{ matches: Sql; stop: string | undefined }> {
  const matches = matching(endpoint, filter);
  if (!isSearch(filter)) return { matches, stop: undefined };
  const stop = await endOfEventSearch(endpoint, filter);
  if (stop === undefined) return { matches, stop };
  const reached = filter.since === undefined ? sql`id >= ${stop}` : sql`id <= ${stop}`;
  return { matches: sql`${matches} AND ${reached}`, stop };
}

async function endOfEventSearch(
  endpoint: Endpoint,
  filter: EventFilter,
): Promise<string | undefined> {
  const searched = [
    filter.q === undefined
      ? []
      : [sql`octet_length(body) + octet_length(path) + octet_length(query_string)`],
    filter.header === undefined ? [] : [sql`octet_length(headers)`],
  ].flat();
  const all = { ...filter, q: undefined, header: undefined };
  const row = await queryOne<{ last: string }>(sql`
    SELECT last FROM (
      SELECT lag(id) OVER upto AS last, sum(${join(searched, " + ")}) OVER (
               upto ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM webhook_events WHERE ${matching(endpoint, all)}
      WINDOW upto AS (ORDER BY id ${directionOf(filter)})
    ) AS measured
    WHERE bytes_before > ${SEARCH_BYTES_MAX} ORDER BY bytes_before LIMIT 1`);
  return row?.last;
}
