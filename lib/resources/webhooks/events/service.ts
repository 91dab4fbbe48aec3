import { credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import {
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { invalidParam, notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import { atOnce, type InTurn } from "@/lib/platform/limits/search-gate";
import { type List, wantsTotal } from "@/lib/platform/lists/list";
import { removeEndedForwards } from "@/lib/resources/messages/retention";
import { endpointId } from "@/lib/resources/webhooks/kind";
import { evictAll, findEndpoint, lockEvents } from "@/lib/resources/webhooks/service";
import { USED_NOW } from "@/lib/resources/webhooks/settings";
import type { WebhookEvent, WebhookEventListQuery } from "./contract";
import { type Endpoint, startOfEvents, takesTurn } from "./filter";
import { countEvents, readPage } from "./pages";
import { type EventRow, eventColumns, isTruncated, serializeEvent } from "./serialize";
import { trimLater } from "./trim";
import { waitForEvents } from "./wait";

/**
 * The events of an endpoint, newest first or, with `since`, newer ones, oldest first. With `wait`,
 * waits for one until the time is up.
 */
export async function list(
  caller: Caller,
  id: string,
  listQuery: WebhookEventListQuery,
  waiting: { signal: AbortSignal; inTurn: InTurn },
): Promise<List<WebhookEvent>> {
  const { since, wait = 0 } = listQuery;
  if (wait > 0 && since === undefined) {
    throw invalidParam("wait", '"wait" needs "since"; wev_0 is before all events.');
  }
  const endpoint = await findEndpoint(caller, id);
  const page =
    since !== undefined && wait > 0
      ? await waitForEvents(
          caller,
          id,
          { ...listQuery, since },
          {
            milliseconds: wait * 1000,
            credential: credentialOf(caller),
            signal: waiting.signal,
            inTurn: takesTurn(listQuery) ? waiting.inTurn : atOnce,
          },
        )
      : await readPage(endpoint, listQuery);
  const count = () => countEvents(endpoint, listQuery);
  // A poll waits without a turn; any other request that counts has one.
  const counted = wait > 0 ? () => waiting.inTurn(count) : count;
  const total = wantsTotal(listQuery) ? await counted() : undefined;
  return {
    object: "list",
    data: page.events,
    has_more: page.next !== null,
    next_cursor: page.next,
    ...(total !== undefined && { total_count: total }),
  };
}

/** Throws 404, or 403 when another organization owns the endpoint. */
export async function get(caller: Caller, id: string, eventId: string): Promise<WebhookEvent> {
  const endpoint = await findEndpoint(caller, id);
  return serializeEvent(await find(endpoint, eventId), endpoint);
}

/** An event with its raw body. Decoding a body for JSON takes ten times as long as reading it. */
type RawEvent = Pick<
  WebhookEvent,
  "id" | "endpoint_id" | "method" | "headers" | "body_truncated"
> & { bytes: Buffer };

/** An event with its raw body. Throws 404, or 403 when another organization owns it. */
export async function readEvent(caller: Caller, id: string, eventId: string): Promise<RawEvent> {
  const endpoint = await findEndpoint(caller, id);
  const row = await find(endpoint, eventId);
  return {
    id: row.id,
    endpoint_id: endpoint.id,
    method: row.method,
    headers: readHeaders(row.headers).headers,
    body_truncated: isTruncated(row),
    bytes: row.body,
  };
}

/** Throws 404 unless the endpoint has the event. */
export async function assertEvent(endpoint: Endpoint, eventId: string): Promise<void> {
  const row = await queryOne(sql`SELECT 1 FROM webhook_events WHERE ${isEvent(endpoint, eventId)}`);
  if (!row) throw notFound("webhook event", eventId);
}

/**
 * Deletes an event, and the message of its forward if that has ended. Throws 404, 403, and 412 when
 * the precondition fails.
 */
export async function remove(
  caller: Caller,
  id: string,
  eventId: string,
  precondition?: Precondition,
): Promise<void> {
  await transaction(async (db) => {
    const endpoint = await lockEvents(caller, endpointId(id), db);
    const row = await find(endpoint, eventId, db);
    precondition?.(serializeEvent(row, endpoint));
    await query(
      sql`WITH removed AS (
            DELETE FROM webhook_events WHERE endpoint_id = ${endpoint.id} AND id = ${eventId}
          )
          UPDATE endpoint_state SET event_count = event_count - 1, ${USED_NOW}
          WHERE endpoint_id = ${endpoint.id}`,
      db,
    );
    await removeEndedForwards([row.forwarded_id], endpoint.organization_id, db);
  });
}

/** Deletes all events of an endpoint, in constant time for the caller. */
export async function purge(caller: Caller, id: string): Promise<void> {
  const endpoint = endpointId(id);
  await evictAll(caller, endpoint);
  trimLater([endpoint]);
}

async function find(endpoint: Endpoint, eventId: string, db?: Transaction): Promise<EventRow> {
  const row = await queryOne<EventRow>(
    sql`SELECT ${eventColumns(endpoint.id)} FROM webhook_events WHERE ${isEvent(endpoint, eventId)}`,
    db,
  );
  if (!row) throw notFound("webhook event", eventId);
  return row;
}

function isEvent(endpoint: Endpoint, eventId: string): Sql {
  return sql`endpoint_id = ${endpoint.id} AND id = ${eventId}
    AND id > ${startOfEvents(endpoint)}`;
}
