import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";

/** A capture of the hour before may be committed this late. */
const SETTLED_SECONDS = 60;

/**
 * Once an hour, keeps what each organization captured in the hour that has ended, and what waits in
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
  if (!ended.is_known) await rollUp(hour);
  state.hour = hour;
  return 0;
}

async function rollUp(hour: number): Promise<void> {
  const slot = sql`hourly[(${hour}::bigint % 24 + 1)::int]`;
  const [captured, waiting, waited] = await Promise.all([
    query<Sum>(sql`
      SELECT /* asks every node */ organization_id, sum(${slot} & 4294967295)::bigint AS sum
      FROM endpoint_state
      WHERE organization_id IS NOT NULL AND ${slot} >> 32 = ${hour}::bigint
      GROUP BY organization_id`),
    query<Sum>(sql`
      SELECT /* asks every node */ organization_id, sum(occupied)::bigint AS sum FROM inbox_state
      WHERE organization_id IS NOT NULL AND occupied > 0 GROUP BY organization_id`),
    query<{ organization_id: string }>(sql`
      SELECT organization_id FROM organization_hours WHERE waiting > 0 AND hour = (
        SELECT max(hour) FROM organization_hours WHERE hour < ${hour}::bigint)`),
  ]);
  const [sums, depths] = [captured, waiting].map(
    (rows) => new Map(rows.map(({ organization_id, sum }) => [organization_id, sum])),
  ) as [Map<string, number>, Map<string, number>];
  const before = waited.map(({ organization_id }) => organization_id);
  const ids = [...new Set([...sums.keys(), ...depths.keys(), ...before])];
  await query(sql`
    INSERT INTO organization_hours (organization_id, hour, captured, waiting)
    SELECT counted.id, ${hour}::bigint, captured, waiting
    FROM unnest(${ids}::text[], ${ids.map((id) => sums.get(id) ?? 0)}::bigint[],
                ${ids.map((id) => depths.get(id) ?? 0)}::bigint[]) AS counted (id, captured, waiting)
    JOIN organizations USING (id)
    ON CONFLICT DO NOTHING`);
}

interface Sum {
  organization_id: string;
  sum: number;
}
