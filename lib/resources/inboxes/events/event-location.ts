import { mayReach } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryOne, sql } from "@/lib/platform/db/sql";
import type { EventState } from "./contract";
import { ALIVE, STATE } from "./state";

type Stage = Row<
  "InboxEvent",
  "received_at" | "expires_at" | "delivery_count" | "consumer" | "last_error"
> & { visible_at: number };

/** An event that is still in its inbox, without its content. Times are Unix seconds. */
export type EventLocation = { state: EventState } & Stage;

/** An inbox and one of its events, as far as the caller may see them. */
export type InboxLocation =
  | { inbox: "deleted" | "other_owner" }
  | {
      inbox: "present";
      name: string;
      /** Null if it has left the inbox. */
      event: EventLocation | null;
      /** When it expired, if its row still exists. */
      expired_at: number | null;
      /** The size of the reply to it, while the reply is kept. */
      reply_bytes: number | null;
    };

/** Where an event is or was. Does not throw if it or its inbox no longer exists. */
export async function locateEvent(
  caller: Caller,
  inboxId: string,
  eventId: string,
): Promise<InboxLocation> {
  // Apart, since a distributed database has the inbox on one node and its events on another.
  const [inbox, row] = await Promise.all([
    queryOne<Row<"Inbox", "name"> & { is_reachable: boolean }>(
      sql`SELECT name, ${mayReach(caller)} AS is_reachable FROM inboxes WHERE id = ${inboxId}`,
    ),
    queryOne<Found>(sql`
      SELECT CASE WHEN event.id IS NULL THEN NULL WHEN ${ALIVE} THEN ${STATE} ELSE 'expired' END AS state,
             event.received_at, event.expires_at, event.delivery_count, event.consumer, event.last_error,
             CASE WHEN event.visible_at < 'infinity'
                  THEN floor(extract(epoch FROM event.visible_at))::bigint ELSE 0 END AS visible_at,
             (SELECT reply.size_bytes FROM inbox_replies AS reply
              WHERE reply.inbox_id = ${inboxId} AND reply.event_id = ${eventId}
                AND reply.expires_at > unix_now()) AS reply_bytes
      FROM inbox_state LEFT JOIN inbox_events AS event
        ON event.inbox_id = inbox_state.inbox_id AND event.id = ${eventId}
      WHERE inbox_state.inbox_id = ${inboxId}`),
  ]);
  if (!inbox || !row) return { inbox: "deleted" };
  if (!inbox.is_reachable) return { inbox: "other_owner" };
  const { reply_bytes, ...event } = row;
  return {
    inbox: "present",
    name: inbox.name,
    event: event.state === null || event.state === "expired" ? null : event,
    expired_at: event.state === "expired" ? event.expires_at : null,
    reply_bytes,
  };
}

type Found = { reply_bytes: number | null } & (
  | EventLocation
  | ({ state: "expired" } & Stage)
  | { state: null }
);
