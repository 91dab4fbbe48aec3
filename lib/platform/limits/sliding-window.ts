import { networksOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { inBatches, ONE_EACH } from "@/lib/platform/db/batches";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { query, queryOne, type Sql, sql, WITHOUT_DISK_WAIT } from "@/lib/platform/db/sql";
import { type ApiError, rateLimited, unavailable } from "@/lib/platform/errors";
import { logError } from "@/lib/platform/telemetry/log";
import { AHEAD_SECONDS_MAX, type Limit } from "./fixed-window";

/** Old counters are deleted when new windows begin. Two of the longest windows. */
const RETENTION_SECONDS = 172_800;

export interface Allowance {
  limit: Limit;
  /** Uses left in the current window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
}

/**
 * Counts a use of `id` in a sliding window across all instances: the current window plus the part
 * of the previous one that the sliding window still covers. Throws 429 `rate_limited` with
 * `Retry-After`; refused uses are not counted. If counting fails, the use is allowed unless the
 * limit guards a secret. Local mode has no limit. Returns what remains, if counted.
 */
export async function countRecentUse(id: string, limit: Limit): Promise<Allowance | undefined> {
  if (config().localMode) return undefined;
  const allowance = await countTogether(id, limit).catch((error) => uncounted(error, limit));
  if (allowance === undefined || allowance.remaining >= 0) return allowance;
  throw tooManyUses(allowance);
}

/**
 * Counts a use by the client's network and, with a higher limit, by the /48 of an IPv6 client.
 * Throws 429. Returns what remains for the network.
 */
export async function countByNetwork(
  name: string,
  address: string | null,
  limit: Limit,
): Promise<Allowance | undefined> {
  const allowances: (Allowance | undefined)[] = [];
  // In sequence: a use that the network's limit refuses does not count against its /48.
  for (const [network, factor] of networksOf(address)) {
    const larger = { ...limit, limit: limit.limit * factor };
    allowances.push(await countRecentUse(`${name}:${network}`, larger));
  }
  return allowances[0];
}

/**
 * Counts a valid request of a client towards the limit of all clients together. When that is used up, a
 * reserve of a quarter serves clients that have not used it, so that one client cannot stop the others.
 * Throws 429, also beyond the client's own limit; refused requests are not counted. If counting fails,
 * the request is allowed.
 */
export async function countForAll(name: string, limit: Limit, client: string, ofClient = limit) {
  const id = `${name}:valid:${client}`;
  const own = await countRecentUse(id, ofClient);
  try {
    await countRecentUse(name, limit).catch((error) => {
      if (own?.remaining !== ofClient.limit - 1) throw error;
      return countRecentUse(`${name}:reserve`, { ...limit, limit: Math.ceil(limit.limit / 4) });
    });
  } catch (error) {
    if (own) await refundUse(id);
    throw error;
  }
}

/** Reverts one `countRecentUse`, if the database can. */
export async function refundUse(id: string): Promise<void> {
  if (config().localMode) return;
  await query(sql`UPDATE usage_windows SET uses = greatest(uses - 1, 0) WHERE id = ${id}`).catch(
    (error) => logError("A use could not be reverted:", error),
  );
}

/** Allows a use that could not be counted, unless the limit guards a secret. Throws 503. */
function uncounted(error: unknown, limit: Limit): undefined {
  logError("A use could not be counted.", error);
  if (limit.guardsSecret) {
    throw unavailable("Attempts cannot be counted at the moment. Try again soon.", error);
  }
}

/** Uses of one ID that arrive together share a statement, since all of them lock its row. */
const countTogether = inBatches<Limit, Allowance>(
  async (id, [limit, ...others]) => {
    if (!limit) return [];
    const uses = 1 + others.length;
    if (uses > 1 && uses <= limit.limit) {
      const { remaining, ...all } = await countUses(id, limit, { uses, needed: uses });
      if (remaining >= 0) {
        return [limit, ...others].map((_, index) => ({
          ...all,
          remaining: remaining + uses - 1 - index,
        }));
      }
    }
    const results = [await countUses(id, limit)];
    for (let [last] = results; last && results.length < uses; results.push(last)) {
      // After a refusal, the others need not ask.
      if (last.remaining >= 0) last = await countUses(id, limit);
    }
    return results;
  },
  { ...ONE_EACH, concurrencyMax: 1 },
);

export function tooManyUses({ limit, resetSeconds }: Allowance): ApiError {
  return rateLimited("Too many requests. Try again later.", resetSeconds, limit);
}

/**
 * Counts uses, in every mode. A single statement decides, so concurrent uses cannot exceed the
 * limit. `remaining` is -1 if fewer than `needed` uses were left and none was counted.
 */
export async function countUses(
  id: string,
  limit: Limit,
  { uses = 1, needed = 1 } = {},
): Promise<Allowance> {
  const { windowSeconds } = limit;
  const counted = await queryOne<{ uses: number; recent: number; reset: number }>(sql`
    INSERT INTO usage_windows AS known (id, started_at, uses)
    VALUES (${id}, ${startOf(windowSeconds)}, ${uses}::int)
    ON CONFLICT (id) DO UPDATE SET
      started_at = ${CURRENT},
      uses = ${KNOWN_USES} + excluded.uses,
      previous_uses = ${previousUses(windowSeconds)}
    WHERE ${recentUses(windowSeconds)} + ${needed}::int - 1 < ${limit.limit}::int
    RETURNING uses, started_at + ${windowSeconds}::bigint - unix_now() AS reset,
      uses + ${faded(sql`previous_uses`, sql`started_at`, windowSeconds)} AS recent
      ${limit.guardsSecret ? sql`` : sql`, ${WITHOUT_DISK_WAIT}`}`);
  if (counted?.uses === uses) {
    await removeOld().catch((error) => logError("Old counters could not be deleted:", error));
  }
  if (counted) {
    const remaining = Math.max(Math.floor(limit.limit - counted.recent), 0);
    return { limit, remaining, resetSeconds: Math.max(counted.reset, 1) };
  }
  return { limit, remaining: -1, resetSeconds: await secondsUntilRoom(id, limit, needed) };
}

/**
 * The seconds until `needed` uses will fit, or as many as the limit allows, if nothing is counted
 * until then.
 */
async function secondsUntilRoom(id: string, limit: Limit, needed: number): Promise<number> {
  const { windowSeconds } = limit;
  const known = await queryOne<Windows>(sql`
    SELECT ${KNOWN_USES} AS uses, ${previousUses(windowSeconds)} AS previous,
           unix_now() - ${CURRENT} AS passed
    FROM (SELECT ${startOf(windowSeconds)} AS started_at) AS excluded
    LEFT JOIN usage_windows AS known ON known.id = ${id}`);
  return known ? secondsToWait(known, limit, needed) : 1;
}

/** The uses of this window and the one before, and the seconds since this one began. */
interface Windows {
  uses: number;
  previous: number;
  passed: number;
}

/** The seconds until the condition of `countUses` holds, at least 1. */
export function secondsToWait(
  { uses, previous, passed }: Windows,
  { limit, windowSeconds }: Limit,
  needed: number,
): number {
  const room = Math.max(limit - needed + 1, 1);
  // The uses of a window count less with each second of the next. Divides last, as `faded` does.
  const secondsUntil = (left: number, fading: number) =>
    fading < left ? 0 : Math.floor((windowSeconds * (fading - left)) / fading) + 1;
  const wait =
    uses < room
      ? secondsUntil(room - uses, previous) - passed
      : windowSeconds - passed + secondsUntil(room, uses);
  return Math.max(wait, 1);
}

/** Reads what remains, without counting. */
export async function readUses(id: string, limit: Limit): Promise<Allowance> {
  const { windowSeconds } = limit;
  const row = await queryOne<{ recent: number; reset: number }>(sql`
    SELECT coalesce(${recentUses(windowSeconds)}, 0) AS recent,
           ${CURRENT} + ${windowSeconds}::bigint - unix_now() AS reset
    FROM (SELECT ${startOf(windowSeconds)} AS started_at) AS excluded
    LEFT JOIN usage_windows AS known ON known.id = ${id}`);
  const remaining = Math.max(Math.floor(limit.limit - (row?.recent ?? 0)), 0);
  return { limit, remaining, resetSeconds: Math.max(row?.reset ?? windowSeconds, 1) };
}

function startOf(windowSeconds: number) {
  return sql`(unix_now() / ${windowSeconds}::bigint * ${windowSeconds}::bigint)`;
}

/**
 * The start of the current window. A statement that has waited for the row may find a later one
 * than its own. A start far ahead is from before the clock was set back.
 */
const CURRENT = sql`(CASE WHEN known.started_at <= unix_now() + ${AHEAD_SECONDS_MAX}::bigint
  THEN greatest(known.started_at, excluded.started_at) ELSE excluded.started_at END)`;

/** The uses of that window. */
const KNOWN_USES = sql`(CASE WHEN known.started_at = ${CURRENT} THEN known.uses ELSE 0 END)`;

function previousUses(windowSeconds: number) {
  return sql`CASE known.started_at WHEN ${CURRENT} THEN known.previous_uses
    WHEN ${CURRENT} - ${windowSeconds}::bigint THEN known.uses ELSE 0 END`;
}

function recentUses(windowSeconds: number) {
  return sql`(${KNOWN_USES} + ${faded(previousUses(windowSeconds), CURRENT, windowSeconds)})`;
}

/** How many uses of the window before still count. Divides last, so that whole results are exact. */
function faded(previous: Sql, startedAt: Sql, windowSeconds: number) {
  return sql`((${previous}) * (${windowSeconds}::bigint - greatest(unix_now() - ${startedAt}, 0)))::float8
    / ${windowSeconds}::bigint`;
}

function removeOld() {
  const where = sql`started_at < unix_now() - ${RETENTION_SECONDS}::bigint`;
  return removeRows({ table: sql`usage_windows`, where }, 10);
}
