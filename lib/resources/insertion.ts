import { unlessLive } from "@/lib/identity/keys/remembered-keys";
import type { Caller, KeyCheck } from "@/lib/platform/caller";
import { inBatches } from "@/lib/platform/db/batches";
import type { ColumnName, ColumnType, Model } from "@/lib/platform/db/columns";
import { join, query, raw, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { type ResponseRecord, recordResponses } from "@/lib/platform/http/response-records";
import { actorOf, recordChanges } from "./change";
import type { Kind } from "./kinds";

const BATCH_BYTES_MAX = 4_000_000;
/** Rows queued in memory. Beyond this, callers get 503. */
const QUEUED_BYTES_MAX = 200_000_000;
/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;

interface Created {
  id: string;
  created_at: number;
}

const IDENTITY: (keyof Identity)[] = ["id", "organization_id", "claim_token_digest"];

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

/** Inserts a row and its idempotency record; undefined if the record exists already. */
type Insert = (item: Item, db?: Transaction) => Promise<Created | undefined>;

/** The columns with which the create of any resource starts. */
export interface Identity {
  id: string;
  organization_id: string | null;
  claim_token_digest: string | null;
}

/** A row to be inserted, with bytes as Postgres reads them in JSON. */
type Given<Name extends Model, Column> = {
  [One in Column & string]: Written<ColumnType<Name, One>>;
};
type Written<Value> = Value extends Buffer ? string : Value;

/** The members of a resource that only the insert knows. */
export interface Made {
  created_at: number;
  updated_at: number;
  revision: number;
}

/** The members of every resource that are derived from its creation time. */
const TIMES = ["created_at", "updated_at"];

/**
 * Makes the function that prepares new resources of a kind. Resources stored together share a
 * statement. The function takes the row, and makes the resource from it as the response shows it. A
 * column without a value does not compile; take `columns` from the contract of the create, so that
 * none is forgotten.
 */
export function inserter<Name extends Model, Column extends ColumnName<Name>>(
  kind: Kind & { model: Name },
  statement: {
    columns: readonly Column[];
    /** Further columns that `withColumns` may set. */
    others?: readonly ColumnName<Name>[];
    /** Columns with an expression over the row `given`, which has all members as JSON `item`. */
    computed?: { [One in ColumnName<Name>]?: Sql };
    /** What the expressions need besides the row, starting with a join. */
    joined?: Sql;
    /** Columns of `written` besides `id` and `created_at`, starting with a comma. */
    returned?: Sql;
    /** Further `WITH` queries over `given` and over the inserted rows, named `written`. */
    more?: Sql;
    /** A column of the result, over `written`. */
    publish?: Sql;
  },
) {
  const insert = insertTogether(kind, statement);
  return <Resource extends object>(
    caller: Caller,
    row: Identity & Given<Name, Column>,
    resource: (made: Made) => Resource,
    moreTimes: readonly string[] = [],
  ) => {
    const check = caller.kind === "key" ? caller.check : undefined;
    const checking: Insert = check ? (item, db) => insert({ ...item, check }, db) : insert;
    const times = [...TIMES, ...moreTimes];
    return new Insertion(checking, { ...row, actor: actorOf(caller) }, resource, times);
  };
}

function insertTogether<Name extends Model>(
  kind: Kind,
  statement: Parameters<typeof inserter<Name, ColumnName<Name>>>[1],
): Insert {
  const { columns, others = [], computed = {}, joined = sql``, returned = sql`` } = statement;
  const { more = sql``, publish = sql`NULL` } = statement;
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
    batchWeightMax: BATCH_BYTES_MAX,
    queuedWeightMax: QUEUED_BYTES_MAX,
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
    const unchecked = chosen.filter(({ check }) => check?.isDone === false);
    const hasUnchecked = unchecked.length > 0;
    // As parameters, since a join with the rows would cost more.
    const owned = chosen.filter(({ organizationId }) => organizationId !== null);
    const isLive = hasUnchecked ? sql`AND id NOT IN (SELECT id FROM ended)` : sql``;
    const isNew =
      records.length === 0 ? sql`` : sql`AND id NOT IN (SELECT resource_id FROM refused)`;
    const created = sql`(
      SELECT * FROM unnest(${owned.map(({ id }) => id)}::text[],
        ${owned.map(({ organizationId }) => organizationId)}::text[],
        ${owned.map(({ actor }) => actor)}::text[]) AS owned (id, organization_id, actor)
      WHERE true ${isLive} ${isNew})`;
    const recorded = sql`, feed AS (
      ${recordChanges(kind.name, "created", created, sql`changed.actor`)})`;
    const rows = await query<Created>(
      sql`
      WITH ${hasUnchecked ? sql`ended AS (${join(unchecked.map(unlessLive), " UNION ALL ")}),` : sql``}
      ${records.length === 0 ? sql`` : sql`${recordResponses(records, hasUnchecked)},`} given AS (
        SELECT populated.*, item
        FROM json_array_elements(${`[${chosen.map(({ row }) => row).join()}]`}::json) AS item
        CROSS JOIN json_populate_record(NULL::${table}, item) AS populated
        WHERE true ${isLive} ${isNew}
      ), written AS (${insert}) ${more} ${owned.length === 0 ? sql`` : recorded}
      SELECT id, created_at, ${publish} FROM written`,
      db,
    );
    const written = new Map(rows.map((row) => [row.id, row]));
    return items.map(({ id }) => written.get(id));
  }
}

