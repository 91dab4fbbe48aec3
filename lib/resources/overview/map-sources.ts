import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { schedules } from "@/lib/resources/schedules/service";
import { HELD_EVENT } from "./troubles";

/** How many of each kind are read, endpoints with a forward first. A literal: the planner would guess a parameter. */
const ROWS_MAX = sql`500`;
const RUNS_MAX = sql`120`;

/** Long values are not read: strangers may store megabytes in a target or an external ID. */
const TARGET = sql`CASE WHEN octet_length(target) <= 20000 THEN target END AS target`;
const EXTERNAL_ID = sql`CASE WHEN octet_length(external_id) <= 64 THEN external_id END AS external_id`;

/** The first of the clock hours that the map counts: this one and the last. */
const MAP_SINCE = sql`(unix_now() / 3600 - 1)`;

const ofHour = (hourly: Sql) => sql`
  (SELECT coalesce(sum(slot & 4294967295), 0)::bigint FROM unnest(${hourly}) AS slot
   WHERE slot >> 32 >= ${MAP_SINCE})`;

/** Everything that the map of an organization is made of. Every part reads a bounded number of rows. */
export async function readMapSources(organizationId: string) {
  const owned = sql`organization_id = ${hiddenFromPlanner(organizationId)}`;
  const newest = (table: Sql, columns: Sql) =>
    sql`SELECT ${columns} FROM ${table} WHERE ${owned} ORDER BY organization_id, id DESC LIMIT ${ROWS_MAX}`;
  // A row, since by the ID alone the planner might read the new rows of all organizations.
  const isNew = (prefix: string) => sql`
    (organization_id, id) >= (${hiddenFromPlanner(organizationId)},
                              ${`${prefix}_`} || id_time(${MAP_SINCE} * 3600000000) COLLATE "C")`;
  const [endpoints, inboxes, scheduled, flows, subscriptions, made] = await Promise.all([
    queryShown<{
      id: string;
      name: string;
      count: number;
      is_held: boolean;
      inbox_id: string | null;
      url: string | null;
    }>(sql`
      SELECT /* asks every node */ endpoint.id, endpoint.name, ${ofHour(sql`state.hourly`)} AS count,
             held.endpoint_id IS NOT NULL AS is_held, endpoint.inbox_id, endpoint.url
      FROM (SELECT id, name, forward.inbox_id, forward.url
            FROM webhook_endpoints LEFT JOIN webhook_forwards AS forward ON endpoint_id = id
            WHERE ${owned} ORDER BY endpoint_id IS NULL, id DESC LIMIT ${ROWS_MAX}) AS endpoint
      JOIN endpoint_state AS state ON state.endpoint_id = endpoint.id
      LEFT JOIN ${HELD_EVENT}`),
    queryShown<{ id: string; name: string; count: number }>(sql`
      SELECT /* asks every node */ inbox.id, inbox.name, ${ofHour(sql`state.hourly`)} AS count
      FROM (${newest(sql`inboxes`, sql`id, name`)}) AS inbox
      JOIN inbox_state AS state ON state.inbox_id = inbox.id`),
    queryShown<{
      id: string;
      name: string;
      target: string | null;
      count: number;
      failed: number;
    }>(sql`
      SELECT schedule.id, schedule.name, schedule.target, ran.count, ran.failed
      FROM (${newest(sql`schedules`, sql`id, ${schedules.title} AS name, ${TARGET}, paused`)}) AS schedule
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, count(reason)::int AS failed
        FROM (SELECT scheduled_for, reason FROM schedule_runs WHERE schedule_id = schedule.id
              ORDER BY schedule_runs.id DESC LIMIT ${RUNS_MAX}) AS run
        WHERE scheduled_for >= ${MAP_SINCE} * 3600) AS ran
      WHERE NOT paused`),
    queryShown<{ source: string; host: string; count: number; failed: number }>(sql`
      SELECT source, host, sum(delivered + failed)::bigint AS count, sum(failed)::bigint AS failed
      FROM delivery_flows WHERE ${owned} AND hour >= ${MAP_SINCE}
      GROUP BY source, host ORDER BY failed DESC, count DESC LIMIT ${ROWS_MAX}`),
    queryShown<{ inbox_id: string | null; url: string | null }>(
      newest(sql`subscriptions`, sql`inbox_id, url`),
    ),
    queryShown<{ kind: "tasks" | "artifacts"; external_id: string | null }>(sql`
      (SELECT 'tasks' AS kind, ${EXTERNAL_ID} FROM tasks WHERE ${owned} AND ${isNew("tsk")}
       ORDER BY organization_id, id DESC LIMIT ${ROWS_MAX})
      UNION ALL
      (SELECT 'artifacts' AS kind, ${EXTERNAL_ID} FROM artifacts WHERE ${owned} AND ${isNew("art")}
       ORDER BY organization_id, id DESC LIMIT ${ROWS_MAX})`),
  ]);
  const named = made.flatMap(({ external_id: id }) => (id?.match(/^[iw]ev_\w+$/) ? [id] : []));
  const origins = await originsOf(
    named,
    endpoints.map(({ id }) => id),
    inboxes.map(({ id }) => id),
  );
  return { endpoints, inboxes, schedules: scheduled, flows, subscriptions, made, origins };
}

/** The endpoint or inbox of events that tasks and artifacts name, by the event's ID. */
async function originsOf(ids: string[], endpointIds: string[], inboxIds: string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const captured = ids.map((id) => `wev_${id.slice(4)}`);
  const [captures, arrivals] = await Promise.all([
    queryShown<{ id: string; endpoint_id: string; inbox_id: string | null }>(sql`
      SELECT id, endpoint_id, forward_inbox_id AS inbox_id FROM webhook_events
      WHERE endpoint_id = ANY (${endpointIds}::text[]) AND id = ANY (${captured}::text[])`),
    queryShown<{ id: string; inbox_id: string }>(sql`
      SELECT id, inbox_id FROM inbox_events
      WHERE inbox_id = ANY (${inboxIds}::text[]) AND id = ANY (${ids}::text[])`),
  ]);
  return new Map([
    ...captures.flatMap(({ id, endpoint_id, inbox_id }): [string, string][] => [
      [id, endpoint_id],
      [`iev_${id.slice(4)}`, inbox_id ?? endpoint_id],
    ]),
    ...arrivals.map(({ id, inbox_id }): [string, string] => [id, inbox_id]),
  ]);
}
