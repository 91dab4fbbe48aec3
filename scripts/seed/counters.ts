import { query, type Sql, sql } from "@/lib/platform/db/sql";
import { SOURCE } from "@/lib/resources/messages/delivery-hours";
import { bucketsOf } from "@/lib/resources/messages/latencies";
import { HOUR, seededRandom } from "./past";

const DAYS = 30;

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
  await countAgain(organizationId);
  await addPast(organizationId);
}

async function countAgain(organizationId: string) {
  const attempts = sql`
    SELECT started_at / 3600 AS hour, ${SOURCE} AS source, host, error, duration_ms,
           attempt.response_status
    FROM message_attempts AS attempt JOIN scheduled_messages ON scheduled_messages.id = message_id
    WHERE organization_id = ${organizationId}`;
  const counts = sql`count(*) FILTER (WHERE error IS NULL), count(*) FILTER (WHERE error IS NOT NULL)`;
  await query(sql`
    INSERT INTO delivery_hours (organization_id, hour, delivered, failed, latencies)
    SELECT ${organizationId}, hour, ${counts},
           ${bucketsOf(sql`(CASE WHEN response_status IS NOT NULL THEN duration_ms END)`)}
    FROM (${attempts}) AS attempt GROUP BY hour
    ON CONFLICT (organization_id, hour) DO UPDATE SET
      delivered = excluded.delivered, failed = excluded.failed, latencies = excluded.latencies`);
  await query(sql`
    INSERT INTO delivery_flows (organization_id, hour, source, host, delivered, failed)
    SELECT ${organizationId}, hour, source, host, ${counts}
    FROM (${attempts}) AS attempt GROUP BY hour, source, host
    ON CONFLICT (organization_id, hour, source, host) DO UPDATE SET
      delivered = excluded.delivered, failed = excluded.failed`);
}

/** The hours before the first message and capture of the lists: those of a month with weekends. */
async function addPast(organizationId: string) {
  const random = seededRandom(6);
  const now = Math.floor(Date.now() / 1000 / HOUR);
  const attempts: { hour: number; latency: number; failed: boolean }[] = [];
  const hours: { hour: number; captured: number; waiting: number }[] = [];
  let waiting = 20;
  for (let hour = now - DAYS * 24; hour < now; hour += 1) {
    const daylight = Math.max(0, Math.sin((((hour % 24) - 5) / 15) * Math.PI));
    const isWeekend = [2, 3].includes(Math.floor(hour / 24) % 7);
    const busy = (0.15 + daylight) * (isWeekend ? 0.35 : 1) * (0.7 + 0.6 * random());
    const isBad = hour % 173 < 5;
    for (let n = 0; n < 16 * busy; n += 1) {
      const latency = Math.round(70 * Math.exp(1.1 * (random() + random()) * (isBad ? 2 : 1)));
      attempts.push({ hour, latency, failed: random() < (isBad ? 0.5 : 0.03) });
    }
    waiting = Math.max(0, Math.round(waiting + 14 * (random() - 0.52) + (isBad ? 12 : 0)));
    if (waiting > 70) waiting -= 20;
    hours.push({ hour, captured: Math.round(20 * busy), waiting });
  }
  await query(sql`
    INSERT INTO delivery_hours (organization_id, hour, delivered, failed, latencies)
    SELECT ${organizationId}, hour, count(*) FILTER (WHERE NOT failed), count(*) FILTER (WHERE failed),
           ${bucketsOf(sql`latency`)}
    FROM unnest(${attempts.map(({ hour }) => hour)}::bigint[],
                ${attempts.map(({ latency }) => latency)}::int[],
                ${attempts.map(({ failed }) => failed)}::boolean[]) AS past (hour, latency, failed)
    WHERE hour < unix_now() / 3600 - 24 GROUP BY hour
    ON CONFLICT DO NOTHING`);
  await query(sql`
    INSERT INTO organization_hours (organization_id, hour, captured, waiting)
    SELECT ${organizationId}, hour, captured, waiting
    FROM unnest(${hours.map(({ hour }) => hour)}::bigint[],
                ${hours.map(({ captured }) => captured)}::bigint[],
                ${hours.map((one) => one.waiting)}::bigint[]) AS past (hour, captured, waiting)
    ON CONFLICT DO NOTHING`);
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
