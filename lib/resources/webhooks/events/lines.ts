import { bodyPreview, PREVIEW_BYTES } from "@/lib/platform/bodies/preview";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";
import { type List, wantsTotal } from "@/lib/platform/lists/list";
import { mapInTurns } from "@/lib/platform/loop-turns";
import {
  FORWARDED_COLUMNS,
  type ForwardedRow,
  withDeliveries,
} from "@/lib/resources/webhooks/forward/deliveries";
import type { Forwarded } from "@/lib/resources/webhooks/forward/state";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import { type EventFilter, isSearch, matchingWithinBudget } from "./filter";
import { countEvents } from "./pages";
import { newestEvent } from "./wait";

/** Enough of a path or query to recognize a request. */
const START_CHARACTERS = 400;

/** An event, as shown in a list. */
export type EventLine = Forwarded &
  Row<
    "WebhookEvent",
    "id" | "method" | "path" | "query_string" | "size_bytes" | "received_at" | "verified"
  > & {
    /** A line that tells its body from others; empty without a body. */
    preview: string;
  };

/** What a row has besides its line. */
interface Read {
  start: Buffer;
  total: number;
}

type LineRow = Omit<EventLine, "preview" | "delivery"> & ForwardedRow & Read;

export interface EventLines extends List<EventLine> {
  /** The endpoint's newest event, or an ID before all events. Later ones are not listed. */
  newest: string;
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
  // Read before the rows, so that no event is skipped.
  const newest = await newestEvent(endpoint);
  const { matches, stop } = await matchingWithinBudget(endpoint, filter);
  const rows = await queryShown<LineRow>(sql`
    SELECT id, method, left(path, ${START_CHARACTERS}::integer) AS path,
           left(query_string, ${START_CHARACTERS}::integer) AS query_string,
           substring(body FROM 1 FOR ${PREVIEW_BYTES}::integer) AS start, size_bytes, received_at,
           verified, ${FORWARDED_COLUMNS},
           (SELECT event_count FROM endpoint_state WHERE endpoint_id = ${endpoint.id}) AS total
    FROM webhook_events WHERE ${matches} ORDER BY id DESC LIMIT ${filter.limit + 1}`);
  const shown = await withDeliveries(endpoint, rows.slice(0, filter.limit));
  const data = await withPreviews(shown);
  const next = rows.length > data.length ? data.at(-1)?.id : stop;
  const isAll = filter.method === undefined && !isSearch(filter);
  const total = wantsTotal(filter)
    ? ((isAll ? rows[0]?.total : undefined) ?? (await countEvents(endpoint, filter)))
    : undefined;
  const searched =
    isSearch(filter) && next !== undefined
      ? 1 + ((await countEvents(endpoint, { since: next })) ?? 0)
      : undefined;
  return {
    object: "list",
    newest,
    data,
    has_more: next !== undefined,
    next_cursor: next ?? null,
    ...(total !== undefined && { total_count: total }),
    ...(searched !== undefined && { searched }),
  };
}

/** The lines of these rows. A preview takes up to a tenth of a millisecond, and a list may have hundreds. */
export function withPreviews(
  rows: readonly (Omit<EventLine, "preview"> & Read)[],
): Promise<EventLine[]> {
  return mapInTurns(rows, ({ total: _, start, ...row }) => ({
    ...row,
    preview: row.size_bytes === 0 ? "" : bodyPreview(start),
  }));
}

/**
 * The events after `since`, newest first: at most the newest `limit` of them, with `has_more` if
 * there are others. The next read continues after `newest`.
 */
export async function newerLines(
  caller: Caller,
  id: string,
  filter: EventFilter & { since: string; limit: number; include?: string },
): Promise<EventLines> {
  const list = await lines(caller, id, filter);
  const isFull = list.data.length === filter.limit;
  // A search that has not reached the newest event yet.
  const newest = (!isFull && list.next_cursor) || list.newest;
  return { ...list, newest, has_more: isFull && list.has_more };
}
