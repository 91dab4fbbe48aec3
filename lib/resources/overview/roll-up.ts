import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { HOURS } from "./captured";

/** A capture of the hour before may be committed this late. */
const SETTLED_SECONDS = 60;

/**
 * Once an hour, keeps what each organization captured in the hours of the last day that have ended, and what waits in
 * its inboxes now. Where that is nothing, and was nothing before, there is no row. Always returns 0: there
 * is nothing to do again.
 */
export async function rollUpHours(): Promise<number> {
  const state = oncePerProcess("overview.roll-up", () => ({ hour: 0 }));
  const ended = await queryOne<{ hour: number; is_known: boolean }>(sql`
    SELECT hour, EXISTS (SELECT FROM organization_hours AS known WHERE known.hour = ended.hour) AS is_known
    FROM (SELECT (unix_now() - ${SETTLED_SECONDS}::bigint) / 3600 - 1 AS hour) AS ended`);
  if (!ended || ended.hour === state.hour) return 0;
  const { hour } = ended;
  // With the hours before, unless this process has already kept those.
  if (!ended.is_known) await rollUp(state.hour === hour - 1 ? hour : hour - HOURS + 2, hour);
  state.hour = hour;
  return 0;
}

async function rollUp(first: number, last: number): Promise<void> {
  const [captured, waiting, waited] = await Promise.all([
    query<Sum & { hour: number }>(sql`
      SELECT /* asks every node */ organization_id, slot >> 32 AS hour, sum(slot & 4294967295)::bigint AS sum
      FROM endpoint_state, unnest(hourly) AS slot
      WHERE organization_id IS NOT NULL AND last_event_micros >= ${first}::bigint * 3600000000
        AND slot >> 32 BETWEEN ${first}::bigint AND ${last}::bigint
      GROUP BY organization_id, slot >> 32`),
    query<Sum>(sql`
      SELECT /* asks every node */ organization_id, sum(occupied)::bigint AS sum FROM inbox_state
      WHERE organization_id IS NOT NULL AND occupied > 0 GROUP BY organization_id`),
    query<{ organization_id: string }>(sql`
      SELECT organization_id FROM organization_hours WHERE waiting > 0 AND hour = (
        SELECT max(hour) FROM organization_hours WHERE hour < ${last}::bigint)`),
  ]);
  const now = [...waiting, ...waited.map((row) => ({ ...row, sum: 0 }))];
  const rows = [
    ...captured.map((row) => ({ ...row, waiting: 0 })),
    ...now.map(({ sum, ...row }) => ({ ...row, hour: last, sum: 0, waiting: sum })),
  ];
  // What waited in the hours before the last, if the server was down, is not known.
  await query(sql`
    INSERT INTO organization_hours (organization_id, hour, captured, waiting)
    SELECT counted.id, hour, max(captured), CASE WHEN hour = ${last}::bigint THEN max(waiting) END
    FROM unnest(${rows.map(({ organization_id }) => organization_id)}::text[],
                ${rows.map(({ hour }) => hour)}::bigint[], ${rows.map(({ sum }) => sum)}::bigint[],
                ${rows.map((row) => row.waiting)}::bigint[]) AS counted (id, hour, captured, waiting)
    JOIN organizations USING (id)
    GROUP BY counted.id, hour
    ON CONFLICT DO NOTHING`);
}

interface Sum {
  organization_id: string;
  sum: number;
}
