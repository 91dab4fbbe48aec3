import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { query, sql } from "@/lib/platform/db/sql";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { assertEvent } from "@/lib/resources/webhooks/events/service";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import type { EventReplay } from "./contract";

const REPLAYS_LOOKED_AT = 500;
const TARGETS_MAX = 8;

const COLUMNS = columns(
  "ScheduledMessage",
  "id, url, method, status, attempts, response_status, created_at",
);

type ReplayRow = RowOf<typeof COLUMNS> & {
  event_id: string;
  replay_id: string | null;
  error: string | null;
  next_attempt_at: number | null;
  last: Row<"MessageAttempt", "response_body" | "duration_ms"> | null;
};

/**
 * The caller's replays of an event with their responses, newest first. Replays of a public
 * endpoint's event belong to the owner of the key that requested them. Those made without a key
 * are never listed: anyone who knows the ID of a public message may read and change it. Throws 404
 * and 403.
 */
export async function listEventReplays(
  caller: Caller,
  id: string,
  eventId: string,
  listQuery: ListQuery,
): Promise<List<EventReplay>> {
  const endpoint = await findEndpoint(caller, id);
  await assertEvent(endpoint, eventId);
  return listNewest<ReplayRow, EventReplay>(
    {
      table: sql`scheduled_messages`,
      columns: sql`${COLUMNS}, replayed_event_id AS event_id, webhook_replay_id AS replay_id,
        last_error AS error,
        CASE WHEN status = 'failed' THEN due_at END AS next_attempt_at,
        (SELECT json_build_object('response_body', a.response_body, 'duration_ms', a.duration_ms)
         FROM message_attempts a WHERE a.message_id = measured.id ORDER BY a.id DESC LIMIT 1) AS last`,
      conditions: [
        sql`replayed_event_id = ${eventId} AND replayed_endpoint_id = ${endpoint.id}`,
        sql`organization_id = ${organizationOf(caller)}`,
      ],
      serialize: ({ last, ...row }) => ({
        ...row,
        object: "webhook_event_replay",
        response_body: last?.response_body ?? null,
        duration_ms: last?.duration_ms ?? null,
      }),
    },
    listQuery,
  );
}

/** The URLs to which the caller replayed events of this endpoint, the last one first. Throws 404 and 403. */
export async function recentTargets(caller: Caller, id: string): Promise<string[]> {
  const endpoint = await findEndpoint(caller, id);
  // (d) Reads two tables. After their prefixes, IDs sort by creation, also within a second.
  const rows = await query<Row<"ScheduledMessage", "url">>(sql`
    SELECT url FROM (
      (SELECT id, url, organization_id FROM scheduled_messages
       WHERE replayed_endpoint_id = ${endpoint.id} ORDER BY id DESC LIMIT ${REPLAYS_LOOKED_AT})
      UNION ALL
      (SELECT id, url, organization_id FROM webhook_replays
       WHERE endpoint_id = ${endpoint.id} ORDER BY id DESC LIMIT ${REPLAYS_LOOKED_AT})
    ) AS replayed
    WHERE organization_id = ${organizationOf(caller)}
    GROUP BY url ORDER BY max(split_part(id, '_', 2) COLLATE "C") DESC LIMIT ${TARGETS_MAX}`);
  return rows.map(({ url }) => url);
}
