import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { queryOne, sql } from "@/lib/platform/db/sql";
import type { EventState } from "./contract";
import { ALIVE, STATE } from "./state";

/** An event that is still in its inbox, without its content. Times are Unix seconds. */
export interface EventStage {
  state: EventState;
  received_at: number;
  expires_at: number;
  visible_at: number;
  delivery_count: number;
  consumer: string | null;
  last_error: string | null;
}

/** An inbox and one of its events, as far as the caller may see them. */
export type InboxStage =
  | { inbox: "deleted" | "other_owner" }
  | {
      inbox: "present";
      name: string;
      /** null: it left the inbox. */
      event: EventStage | null;
      /** When it expired, if its row is not yet removed. */
      expired_at: number | null;
      /** The size of the reply to it, while that is kept. */
      reply_bytes: number | null;
    };

/** Where an event is, or was, without an error when it or its inbox is gone. */
export async function stageOf(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<InboxStage> {
  const row = await queryOne<Omit<EventStage, "state"> & Found>(sql`
    SELECT ${mayReach(caller)} AS reachable, inbox.name,
           CASE WHEN event.id IS NULL THEN NULL WHEN ${ALIVE} THEN ${STATE} ELSE 'expired' END AS state,
           event.received_at, event.expires_at, event.delivery_count, event.consumer, event.last_error,
           CASE WHEN event.visible_at < 'infinity'
                THEN floor(extract(epoch FROM event.visible_at))::bigint ELSE 0 END AS visible_at,
           (SELECT reply.size_bytes FROM inbox_replies AS reply
            WHERE reply.inbox_id = inbox.id AND reply.event_id = ${eventId}
              AND reply.expires_at > unix_now()) AS reply_bytes
    FROM inboxes AS inbox LEFT JOIN inbox_events AS event
      ON event.inbox_id = inbox.id AND event.id = ${eventId}
    WHERE inbox.id = ${inboxId}`);
  if (!row) return { inbox: "deleted" };
  const { reachable, name, state, reply_bytes, ...event } = row;
  if (!reachable) return { inbox: "other_owner" };
  const isThere = state !== null && state !== "expired";
  return {
    inbox: "present",
    name,
    event: isThere ? { state, ...event } : null,
    expired_at: state === "expired" ? event.expires_at : null,
    reply_bytes,
  };
}

interface Found {
  reachable: boolean;
  name: string;
  state: EventState | "expired" | null;
  reply_bytes: number | null;
}
