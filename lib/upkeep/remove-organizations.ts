import { HAS_NOT_ENDED } from "@/lib/identity/keys/live-key";
import { isDatabaseGone } from "@/lib/platform/db/failures";
import { LARGE_ROWS_MAX } from "@/lib/platform/db/remove-rows";
import {
  query,
  queryOne,
  raw,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { logError } from "@/lib/platform/telemetry/log";
import { type Kind, type KindName, kinds } from "@/lib/resources/kinds";
import { resources } from "@/lib/resources/registry";
import { removeParts } from "@/lib/resources/remove-unclaimed";

/**
 * The row of a deleted organization stays for longer than any request takes, so that writes which
 * began before the deletion still find it. Their rows are removed with the rest.
 */
const SETTLED_SECONDS = 600;
/** The pause before an organization is tried again that looks empty but is not settled, or whose removal failed. */
const PAUSE_SECONDS = 60;
/** The time that rows may take one by one, so that a sweep keeps to its budget. */
const ONE_BY_ONE_MS_MAX = 3000;
/** The number of resources among which one statement looks for those with a state. */
const PAGE_ROWS = 5000;

/** Kinds that act or are served without a key go first: the removal of millions of rows takes a while. */
const FIRST: KindName[] = ["schedules", "messages", "artifacts", "questions"];

const subscriptions = { table: sql`subscriptions`, key: sql`id` };
/** The other tables with rows of an organization, each with its key. */
const belongings = [
  { table: sql`changes`, key: sql`organization_id, xid, id` },
  // Before the registrations: deleting one deletes all its keys in the same statement.
  { table: sql`api_keys`, key: sql`id` },
  { table: sql`agent_registrations`, key: sql`id` },
  { table: sql`audit_events`, key: sql`id` },
  { table: sql`webhook_replays`, key: sql`id` },
  { table: sql`delivery_flows`, key: sql`organization_id, hour, source, host` },
];

/** Removes about `limit` rows of deleted organizations and returns their number. */
export async function removeDeletedOrganizations(limit: number): Promise<number> {
  const deleted = await query<{ id: string }>(
    sql`SELECT id FROM deleted_organizations WHERE due_at <= unix_now() ORDER BY due_at, id LIMIT 10`,
  );
  for (const { id } of deleted) {
    const removed = await removeBatch(id, limit).catch((error) => removeOneByOne(id, error));
    if (removed > 0) return removed;
  }
  return 0;
}

/** Rows that are too much for one statement, such as tasks for which many wait, may go one by one. */
async function removeOneByOne(id: string, error: unknown): Promise<number> {
  if (isDatabaseGone(error)) throw error;
  const end = performance.now() + ONE_BY_ONE_MS_MAX;
  let all = 0;
  do {
    const removed = await removeBatch(id, 1).catch((alone) => pause(id, alone));
    if (removed === 0) break;
    all += removed;
  } while (performance.now() < end);
  return all;
}

/** An organization whose removal fails holds up no other one. */
async function pause(id: string, error: unknown): Promise<number> {
  if (isDatabaseGone(error)) throw error;
  logError(`Removing organization ${id} failed:`, error);
  await query(setDue(id, PAUSE_SECONDS));
  return 0;
}

function setDue(id: string, seconds: number) {
  return sql`UPDATE deleted_organizations SET due_at = unix_now() + ${seconds}::bigint
             WHERE id = ${id}`;
}

/** Removes rows in one short transaction, so that its locks are held briefly. */
function removeBatch(id: string, limit: number): Promise<number> {
  return transaction(async (db) => {
    const turn = await queryOne<{ deleted_at: number; is_settled: boolean }>(
      sql`SELECT deleted_at, deleted_at <= unix_now() - ${SETTLED_SECONDS}::bigint AS is_settled
          FROM deleted_organizations WHERE id = ${id} FOR UPDATE SKIP LOCKED`,
      db,
    );
    if (!turn) return 0;
    await removeLateMembers(db, id);
    const closed = await removeStates(db, id, turn.deleted_at, limit);
    // Committed on its own, since the removal of what follows may fail.
    const removed = closed > 0 ? closed : await removeNext(db, id, limit);
    // Other organizations go first.
    if (removed > 0) await query(setDue(id, 0), db);
    else if (turn.is_settled) return removeOrganization(db, id);
    else await query(setDue(id, PAUSE_SECONDS), db);
    return removed;
  });
}

/** Where the next turn of a removal continues: no resource up to `after` has a state. */
let resume = { removal: "", after: "" };

/**
 * Without its state, captures do not find an endpoint, nor ingests an inbox. The oldest go first, so none is left once
 * the newest resources have none. Usually nothing else is read.
 */
async function removeStates(
  db: Transaction,
  id: string,
  deletedAt: number,
  limit: number,
): Promise<number> {
  for (const { state, ...kind } of kinds) {
    if (!state) continue;
    const [table, states, parent] = [raw(kind.table), raw(state.table), raw(state.parent)];
    const open = (ids: string[], most: number) =>
      idsOf(
        db,
        sql`SELECT ${parent} AS id FROM ${states} WHERE ${parent} = ANY (${ids}) LIMIT ${most}`,
      );
    const owned = sql`SELECT id FROM ${table} WHERE organization_id = ${id}`;
    const order = sql`ORDER BY organization_id, id`;
    const newest = await idsOf(db, sql`${owned} ${order} DESC LIMIT ${LARGE_ROWS_MAX}`);
    if (newest.length === 0 || (await open(newest, 1)).length === 0) continue;
    // An organization that was restored and then deleted again starts from the beginning.
    const removal = `${id} ${deletedAt} ${kind.name}`;
    // Page by page: a statement over all resources would read the closed ones again each time.
    let after: string | undefined = resume.removal === removal ? resume.after : "";
    while (after !== undefined) {
      const page: string[] = await idsOf(
        db,
        sql`${owned} AND id > ${after} ${order} LIMIT ${PAGE_ROWS}`,
      );
      const found = await open(page, limit);
      if (found.length > 0) {
        resume = { removal, after };
        await query(sql`DELETE FROM ${states} WHERE ${parent} = ANY (${found})`, db);
        return found.length;
      }
      after = page.at(-1);
    }
  }
  return 0;
}

async function idsOf(db: Transaction, found: Sql): Promise<string[]> {
  return (await query<{ id: string }>(found, db)).map(({ id }) => id);
}

/** Removes rows of the first table that has any. */
async function removeNext(db: Transaction, id: string, limit: number): Promise<number> {
  const inOrder = resources.map(({ kind }) => kind);
  const first = inOrder.filter(({ name }) => FIRST.includes(name));
  const rest = inOrder.filter(({ name }) => !FIRST.includes(name));
  const steps = [
    () => removeBelongings(db, id, subscriptions, limit),
    ...[...first, ...rest].map((kind) => () => removeResources(db, id, kind, limit)),
    ...belongings.map((table) => () => removeBelongings(db, id, table, limit)),
  ];
  for (const step of steps) {
    const removed = await step();
    if (removed > 0) return removed;
  }
  return 0;
}

async function removeBelongings(
  db: Transaction,
  id: string,
  { table, key }: typeof subscriptions,
  limit: number,
): Promise<number> {
  const removed = await query(
    sql`DELETE FROM ${table} WHERE (${key}) IN (
          SELECT ${key} FROM ${table} WHERE organization_id = ${id} LIMIT ${limit}
        ) RETURNING 1`,
    db,
  );
  return removed.length;
}

/** Removes members and keys that a concurrent transaction added. */
async function removeLateMembers(db: Transaction, id: string) {
  await query(sql`DELETE FROM members WHERE organization_id = ${id}`, db);
  await query(
    sql`UPDATE api_keys SET revoked_at = unix_now()
        WHERE organization_id = ${id} AND ${HAS_NOT_ENDED}`,
    db,
  );
}

async function removeResources(
  db: Transaction,
  organizationId: string,
  { parts, ...kind }: Kind,
  limit: number,
): Promise<number> {
  const table = raw(kind.table);
  const ids = await idsOf(
    db,
    sql`SELECT id FROM ${table} WHERE organization_id = ${organizationId}
        ORDER BY organization_id, id DESC LIMIT ${Math.min(limit, LARGE_ROWS_MAX)}`,
  );
  if (ids.length === 0) return 0;
  for (const part of parts) {
    const most = part.large ? Math.min(limit, LARGE_ROWS_MAX) : limit;
    // The remaining rows, and any added now, are deleted with their resource.
    if ((await removeParts(part, ids, most, db)) === most) return most;
  }
  const removed = await query(
    sql`DELETE FROM ${table} WHERE organization_id = ${organizationId} AND id IN (
          SELECT id FROM ${table} WHERE id = ANY (${ids}) ORDER BY id FOR UPDATE
        ) RETURNING 1`,
    db,
  );
  return removed.length;
}

/** The last step: the few rows that are left go with the organization. */
async function removeOrganization(db: Transaction, id: string): Promise<number> {
  await query(
    sql`DELETE FROM artifact_shares WHERE artifact_id IS NULL AND organization_id = ${id}`,
    db,
  );
  await query(sql`DELETE FROM organizations WHERE id = ${id}`, db);
  await query(sql`DELETE FROM deleted_organizations WHERE id = ${id}`, db);
  return 1;
}
