import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { prisma } from "@/lib/platform/db/prisma";
import { query, sql } from "@/lib/platform/db/sql";
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
  const ids = events.flatMap(({ forwarded_id, to_inbox }) =>
    forwarded_id === null || to_inbox ? [] : [forwarded_id],
  );
  const messages =
    ids.length === 0
      ? []
      : await prisma.scheduledMessage.findMany({
          where: { id: { in: ids }, organization_id },
          select: {
            id: true,
            status: true,
            attempts: true,
            response_status: true,
            last_error: true,
            due_at: true,
          },
        });
  const deliveries = new Map(
    messages.map(({ id, due_at, ...message }) => [
      id,
      { ...message, next_attempt_at: message.status === "failed" ? due_at : null },
    ]),
  );
  return events.map(({ forwarded_id, ...event }) => ({
    ...event,
    delivery: event.to_inbox ? null : (deliveries.get(forwarded_id ?? "") ?? null),
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