/** A statement can store a record only once. The others find the stored one later. */
function firstPerRecord(items: Item[]) {
  const records = new Map<string, ResponseRecord & { resource_id: string }>();
  const chosen = items.filter(({ id, record }) => {
    if (!record) return true;
    if (records.has(record.id)) return false;
    records.set(record.id, { ...record, resource_id: id });
    return true;
  });
  return { chosen, records: [...records.values()] };
}

/** The columns, and who creates the row (`actorOf`). */
type Row = {
  id: string;
  organization_id: string | null;
  actor: string | null;
} & Record<string, unknown>;

/** A resource that is ready to be stored. */
export class Insertion<Resource extends object> {
  private readonly insert: Insert;
  private readonly row: Row;
  private readonly resource: (made: Made) => Resource;
  /** The fields derived from the creation time. */
  readonly times: readonly string[];
  /** Called once the resource has been committed. */
  readonly committed: () => void;

  constructor(
    insert: Insert,
    row: Row,
    resource: (made: Made) => Resource,
    times: readonly string[],
    committed = () => {},
  ) {
    this.insert = insert;
    this.row = row;
    this.resource = resource;
    this.times = times;
    this.committed = committed;
  }

  /** Overrides some columns, such as those that the resource does not show. */
  withColumns(columns: Record<string, unknown>): Insertion<Resource> {
    const row = { ...this.row, ...columns };
    return new Insertion(this.insert, row, this.resource, this.times, this.committed);
  }

  /** Calls `work` once the resource is committed. */
  followedBy(work: () => void): Insertion<Resource> {
    return new Insertion(this.insert, this.row, this.resource, this.times, work);
  }

  /** The resource with its times as seconds since its creation, which only the database knows. */
  timeless(): Resource {
    const now = Math.floor(Date.now() / 1000);
    const resource = this.madeAt(now);
    const times = this.times.map((name) => [name, Object(resource)[name] - now]);
    return { ...resource, ...Object.fromEntries(times) };
  }

  async store(db?: Transaction): Promise<Resource> {
    const created = await this.insert(this.item(), db);
    if (!created) throw new Error("An insert returned no row.");
    return this.madeAt(created.created_at);
  }

  /** Stores the resource unless the record exists. Returns whether it did. */
  async storeWith(record: ResponseRecord, db?: Transaction): Promise<Resource | undefined> {
    const created = await this.insert(this.item(record), db);
    return created && this.madeAt(created.created_at);
  }

  private madeAt(time: number): Resource {
    return this.resource({ created_at: time, updated_at: time, revision: 1 });
  }

  private item(record?: ResponseRecord): Item {
    const { id, organization_id: organizationId, actor } = this.row;
    return { id, organizationId, actor, row: jsonOf(this.row), record };
  }
}

/** JSON for Postgres, which refuses escaped lone surrogates. */
export function jsonOf(row: object): string {
  const json = JSON.stringify(row);
  if (!LONE_SURROGATE.test(json)) return json;
  return JSON.stringify(row, (_, value) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}

const LONE_SURROGATE = /\\ud[89a-f]/;
