import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { looksLikeId } from "@/lib/platform/db/ids";
import { queryOne, type Sql, sql } from "@/lib/platform/db/sql";

/** The captured event that an inbox event or a message forwards or replays. */
export interface Origin {
  endpoint_id: string;
  event_id: string;
  received_at: number;
  is_replay: boolean;
}

/** The captured event of an inbox event, which may have left its inbox; see `originOf`. */
export async function originOfInboxEvent(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<Origin | null> {
  if (!looksLikeId("iev", eventId)) return null;
  // An event that has left the inbox may come from any endpoint that forwards to it.
  return originOf(
    caller,
    sql`SELECT source.endpoint_id, 'wev_' || substr(${eventId}::text, 5) AS event_id,
               false AS is_replay FROM (
          SELECT event.webhook_endpoint_id AS endpoint_id FROM inbox_events AS event
          WHERE event.inbox_id = ${inboxId} AND event.id = ${eventId}
          UNION
          SELECT endpoint_id FROM webhook_forwards WHERE inbox_id = ${inboxId}
        ) AS source`,
  );
}

/** The captured event of a message; see `originOf`. */
export function originOfMessage(caller: Caller, messageId: string): Promise<Origin | null> {
  return originOf(
    caller,
    sql`SELECT coalesce(webhook_endpoint_id, replayed_endpoint_id) AS endpoint_id,
               coalesce(webhook_event_id, replayed_event_id) AS event_id,
               replayed_event_id IS NOT NULL AS is_replay
        FROM scheduled_messages WHERE id = ${messageId}`,
  );
}

/** Null if nothing was captured, if the event is deleted, or if the caller may not read it. */
async function originOf(caller: Caller, candidates: Sql): Promise<Origin | null> {
  const origin = await queryOne<Origin>(sql`
    SELECT /* asks every node */ v.endpoint_id, v.id AS event_id, v.received_at,
           candidate.is_replay
    FROM (${candidates}) AS candidate
    JOIN webhook_events v ON v.endpoint_id = candidate.endpoint_id AND v.id = candidate.event_id
    JOIN endpoint_state e ON e.endpoint_id = v.endpoint_id
    WHERE v.id > e.gone_up_to AND ${mayReach(caller)} LIMIT 1`);
  return origin ?? null;
}
