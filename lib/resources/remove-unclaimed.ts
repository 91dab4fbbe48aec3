import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { unclaimedAmong } from "@/lib/identity/organizations/unclaimed";
import { config } from "@/lib/platform/config/config";
import { isDatabaseGone } from "@/lib/platform/db/failures";
import { LARGE_ROWS_MAX, removeLarge } from "@/lib/platform/db/remove-rows";
import { query, raw, type Sql, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { recordChanges } from "./change";
import type { Kind } from "./kinds";
import { walk } from "./walk";

/** Parts per transaction. */
const BULK_ROWS_MAX = 10_000;
/** The time that a batch may take, and its rows one by one, so that a sweep keeps to its budget. */
const BATCH_MS_MAX = 3000;
const SECONDS_PER_DAY = 86_400;
const RETRY_MS = 3_600_000;

/** When to try again what could not be removed, by ID. */
const retryAt = new Map<string, number>();

interface Removable {
  kind: Kind;
  /** When a resource was last used, in Unix seconds, from its row and its state. */
  lastUsedAt: Sql;
  /**
   * Only resources that meet this condition are removed. A partial index has the same condition.
   */
  isOver: Sql | undefined;
  /** The rows whose deletions the feed of their organization has. */
  isRecorded: Sql;
  /** True if rows may have up to a megabyte. */
  large: boolean;
}

/**
 * Makes the function that deletes about `limit` public resources unused for `PUBLIC_RESOURCE_TTL_DAYS`. Old ones that
 * are in use hold up no others. If a deletion fails, it deletes them one by one for a while, and passes over those that
 * cannot be deleted for an hour.
 */
export function unclaimedRemover(removable: Removable) {
  const { kind, isOver = sql`true`, large } = removable;
  return walk<{ id: string; ids?: string[] }>("Unclaimed resources could not be removed", {
    // By the index on organization and ID, since IDs start with the time. With both bounds in one
    // condition, the planner would expect few rows and sort them all.
    page: (after, limit) =>
      query(sql`
        SELECT id FROM (
          SELECT id FROM ${raw(kind.table)}
          WHERE organization_id IS NULL AND id > ${after} AND ${isOver}
          ORDER BY organization_id DESC, id LIMIT ${limit}
        ) AS next WHERE id < ${`${kind.prefix}_`} || id_time(${since()} * 1000000)`),
    async due(page) {
      const ids = await unusedAmong(
        removable,
        sql`id = ANY (${page.map(({ id }) => id)}) ORDER BY id`,
      );
      return batchesOf(ids, large ? LARGE_ROWS_MAX : ids.length);
    },
    work: ({ ids = [] }) => removeAll(removable, ids, null),
  });
}

/** Deletes up to `limit` resources of an unclaimed organization that are unused for as long. Returns their number. */
export async function removeUnusedOf(
  owner: string,
  removable: Removable,
  limit: number,
): Promise<number> {
  const atOnce = removable.large ? Math.min(limit, LARGE_ROWS_MAX) : limit;
  const ids = await unusedAmong(
    removable,
    sql`${raw(removable.kind.table)}.organization_id = ${owner}
      ORDER BY ${raw(removable.kind.table)}.organization_id DESC, id LIMIT ${atOnce}`,
  );
  return removeAll(removable, ids, owner);
}

function since(): Sql {
  return sql`(unix_now() - ${config().publicResourceTtlDays * SECONDS_PER_DAY}::bigint)`;
}

function isUnused({ lastUsedAt, isOver = sql`true` }: Removable): Sql {
  return sql`${lastUsedAt} < ${since()} AND ${isOver}`;
}

/** The IDs of those that may go. `which` is a condition, an order and a limit. */
async function unusedAmong(removable: Removable, which: Sql): Promise<string[]> {
  const { table, prefix, state } = removable.kind;
  const from = state
    ? sql`${raw(table)} JOIN ${raw(state.table)} ON ${raw(state.parent)} = id`
    : raw(table);
  const found = await query<{ id: string }>(sql`
    SELECT /* asks every node */ id FROM ${from}
    WHERE id <> ALL (${passedOver()}::text[])
      AND id < ${`${prefix}_`} || id_time(${since()} * 1000000)
      AND created_at < ${since()} AND ${isUnused(removable)} AND ${which}`);
  return found.map(({ id }) => id);
}

/** The IDs in lists of this size, each with its last ID. */
function batchesOf(all: string[], size: number): { id: string; ids: string[] }[] {
  const batches = [];
  for (let start = 0; start < all.length; start += size) {
    const ids = all.slice(start, start + size);
    batches.push({ id: ids.at(-1) ?? "", ids });
  }
  return batches;
}

async function removeAll(
  removable: Removable,
  ids: string[],
  owner: string | null,
): Promise<number> {
  const end = performance.now() + BATCH_MS_MAX;
  let all = 0;
  try {
    while (all < ids.length && performance.now() < end) {
      const removed = await removeSome(removable, ids, owner);
      if (removed === 0) break;
      all += removed;
    }
    return all;
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    return all + (await removeOneByOne(ids, (id) => removeSome(removable, [id], owner)));
  }
}

function passedOver(): string[] {
  const now = performance.now();
  for (const [id, at] of retryAt) {
    if (at <= now) retryAt.delete(id);
  }
  return [...retryAt.keys()];
}

async function removeOneByOne(
  ids: string[],
  remove: (id: string) => Promise<number>,
): Promise<number> {
  const end = performance.now() + BATCH_MS_MAX;
  let removed = 0;
  for (const id of ids) {
    if (performance.now() >= end || stopping.signal.aborted) break;
    try {
      removed += await remove(id);
    } catch (error) {
      if (isDatabaseGone(error)) throw error;
      logError("An unclaimed resource could not be removed:", error);
      retryAt.set(id, performance.now() + RETRY_MS);
    }
  }
  return removed;
}

/**
 * Deletes those of the resources that are still unused and have no owner who answers for them, up
 * to a number of parts. Returns how many resources it deleted.
 */
function removeSome(removable: Removable, some: string[], owner: string | null): Promise<number> {
  const { kind, isRecorded } = removable;
  const { state } = kind;
  const [part] = kind.parts;
  const table = raw(kind.table);
  const remove = (which: Sql, db: Transaction) =>
    query(
      sql`WITH removed AS (
            DELETE FROM ${table} WHERE ${which}
            RETURNING id, organization_id, ${isRecorded} AS is_recorded
          ), recorded AS (
            ${recordChanges(kind.name, "deleted", sql`(SELECT * FROM removed WHERE is_recorded)`, null)}
          )
          SELECT id FROM removed`,
      db,
    );
  return transaction(async (db) => {
    if (owner !== null) {
      // A claim of the agent takes this lock, too.
      await lockOrganizations(db, sql`${owner}`);
      if ((await unclaimedAmong([owner], db)).length === 0) return 0;
    }
    const owned = owner === null ? sql`organization_id IS NULL` : sql`organization_id = ${owner}`;
    const locked = await query<{ id: string }>(
      sql`SELECT id FROM ${table} WHERE id = ANY (${some})
          AND ${owned} ORDER BY id FOR UPDATE SKIP LOCKED`,
      db,
    );
    const lockedIds = locked.map(({ id }) => id);
    // A new statement, which sees what was used before the lock.
    if (!part || !state) {
      const removed = await remove(sql`id = ANY (${lockedIds}) AND ${isUnused(removable)}`, db);
      return removed.length;
    }
    const [states, parent, count] = [raw(state.table), raw(state.parent), raw(state.count)];
    for (const id of lockedIds) {
      await query(sql`SELECT FROM ${states} WHERE ${parent} = ${id} FOR UPDATE`, db);
    }
    // A new statement, which sees the parts that arrived before the lock.
    const rows = await query<{ id: string }>(
      sql`SELECT id FROM (
            SELECT id, sum(${count}) OVER (ORDER BY id) - ${count} AS before
            FROM ${table} JOIN ${states} ON ${parent} = id
            WHERE id = ANY (${lockedIds}) AND ${isUnused(removable)}
          ) AS summed WHERE before < ${BULK_ROWS_MAX}`,
      db,
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) {
      await removeLarge((most) => removeParts(part, ids, most, db));
      await remove(sql`id = ANY (${ids})`, db);
    }
    return ids.length;
  });
}

/** Deletes up to `limit` parts of these resources and returns their number. */
export async function removeParts(
  part: Kind["parts"][number],
  ids: string[],
  limit: number,
  db: Transaction,
): Promise<number> {
  const [table, parent, key] = [raw(part.table), raw(part.parent), raw(part.key)];
  const removed = await query(
    sql`DELETE FROM ${table} WHERE (${parent}, ${key}) IN (
          SELECT ${parent}, ${key} FROM ${table} WHERE ${parent} = ANY (${ids}) LIMIT ${limit}
        ) RETURNING 1`,
    db,
  );
  return removed.length;
}
