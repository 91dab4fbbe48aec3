import type { KeyCheck } from "@/lib/platform/caller";
import { inBatches, WRITES } from "@/lib/platform/db/batches";
import type { ColumnName, Model } from "@/lib/platform/db/columns";
import { join, query, raw, rowsOf, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { type ResponseRecord, recordResponses } from "@/lib/platform/http/response-records";
import { recordChanges } from "./change";
import type { Kind } from "./kinds";

/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;

/** The columns with which the create of any resource starts. */
export interface Identity {
  id: string;
  organization_id: string | null;
  claim_token_digest: string | null;
}

const IDENTITY: (keyof Identity)[] = ["id", "organization_id", "claim_token_digest"];

/** The statement that inserts resources of one kind. */
export interface Statement<Name extends Model, Column extends ColumnName<Name>> {
  columns: readonly Column[];
  /** Further columns that `withColumns` may set. */
  others?: readonly ColumnName<Name>[];
  /** Columns with an expression over the row `given`, which has all members as JSON `item`. */
  computed?: { [One in ColumnName<Name>]?: Sql };
  /** Tables that the expressions need besides the row, starting with a join. */
  joined?: Sql;
  /** Columns of `written` besides `id` and `created_at`, starting with a comma. */
  returned?: Sql;
  /** Further `WITH` queries over `given` and over the inserted rows, named `written`. */
  more?: Sql;
  /** A column of the result, over `written`. */
  notify?: Sql;
}

interface Item {
  id: string;
  /** The row as JSON. */
  row: string;
  organizationId: string | null;
  actor: string | null;
  record: ResponseRecord | undefined;
  /** The statement must not insert the row if the caller's key has ended. */
  check?: KeyCheck;
}

interface Created {
  id: string;
  created_at: number;
}

/** Inserts a row and its idempotency record; undefined if the record exists already. */
export type Insert = (item: Item, db?: Transaction) => Promise<Created | undefined>;

/** Makes the function that inserts rows. Those that arrive together share a statement. */
export function insertTogether<Name extends Model, Column extends ColumnName<Name>>(
  kind: Kind,
  statement: Statement<Name, Column>,
): Insert {
  const { columns, others = [], computed = {}, joined = sql``, returned = sql`` } = statement;
  const { more = sql``, notify = sql`NULL` } = statement;
  const table = raw(kind.table);
  const given = [...IDENTITY, ...columns, ...others].map((name) => [name, raw(name)] as const);
  const values = [...given, ...Object.entries<Sql>(computed)];
  const insert = sql`
    INSERT INTO ${table} (${raw(values.map(([name]) => name).join(", "))})
    SELECT ${join(
      values.map(([, value]) => value),
      ", ",
    )} FROM given ${joined}
    RETURNING id, created_at ${returned}`;

  const insertInBatches = inBatches<Item, Created | undefined>((_, items) => run(items), {
    weightOf: ({ row, record }) => row.length + (record?.answer.length ?? 0),
    ...WRITES,
    concurrencyMax: BATCHES_AT_ONCE_MAX,
  });

  return async (item, db) => {
    const store = async () => (db ? (await run([item], db))[0] : insertInBatches("", item));
    const created = await store();
    if (!item.check || item.check.isDone) return created;
    if (created) {
      item.check.pass();
      return created;
    }
    // Its key has ended, or its record exists already.
    await item.check.run();
    return store();
  };

  async function run(items: Item[], db?: Transaction): Promise<(Created | undefined)[]> {
    const { chosen, records } = firstPerRecord(items);
    // At most one item has an unchecked key (`expectedCaller`).
    const check = chosen.find(isUnchecked)?.check;
    // These are parameters, since a join with the rows would cost more.
    const authored = chosen.filter((item) => item.organizationId !== null || isUnchecked(item));
    const authors = rowsOf("author", {
      id: { type: "text", values: authored.map(({ id }) => id) },
      organization_id: {
        type: "text",
        values: authored.map(({ organizationId }) => organizationId),
      },
      actor: { type: "text", values: authored.map(({ actor }) => actor) },
      is_unchecked: { type: "boolean", values: authored.map(isUnchecked) },
    });
    const ended = check
      ? sql`ended AS (SELECT id FROM author WHERE is_unchecked AND ${check.isLive()} IS NOT TRUE),`
      : sql``;
    const isLive = check ? sql`AND id NOT IN (SELECT id FROM ended)` : sql``;
    const isNew =
      records.length === 0 ? sql`` : sql`AND id NOT IN (SELECT resource_id FROM refused)`;
    const created = sql`(SELECT * FROM author WHERE true ${isLive} ${isNew})`;
    const recorded = sql`, feed AS (
      ${recordChanges(kind.name, "created", created, sql`changed.actor`)})`;
    const rows = await query<Created>(
      sql`
      WITH ${authored.length === 0 ? sql`` : sql`author AS (SELECT * FROM ${authors}),`} ${ended}
      ${records.length === 0 ? sql`` : sql`${recordResponses(records, check !== undefined)},`} given AS (
        SELECT populated.*, item
        FROM json_array_elements(${`[${chosen.map(({ row }) => row).join()}]`}::json) AS item
        CROSS JOIN json_populate_record(NULL::${table}, item) AS populated
        WHERE true ${isLive} ${isNew}
      ), written AS (${insert}) ${more} ${authored.length === 0 ? sql`` : recorded}
      SELECT id, created_at, ${notify} FROM written`,
      db,
    );
    const written = new Map(rows.map((row) => [row.id, row]));
    return items.map(({ id }) => written.get(id));
  }
}

/** Whether the statement must find out if the key is live. */
function isUnchecked({ check }: Item): boolean {
  return check?.isDone === false;
}

/** A statement can store a record only once. The others find the stored one later. */
function firstPerRecord(items: Item[]) {
  const records = new Map<string, ResponseRecord & { resource_id: string }>();
  const chosen = items.filter(({ id, record }) => {
    if (!record) return true;
    if (records.has(record.id)) return false;
    records.set(record.id, { resource_id: id, ...record });
    return true;
  });
  return { chosen, records: [...records.values()] };
}
