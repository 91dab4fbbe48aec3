import type { Caller } from "@/lib/platform/caller";
import { query, sql } from "@/lib/platform/db/sql";
import { startOfEvents } from "@/lib/resources/webhooks/events/filter";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import type { Forwarded } from "./state";

/** The columns of a `Forwarded`, selected from `webhook_events`. */
export const FORWARDED_COLUMNS = sql`forward_status, forward_inbox_id IS NOT NULL AS to_inbox, (
  SELECT json_build_object('status', m.status, 'attempts', m.attempts,
                           'response_status', m.response_status, 'last_error', m.last_error,
                           'next_attempt_at', CASE WHEN m.status = 'failed' THEN m.due_at END)
  FROM scheduled_messages m
  WHERE forward_status = 'forwarded' AND forward_inbox_id IS NULL AND m.id = forwarded_id
    AND m.organization_id IS NOT DISTINCT FROM (
      SELECT organization_id FROM endpoint_state
      WHERE endpoint_id = webhook_events.endpoint_id)
) AS delivery`;

/** Where these events of an endpoint went, by ID. Throws 404 and 403. */
export async function forwardedOf(
  caller: Caller,
  id: string,
  eventIds: string[],
): Promise<Record<string, Forwarded>> {
  const endpoint = await findEndpoint(caller, id);
  const rows = await query<Forwarded & { id: string }>(sql`
    SELECT id, ${FORWARDED_COLUMNS} FROM webhook_events
    WHERE endpoint_id = ${endpoint.id} AND id = ANY (${eventIds}::text[])
      AND id > ${startOfEvents(endpoint)}`);
  return Object.fromEntries(rows.map(({ id: eventId, ...forwarded }) => [eventId, forwarded]));
}
