import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { query, sql } from "@/lib/platform/db/sql";
import { deliveriesOf } from "@/lib/resources/messages/deliveries";
import { type Endpoint, startOfEvents } from "@/lib/resources/webhooks/events/filter";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import type { Forwarded } from "./state";

/** The columns of a `ForwardedRow`, selected from `webhook_events`. */
export const FORWARDED_COLUMNS = sql`forward_status, forward_inbox_id IS NOT NULL AS to_inbox,
  forwarded_id`;

export type ForwardedRow = Omit<Forwarded, "delivery"> & Row<"WebhookEvent", "forwarded_id">;

/** Adds the messages that forward these events of an endpoint. */
export async function withDeliveries<Event extends ForwardedRow>(
  { organization_id }: Endpoint,
  events: Event[],
): Promise<(Omit<Event, "forwarded_id"> & Forwarded)[]> {
  const deliveries = await deliveriesOf(
    organization_id,
    events.map(({ forwarded_id }) => forwarded_id),
  );
  return events.map(({ forwarded_id, ...event }) => ({
    ...event,
    delivery: deliveries.get(forwarded_id ?? "") ?? null,
  }));
}

/** Where these events of an endpoint went, by ID. Throws 404 and 403. */
export async function forwardedOf(
  caller: Caller,
  id: string,
  eventIds: string[],
): Promise<Record<string, Forwarded>> {
  const endpoint = await findEndpoint(caller, id);
  const rows = await query<ForwardedRow & { id: string }>(sql`
    SELECT id, ${FORWARDED_COLUMNS} FROM webhook_events
    WHERE endpoint_id = ${endpoint.id} AND id = ANY (${eventIds}::text[])
      AND id > ${startOfEvents(endpoint)}`);
  const events = await withDeliveries(endpoint, rows);
  return Object.fromEntries(events.map(({ id: eventId, ...forwarded }) => [eventId, forwarded]));
}
