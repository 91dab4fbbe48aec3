import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { inBatches } from "@/lib/db/batches";
import { join, query, Statement, sql } from "@/lib/db/sql";
import type { Precondition } from "@/lib/http/conditional";
import { jsonOf } from "./insertion";

const BATCH_BYTES_MAX = 4_000_000;
/** Changes queued in memory; beyond it callers get 503. */
const QUEUED_BYTES_MAX = 200_000_000;
/** One row may be locked for long; only changes of the same organization wait for it. */
const BATCHES_AT_ONCE_MAX = 2;

interface Item {
  id: string;
  /** The changes as JSON, with the row's ID. */
  changes: string;
}

interface OwnedRow {
  id: string;
  organization_id: string | null;
  revision: number;
}

/**
 * Makes the function that updates a resource and returns it; updates of one organization that
 * arrive together share a statement. It takes the new values by column, and throws 404, 403, and
 * 412 when the precondition fails.
 */
export function updater<Row extends OwnedRow, Resource>(kind: {
  find(caller: Caller, id: string): Promise<Row>;
  serialize(row: Row): Resource;
  /** Throws when the row may not be updated; `where` is the same as a condition. */
  assertUpdatable?(row: Row, caller: Caller): void;
  where?: Statement;
  table: Statement;
  /** Assignments. The new values are in the row `changes`, and all changes in the JSON `item`. */
  set: Statement;
  /** The columns of a `Row`, after the update. */
  returned: Statement;
  /** Further `WITH` queries over the rows after the update, named `written`. */
  more?: Statement;
  /** A column that announces the update. */
  announced?: Statement;
}): (
  caller: Caller,
  id: string,
  changes: Record<string, unknown>,
  precondition?: Precondition,
) => Promise<Resource> {
  const { find, serialize, assertUpdatable, table, set, returned } = kind;
  const { where = sql`true`, more = sql``, announced = sql`NULL` } = kind;

  const updateInBatches = inBatches<Item, Row | undefined>((_, items) => run(items), {
    weightOf: ({ changes }) => changes.length,
    batchWeightMax: BATCH_BYTES_MAX,
    queuedWeightMax: QUEUED_BYTES_MAX,
    concurrencyMax: BATCHES_AT_ONCE_MAX,
  });

  return async function update(caller, id, changes, precondition): Promise<Resource> {
    const isEmpty = Object.values(changes).every((value) => value === undefined);
    const row = isEmpty || precondition || assertUpdatable ? await find(caller, id) : undefined;
    if (row) {
      // Before If-Match: a request that would fail anyway fails for its own reason (RFC 9110 §13.2.1).
      assertUpdatable?.(row, caller);
      precondition?.(serialize(row));
      if (isEmpty) return serialize(row);
    }
    const organizationId = organizationOf(caller);
    const revision = precondition && row?.revision;
    const item = { ...changes, id, organization_id: organizationId, revision };
    const updated = await updateInBatches(organizationId ?? id, { id, changes: jsonOf(item) });
    if (updated) return serialize(updated);
    await find(caller, id); // throws the reason, unless another request was faster
    return update(caller, id, changes, precondition);
  };

  async function run(items: Item[]): Promise<(Row | undefined)[]> {
    const results: (Row | undefined)[] = [];
    // A statement changes a row only once.
    for (let left = [...items.entries()]; left.length > 0; ) {
      const ids = new Set<string>();
      const now = left.filter(([, { id }]) => !ids.has(id) && ids.add(id));
      const rows = await write(now.map(([, { changes }]) => changes));
      for (const [index, { id }] of now) results[index] = rows.find((row) => row.id === id);
      left = left.filter((one) => !now.includes(one));
    }
    return results;
  }

  function write(changes: string[]): Promise<Row[]> {
    return query<Row>(sql`
      WITH given AS (
        SELECT changes, item
        FROM json_array_elements(${`[${changes.join()}]`}::json) AS item
        CROSS JOIN json_populate_record(NULL::${table}, item) AS changes
      ), written AS (
        UPDATE ${table} SET ${set}, updated_at = unix_now(), revision = revision + 1
        FROM given
        WHERE id = (changes).id AND ${where}
          AND (organization_id IS NULL OR organization_id = (changes).organization_id)
          AND ((changes).revision IS NULL OR revision = (changes).revision)
        RETURNING ${table}.*, item
      ) ${more}
      SELECT ${returned}, ${announced} FROM written AS ${table}`);
  }
}

/** Assigns the columns that the changes have. Column names must never come from a caller. */
export function givenColumns(...columns: string[]): Statement {
  return join(
    columns.map((name) => {
      const value = `CASE WHEN item->'${name}' IS NULL THEN ${name} ELSE (changes).${name} END`;
      return new Statement([`${name} = ${value}`], []);
    }),
    ", ",
  );
}
