import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { unclaimedAmong } from "@/lib/identity/organizations/unclaimed";
import { isDatabaseGone } from "@/lib/platform/db/failures";
import { LARGE_ROWS_MAX, removeLarge } from "@/lib/platform/db/remove-rows";
import { query, raw, type Sql, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { recordChanges } from "./change";
import type { Kind } from "./kinds";

/** Parts per transaction. */
const BULK_ROWS_MAX = 10_000;
/** The time that rows may take one by one, so that a sweep keeps to its budget. */
const ONE_BY_ONE_MS_MAX = 3000;
const RETRY_MS = 3_600_000;

/** When to try again what could not be removed, by ID. */
const retryAt = new Map<string, number>();

interface Removable {
  kind: Kind;
  /** When a resource was last used, in Unix seconds, from its row and its state. */
  lastUsedAt: Sql;
  /** Only resources that meet this condition are removed. */
  isOver: Sql | undefined;
  /** The rows whose deletions the feed of their organization has. */
  isRecorded: Sql;
  /** True if rows may have up to a megabyte. */
  large: boolean;
}

/**
 * Deletes up to `limit` resources unused for `ttlSeconds` and returns their number: public ones or, given an `owner`,
 * those of an organization that is unclaimed. If that fails, deletes them one by one for a while, and passes over those that cannot be deleted for an
 * hour: the oldest are deleted first, so they would hold up the others forever.
 */
export async function removeUnclaimed(
  { kind, lastUsedAt, isOver, isRecorded, large }: Removable,
  ttlSeconds: number,
  limit: number,
  owner: string | null,
): Promise<number> {
  const { prefix, state } = kind;
  const table = raw(kind.table);
  const from = state ? sql`${table} JOIN ${raw(state.table)} ON ${raw(state.parent)} = id` : table;
  const atOnce = large ? Math.min(limit, LARGE_ROWS_MAX) : limit;
  const isUnused = sql`${lastUsedAt} < unix_now() - ${ttlSeconds}::bigint ${isOver ? sql`AND ${isOver}` : sql``}`;
  // Oldest first, by the index on organization and ID, since IDs start with the time.
  const unclaimed = (which: Sql) => sql`
    SELECT /* asks every node */ id FROM ${from}
    WHERE ${ownedByOrPublic(owner, table)}
      AND id < ${`${prefix}_`} || id_time((unix_now() - ${ttlSeconds}::bigint) * 1000000)
      AND created_at < unix_now() - ${ttlSeconds}::bigint AND ${isUnused}
      AND ${which}
    ORDER BY ${table}.organization_id DESC, id LIMIT ${atOnce}`;
  const remove = (which: Sql) =>
    removeChosen({ kind, isUnused, isRecorded, owner }, unclaimed(which));
  const oldest = sql`id <> ALL (${passedOver()}::text[])`;
  try {
    return await remove(oldest);
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    const found = await query<{ id: string }>(unclaimed(oldest));
    return removeOneByOne(found, (id) => remove(sql`id = ${id}`));
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
  found: { id: string }[],
  remove: (id: string) => Promise<number>,
): Promise<number> {
  const end = performance.now() + ONE_BY_ONE_MS_MAX;
  let removed = 0;
  for (const { id } of found) {
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

interface Chosen extends Pick<Removable, "kind" | "isRecorded"> {
  isUnused: Sql;
  owner: string | null;
}

/** Deletes what `chosen` finds, is still unused and still has no owner who answers for it. Returns the number. */
async function removeChosen(
  { kind: { parts, state, ...kind }, isUnused, isRecorded, owner }: Chosen,
  chosen: Sql,
): Promise<number> {
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
  const found = await query<{ id: string }>(chosen);
  if (found.length === 0) return 0;
  return transaction(async (db) => {
    if (owner !== null) {
      // A claim of the agent takes this lock, too.
      await lockOrganizations(db, sql`${owner}`);
      if ((await unclaimedAmong([owner], db)).length === 0) return 0;
    }
    const locked = await query<{ id: string }>(
      sql`SELECT id FROM ${table} WHERE id = ANY (${found.map(({ id }) => id)})
          AND ${ownedByOrPublic(owner, table)} ORDER BY id FOR UPDATE SKIP LOCKED`,
      db,
    );
    const lockedIds = locked.map(({ id }) => id);
    const [part] = parts;
    // A new statement, which sees what was used before the lock.
    if (!part || !state) {
      return (await remove(sql`id = ANY (${lockedIds}) AND ${isUnused}`, db)).length;
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
            WHERE id = ANY (${lockedIds}) AND ${isUnused}
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

function ownedByOrPublic(owner: string | null, table: Sql): Sql {
  return owner === null
    ? sql`${table}.organization_id IS NULL`
    : sql`${table}.organization_id = ${owner}`;
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
