import { contains } from "@/lib/platform/db/like";
import { queryShownOne } from "@/lib/platform/db/replica";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { hasHeader } from "@/lib/platform/http/header-search";

/**
 * The maximum number of events that one page of a search reads. The next page continues from there.
 */
const SEARCH_EVENTS_MAX = 2000;
const SEARCH_BYTES_MAX = 16_000_000;

/**
 * The condition that the body, a header, the query string or an ID of the row `event` contains the
 * words.
 */
export function hasWords(words: string): Sql {
  const texts = contains([sql`event.id`, sql`event.dedup_id`, sql`event.query_string`], words);
  // Compares bytes, so that binary bodies are searched as well.
  return sql`(${texts} OR position(${Buffer.from(words)}::bytea IN event.body) > 0
    OR ${hasHeader(sql`event.headers`, words)})`;
}

/** The last of these events that one page of a search reads; undefined if it reads all of them. */
export async function endOfSearch(matching: Sql): Promise<string | undefined> {
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
