import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { inBatches, WRITES } from "@/lib/platform/db/batches";
import type { ColumnName, Model } from "@/lib/platform/db/columns";
import {
  join,
  query,
  raw,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import { lengthOf, turnIfLong } from "@/lib/platform/loop-turns";
import { actorOf, recordChanges } from "./change";
import { isCreators, markChange } from "./claim-token";
import { jsonOf } from "./insertion";
import type { Kind } from "./kinds";

/** One row may be locked for long, but only changes of the same organization wait for it. */
const BATCHES_AT_ONCE_MAX = 2;
/** A statement returns the rows that it changes, each with up to some megabytes. */
const ROWS_MAX = 20;

interface Item {
  id: string;
  /** The changes as JSON, with the row's ID. */
  changes: string;
}

export interface OwnedRow {
  id: string;
  organization_id: string | null;
  revision: number;
}

export interface UpdateStatement<Row> {
  /** Throws if the row may not be updated. */
  assertUpdatable?(row: Row, caller: Caller): void;
  /** The same rule as a condition, or one that the precondition enforces: a row that fails it is read again. */
  where?: Sql;
  /** The assignments, from the row `changes`, or from all changes as JSON `item`. */
  set: Sql;
  /** Columns that anyone may change before a claim without stopping the resource: other changes are marked. */
  unmarked?: readonly string[];
  /** The rows whose changes are recorded. Defaults to all. */
  isRecorded?: Sql;
  /** The progress that the update gave a task, which the change records. */
  progress?: Sql;
  /** Further `WITH` queries over the updated rows, named `written`. */
  more?: Sql;
  /** A column that notifies waiters of the update. */
  notify?: Sql;
}

/** Beside the new values, an upsert gives the external ID by which it found the resource. */
export interface FoundBy {
  found_by: string;
}

/** The resource no longer has the external ID by which it was found. Nothing has changed. */
export class Renamed extends Error {}

/**
 * Makes the function that updates a resource and returns it. Concurrent updates of one organization
 * share a statement. The function takes the new values by column, and throws 404, 403, 412 when
 * the precondition fails, and `Renamed`.
 */
export function updater<Row extends OwnedRow & { external_id: string | null }, Resource>(
  kind: Kind,
  statement: UpdateStatement<Row> & {
    find(caller: Caller, id: string): Promise<Row>;
    serialize(row: Row, caller: Caller): Resource;
    /** The columns of a `Row`, after the update. */
    returned: Sql;
  },
): (
  caller: Caller,
  id: string,
  changes: Record<string, unknown>,
  precondition?: Precondition,
) => Promise<Resource> {
  const { find, serialize, assertUpdatable, set, returned } = statement;
  const { where = sql`true`, more = sql``, notify = sql`NULL` } = statement;
  const { progress = sql`NULL::text`, isRecorded = sql`true`, unmarked = [] } = statement;
  const table = raw(kind.table);

  const updateInBatches = inBatches<Item, Row | undefined>((_, items) => run(items), {
    weightOf: ({ changes }) => changes.length,
    ...WRITES,
    batchItemsMax: ROWS_MAX,
    concurrencyMax: BATCHES_AT_ONCE_MAX,
  });

  return async function update(caller, id, changes, precondition): Promise<Resource> {
    const isEmpty = Object.values(changes).every((value) => value === undefined);
    const row = isEmpty || precondition || assertUpdatable ? await find(caller, id) : undefined;
    if (row) {
      // Checked before If-Match: a request that would fail anyway fails for its own reason (RFC
      // 9110 §13.2.1).
      assertUpdatable?.(row, caller);
      precondition?.(serialize(row, caller));
      if (isEmpty) return serialize(row, caller);
    }
    const organizationId = organizationOf(caller);
    const revision = precondition && row?.revision;
    const actor = actorOf(caller);
    const by_creator = await isCreators(caller, id);
    const isMarked = Object.entries(changes).some(
      ([name, value]) => value !== undefined && !unmarked.includes(name),
    );
    const is_trusted = by_creator || !isMarked;
    const about = { id, organization_id: organizationId, revision, actor, by_creator, is_trusted };
    const item = { ...changes, ...about };
    const updated = await updateInBatches(organizationId ?? id, { id, changes: jsonOf(item) });
    if (updated) {
      await turnIfLong(lengthOf(updated));
      return serialize(updated, caller);
    }
    const { external_id } = await find(caller, id); // throws the reason, unless another request was faster
    if ((changes.found_by ?? external_id) !== external_id) throw new Renamed();
    return update(caller, id, changes, precondition);
  };

  async function run(items: Item[]): Promise<(Row | undefined)[]> {
    const updated = new Map<Item, Row>();
    const rounds = roundsOf(items);
    const writeAll = async (db?: Transaction) => {
      for (const round of rounds) {
        const rows = new Map((await write(round, db)).map((row) => [row.id, row]));
        for (const item of round) {
          const row = rows.get(item.id);
          if (row) updated.set(item, row);
        }
      }
    };
    // All or nothing: if a batch fails, its changes are made one by one.
    await (rounds.length > 1 ? transaction(writeAll) : writeAll());
    return items.map((item) => updated.get(item));
  }

  function write(items: Item[], db?: Transaction): Promise<Row[]> {
    const ids = items.map(({ id }) => id);
    return query<Row>(
      sql`
      WITH given AS (
        SELECT changes, item
        FROM json_array_elements(${`[${items.map(({ changes }) => changes).join()}]`}::json) AS item
        CROSS JOIN json_populate_record(NULL::${table}, item) AS changes
      ), written AS (
        UPDATE ${table} SET ${set}, updated_at = unix_now(), revision = revision + 1,
          ${markChange(table, sql`(item->>'is_trusted')::boolean`)}
        FROM given
        -- The second condition keeps a plan made for a small table from scanning a large one.
        WHERE id = (changes).id AND id = ANY (${ids}) AND ${where}
          AND (organization_id IS NULL OR organization_id = (changes).organization_id)
          AND ((changes).revision IS NULL OR revision = (changes).revision)
          AND (item->'found_by' IS NULL OR external_id = item->>'found_by')
        RETURNING ${table}.*, item, ${progress} AS progress, ${isRecorded} AS is_recorded
      ), recorded AS (
        ${recordChanges(
          kind.name,
          "updated",
          sql`(SELECT * FROM written WHERE is_recorded)`,
          sql`changed.item->>'actor'`,
          sql`changed.progress`,
        )}
      ) ${more}
      SELECT ${returned}, ${notify} FROM written AS ${table}`,
      db,
    );
  }
}

/** Splits a batch: a statement changes a row once, in the same order everywhere (no deadlocks). */
function roundsOf(items: Item[]): Item[][] {
  const rounds: Item[][] = [];
  const changesOf = new Map<string, number>();
  for (const item of items) {
    const number = changesOf.get(item.id) ?? 0;
    changesOf.set(item.id, number + 1);
    const round = rounds[number] ?? [];
    rounds[number] = round;
    round.push(item);
  }
  return rounds.map((round) => round.sort((one, other) => (one.id < other.id ? -1 : 1)));
}

/**
 * Assigns those of these columns that the changes contain. Take them from the contract of the
 * update, so that none is forgotten: a field without a column does not compile.
 */
export function givenColumns<Name extends Model>(
  _model: Name,
  fields: readonly ColumnName<Name>[],
): Sql {
  return join(
    fields.map((name) => {
      const value = `CASE WHEN item->'${name}' IS NULL THEN ${name} ELSE (changes).${name} END`;
      return raw(`${name} = ${value}`);
    }),
    ", ",
  );
}
