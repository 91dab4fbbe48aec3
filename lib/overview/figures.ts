import { query, sql } from "@/lib/db/sql";
import { PENDING } from "@/lib/inboxes/state";

const HOURS = 24;
const HOUR_SECONDS = 3600;

/** Something counted over the last 24 hours. */
export interface Figure {
  total: number;
  /** One number for each hour, oldest first; the last is the hour that runs. */
  hours: number[];
}

export interface Figures {
  captured: Figure;
  delivered: Figure;
  failed: Figure;
  /** What waits in inboxes now, by the hour in which it came; older events are in the total only. */
  waiting: Figure;
}

/** What an organization's agents did in the last 24 hours. */
export async function figuresOf(organizationId: string): Promise<Figures> {
  const since = sql`unix_now() - ${HOURS * HOUR_SECONDS}::bigint`;
  const rows = await query<{ what: keyof Figures; hours_ago: number | null; count: number }>(sql`
    SELECT 'captured' AS what, ${hoursAgo("event.received_at")} AS hours_ago, count(*)
    FROM webhook_endpoints AS endpoint JOIN webhook_events AS event ON event.endpoint_id = endpoint.id
    WHERE endpoint.organization_id = ${organizationId} AND event.received_at >= ${since}
    GROUP BY hours_ago
    UNION ALL
    SELECT CASE WHEN attempt.error IS NULL THEN 'delivered' ELSE 'failed' END AS what,
           ${hoursAgo("attempt.started_at")} AS hours_ago, count(*)
    FROM scheduled_messages AS message JOIN message_attempts AS attempt ON attempt.message_id = message.id
    WHERE message.organization_id = ${organizationId} AND message.delivered_at >= ${since}
      AND attempt.started_at >= ${since} AND attempt.duration_ms IS NOT NULL
    GROUP BY what, hours_ago
    UNION ALL
    SELECT 'waiting' AS what,
           CASE WHEN event.received_at >= ${since} THEN ${hoursAgo("event.received_at")} END AS hours_ago,
           count(*)
    FROM inboxes AS inbox JOIN inbox_events AS event ON event.inbox_id = inbox.id
    WHERE inbox.organization_id = ${organizationId} AND ${PENDING}
    GROUP BY hours_ago`);
  const figure = (wanted: keyof Figures): Figure => {
    const own = rows.filter(({ what }) => what === wanted);
    const hours = Array.from({ length: HOURS }, (_, index) => {
      const ago = HOURS - 1 - index;
      return own.find(({ hours_ago }) => hours_ago === ago)?.count ?? 0;
    });
    return { total: own.reduce((sum, { count }) => sum + count, 0), hours };
  };
  return {
    captured: figure("captured"),
    delivered: figure("delivered"),
    failed: figure("failed"),
    waiting: figure("waiting"),
  };
}

/** The column's names are this file's own. */
function hoursAgo(column: "event.received_at" | "attempt.started_at") {
  const at = column === "event.received_at" ? sql`event.received_at` : sql`attempt.started_at`;
  return sql`least((unix_now() - ${at}) / ${HOUR_SECONDS}::bigint, ${HOURS - 1}::bigint)`;
}
