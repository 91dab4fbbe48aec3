import { markForeignPage } from "@/lib/identity/sessions/foreign-origin";
import { anonymous } from "@/lib/platform/caller";
import { columns, columnsOf, type Row, type RowOf } from "@/lib/platform/db/columns";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import { FORWARDED_HEADER } from "@/lib/platform/http/relayed";
import { type Enqueued, enqueue, freeSlots } from "@/lib/resources/messages/enqueue";
import { capturedText } from "@/lib/resources/messages/text-request";
import { sendableHeaders, sendableMethod } from "@/lib/resources/webhooks/events/sendable";
import { inTurn, skipHeld } from "./holding-endpoints";

const EVENTS_PER_TRANSACTION = 100;
const BYTES_PER_TRANSACTION = 4_000_000;

const ENDPOINT_COLUMNS = columnsOf(
  "e",
  "WebhookEndpoint",
  "id, organization_id, claim_token_digest",
);
const FORWARD_COLUMNS = columnsOf("f", "WebhookForward", "public_only, by_creator, text_field");

type Target = RowOf<typeof ENDPOINT_COLUMNS> &
  RowOf<typeof FORWARD_COLUMNS> &
  Row<"EndpointState", "gone_up_to" | "obstacle"> &
  Row<"WebhookForward", "network"> & { url: string };

const EVENT_COLUMNS = columns("WebhookEvent", "id, method, headers, body");

type HeldEvent = RowOf<typeof EVENT_COLUMNS>;

/** Makes messages for the events that wait to be sent to the endpoint's URL, oldest first. */
export async function sendHeldEvents(endpointId: string): Promise<void> {
  while ((await sendSome(endpointId)) > 0);
}

/**
 * Does the same up to the given event, which has been pushed out of the endpoint, if those before it only wait for
 * their turn: a burst pushes events out faster than they are sent.
 */
export async function sendEvictedEvents(endpointId: string, last: string): Promise<void> {
  const waiting = sql`
    SELECT 1 FROM endpoint_state e JOIN webhook_events v
      ON v.endpoint_id = e.endpoint_id AND v.forward_status = 'held' AND v.id <= ${last}
    WHERE e.endpoint_id = ${endpointId} AND e.obstacle IS NULL LIMIT 1`;
  while ((await queryOne(waiting)) && (await sendSome(endpointId)) > 0);
}

/** Returns how many were sent. */
function sendSome(endpointId: string): Promise<number> {
  return inTurn(() => transaction((db) => sendNext(endpointId, db)));
}

async function sendNext(endpointId: string, db: Transaction): Promise<number> {
  // (a) Locked, so that no two processes send the same event. The forward is read afterwards, since a statement
  // that waits for the lock may read settings from before a change.
  await query(
    sql`SELECT 1 FROM webhook_endpoints e JOIN endpoint_state AS state ON state.endpoint_id = e.id
        WHERE e.id = ${endpointId} FOR NO KEY UPDATE OF e, state`,
    db,
  );
  const target = await queryOne<Target>(
    sql`SELECT ${ENDPOINT_COLUMNS}, ${FORWARD_COLUMNS}, coalesce(f.network, e.network) AS network, f.url,
               state.gone_up_to, state.obstacle
        FROM webhook_endpoints e JOIN webhook_forwards f ON f.endpoint_id = e.id
        JOIN endpoint_state AS state ON state.endpoint_id = e.id
        WHERE e.id = ${endpointId} AND f.url IS NOT NULL`,
    db,
  );
  if (!target) return 0;
  const origin = { id: endpointId, owner: target.organization_id };
  const slots = await freeSlots("webhook_endpoint_id", origin, db);
  if (target.obstacle !== null && slots > 0) {
    // Events that were evicted behind the obstacle are not forwarded.
    await skipHeld(endpointId, db, sql`id <= ${target.gone_up_to}`);
  }
  const events = await heldEvents(endpointId, Math.min(slots, EVENTS_PER_TRANSACTION), db);
  const obstacle = slots > 0 ? null : "too_many_pending";
  await query(
    sql`UPDATE endpoint_state SET obstacle = ${obstacle}
        WHERE endpoint_id = ${endpointId} AND obstacle IS DISTINCT FROM ${obstacle}`,
    db,
  );
  if (events.length === 0) return 0;
  const messageIds = await enqueue(
    events.map((event) => forwardOf(target, event)),
    db,
  );
  await query(
    sql`UPDATE webhook_events v SET forward_status = 'forwarded', forwarded_id = sent.message_id
        FROM unnest(${events.map(({ id }) => id)}::text[], ${messageIds}::text[])
          AS sent (event_id, message_id)
        WHERE v.endpoint_id = ${endpointId} AND v.id = sent.event_id`,
    db,
  );
  return events.length;
}

/** The oldest held events, also those that have been pushed out since. */
function heldEvents(endpointId: string, limit: number, db: Transaction): Promise<HeldEvent[]> {
  return query<HeldEvent>(
    sql`SELECT ${EVENT_COLUMNS} FROM (
          SELECT held.*, row_number() OVER upto AS place,
                 sum(octet_length(body) + octet_length(headers)) OVER upto AS bytes
          FROM (SELECT ${EVENT_COLUMNS} FROM webhook_events
                WHERE endpoint_id = ${endpointId} AND forward_status = 'held'
                ORDER BY id LIMIT ${limit}) AS held
          WINDOW upto AS (ORDER BY id)
        ) AS measured
        WHERE place = 1 OR bytes <= ${BYTES_PER_TRANSACTION} ORDER BY place`,
    db,
  );
}

function forwardOf(target: Target, event: HeldEvent): Enqueued {
  const recorded = readHeaders(event.headers).headers;
  const isForeign = markForeignPage(anonymous, recorded.origin ?? null).foreignPage !== undefined;
  return {
    webhook_endpoint_id: target.id,
    webhook_event_id: event.id,
    organization_id: target.organization_id,
    // The claim token of the endpoint then claims the message too.
    claim_token_digest: target.organization_id === null ? target.claim_token_digest : null,
    network: target.network,
    url: target.url,
    ...requestOf(target, event, recorded),
    takes_headers: true,
    public_only: target.public_only || isForeign,
    changed_without_token: target.organization_id === null && !target.by_creator,
  };
}

/** The captured request or, for a client that takes a text, nothing that its sender wrote. */
function requestOf(
  { id, text_field }: Target,
  event: HeldEvent,
  recorded: Record<string, string>,
): Pick<Enqueued, "method" | "headers" | "body"> {
  if (text_field !== null) return capturedText(text_field, id, event.id);
  const headers = { ...sendableHeaders(recorded), [FORWARDED_HEADER]: "1" };
  return { method: sendableMethod(event.method), headers, body: event.body };
}
