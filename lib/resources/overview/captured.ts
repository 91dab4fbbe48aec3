import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";

export const HOURS = 24;
/** The hours that are always read again: a capture may be committed after its hour has ended. */
const RECENT = 2;
const KEPT_ORGANIZATIONS_MAX = 1000;

/** The first hour, by the database's clock: Unix seconds / 3600. */
const FIRST_HOUR = sql`(unix_now() / 3600 - ${HOURS - 1}::bigint)`;

/** The count of one hour. Hours are numbered from 0, the oldest. */
interface HourCount {
  hour: number;
  count: number;
}

/** The counts of past hours, for as long as the same endpoints have events in the same hours. */
interface Ended {
  /** The first hour and a digest of the endpoints. */
  of: string;
  counts: HourCount[];
}

/**
 * What an organization's endpoints captured per hour, and the first hour (Unix seconds / 3600). A
 * process adds up a past hour only once, since its counts no longer change.
 */
export async function countCaptured(
  organizationId: string,
): Promise<{ first: number; counts: HourCount[] }> {
  const row = await queryShownOne<{ first: number; of: string; recent: number[] }>(sql`
    WITH clock AS MATERIALIZED (SELECT ${FIRST_HOUR} AS first)
    SELECT max(first) AS first,
           concat_ws(' ', max(first), count(endpoint_id), bit_xor(hashtextextended(endpoint_id, 0))) AS of,
           json_build_array(${countIn(HOURS - 2)}, ${countIn(HOURS - 1)}) AS recent
    FROM clock LEFT JOIN (${statesOf(organizationId)}) AS owned
      ON last_event_micros >= first * 3600000000`);
  if (!row) throw new Error("An aggregate returned no row.");
  const kept = oncePerProcess("overview.captured", () => new Map<string, Ended>());
  let ended = kept.get(organizationId);
  if (ended?.of !== row.of) {
    const counts = await queryShown<HourCount>(sql`
      SELECT (slot >> 32) - ${FIRST_HOUR} AS hour, sum(slot & 4294967295)::bigint AS count
      FROM (${statesOf(organizationId)}) AS owned CROSS JOIN unnest(owned.hourly) AS slot
      WHERE last_event_micros >= ${FIRST_HOUR} * 3600000000 AND slot >> 32 >= ${FIRST_HOUR}
      GROUP BY 1`);
    ended = { of: row.of, counts: counts.filter(({ hour }) => hour < HOURS - RECENT) };
    if (kept.size >= KEPT_ORGANIZATIONS_MAX) kept.clear();
    kept.set(organizationId, ended);
  }
  const recent = row.recent.map((count, index) => ({ hour: HOURS - RECENT + index, count }));
  return { first: row.first, counts: [...ended.counts, ...recent] };
}

/** The state of the organization's endpoints. */
function statesOf(organizationId: string): Sql {
  return sql`
    SELECT /* asks every node */ endpoint_state.*
    FROM webhook_endpoints JOIN endpoint_state ON endpoint_id = id
    WHERE webhook_endpoints.organization_id = ${hiddenFromPlanner(organizationId)}`;
}

/**
 * The sum of the endpoints' counts in the hour with this number. Each hour has its index in
 * `hourly`.
 */
function countIn(hour: number) {
  const wanted = sql`(first + ${hour}::bigint)`;
  const slot = sql`hourly[(${wanted} % 24 + 1)::int]`;
  return sql`coalesce(sum(${slot} & 4294967295) FILTER (WHERE ${slot} >> 32 = ${wanted}), 0)::bigint`;
}
