import { query, type Sql, sql } from "@/lib/platform/db/sql";

/**
 * Recounts captures, ingests and attempts by hour: their rows were moved into the past after the
 * service had counted them, so the overview would contradict the lists.
 */
export async function recountHours(organizationId: string): Promise<void> {
  const ofOrganization = sql`parent.organization_id = ${organizationId}`;
  await query(sql`
    UPDATE endpoint_state AS parent SET
      hourly = ${hourly(sql`webhook_events`, sql`endpoint_id`)},
      last_event_micros = coalesce((SELECT max(received_at) * 1000000 FROM webhook_events AS event
                                    WHERE event.endpoint_id = parent.endpoint_id), last_event_micros)
    WHERE ${ofOrganization}`);
  await query(sql`
    UPDATE inbox_state AS parent SET hourly = ${hourly(sql`inbox_events`, sql`inbox_id`)}
    WHERE ${ofOrganization}`);
  await query(sql`
    INSERT INTO delivery_hours (organization_id, hour, delivered, failed)
    SELECT ${organizationId}, started_at / 3600, count(*) FILTER (WHERE error IS NULL),
           count(*) FILTER (WHERE error IS NOT NULL)
    FROM message_attempts JOIN scheduled_messages ON scheduled_messages.id = message_id
    WHERE organization_id = ${organizationId}
    GROUP BY 2
    ON CONFLICT (organization_id, hour) DO UPDATE SET
      delivered = excluded.delivered, failed = excluded.failed`);
}

/** The column `hourly` of a parent: its events of the last 24 clock hours (prisma/migrations/1_rules). */
function hourly(events: Sql, parentId: Sql): Sql {
  return sql`ARRAY(
    SELECT CASE WHEN counted.count > 0 THEN (counted.hour << 32) + counted.count ELSE 0 END
    FROM (
      SELECT hour, (SELECT count(*) FROM ${events} AS event
                    WHERE event.${parentId} = parent.${parentId} AND event.received_at / 3600 = hour) AS count
      FROM generate_series(unix_now() / 3600 - 23, unix_now() / 3600) AS hour
    ) AS counted
    ORDER BY counted.hour % 24)`;
}
