import { inBatches } from "@/lib/platform/db/batches";
import { query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { type ResponseRecord, recordResponses } from "@/lib/platform/http/response-records";
import { recordChanges } from "./change";
import type { ResourceName } from "./kinds";

const BATCH_BYTES_MAX = 4_000_000;
/** Rows queued in memory; beyond it callers get 503. */
const QUEUED_BYTES_MAX = 200_000_000;
/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;

interface Created {
  id: string;
  created_at: number;
}

interface Item {
  id: string;
  /** The row as JSON. */
  row: string;
  organizationId: string | null;
  actor: string | null;
  record: ResponseRecord | undefined;
}

/** Inserts a row and its idempotency record; undefined if the record exists already. */
export type Insert = (item: Item, db?: Transaction) => Promise<Created | undefined>;

/**
 * Inserts rows into a table; those that arrive together share a statement. `insert` takes them from
 * the query `given`, which has the table's columns and all members as the JSON `item`, and returns
 * at least `id` and `created_at`. `more` are further `WITH` queries, and `announced` a column of
 * the result, both over what `insert` returned, named `written`.
 */
export function insertTogether(statement: {
  name: ResourceName;
  table: Sql;
  insert: Sql;
  more?: Sql;
  announced?: Sql;
}): Insert {
  const { name, table, insert, more = sql``, announced = sql`NULL` } = statement;

  const insertInBatches = inBatches<Item, Created | undefined>((_, items) => run(items), {
    weightOf: ({ row, record }) => row.length + (record?.answer.length ?? 0),
    batchWeightMax: BATCH_BYTES_MAX,
    queuedWeightMax: QUEUED_BYTES_MAX,
    concurrencyMax: BATCHES_AT_ONCE_MAX,
  });

  return async (item, db) => (db ? (await run([item], db))[0] : insertInBatches("", item));

  async function run(items: Item[], db?: Transaction): Promise<(Created | undefined)[]> {
    const { chosen, records } = firstPerRecord(items);
    // As parameters, since a join with the rows would cost more.
    const owned = chosen.filter(({ organizationId }) => organizationId !== null);
    const wasRefused =
      records.length === 0 ? sql`` : sql`WHERE id NOT IN (SELECT resource_id FROM refused)`;
    const created = sql`(
      SELECT * FROM unnest(${owned.map(({ id }) => id)}::text[],
        ${owned.map(({ organizationId }) => organizationId)}::text[],
        ${owned.map(({ actor }) => actor)}::text[]) AS owned (id, organization_id, actor)
      ${wasRefused})`;
    const noticed = sql`, feed AS (
      ${recordChanges(name, "created", created, sql`changed.actor`)})`;
    const rows = await query<Created>(
      sql`
      WITH ${records.length === 0 ? sql`` : sql`${recordResponses(records)},`} given AS (
        SELECT populated.*, item
        FROM json_array_elements(${`[${chosen.map(({ row }) => row).join()}]`}::json) AS item
        CROSS JOIN json_populate_record(NULL::${table}, item) AS populated
        ${records.length === 0 ? sql`` : sql`WHERE populated.id NOT IN (SELECT resource_id FROM refused)`}
      ), written AS (${insert}) ${more} ${owned.length === 0 ? sql`` : noticed}
      SELECT id, created_at, ${announced} FROM written`,
      db,
    );
    const written = new Map(rows.map((row) => [row.id, row]));
    return items.map(({ id }) => written.get(id));
  }
}

/** A statement can store a record only once; the others will find what the first stored. */
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

/** The columns, and who creates it (`actorOf`). */
type Row = {
  id: string;
  organization_id: string | null;
  actor: string | null;
} & Record<string, unknown>;

/** A resource that is ready to be stored. */
export class Insertion<Resource> {
  private readonly insert: Insert;
  private readonly row: Row;
  /** The resource as the response shows it, by its creation time in Unix seconds. */
  readonly resource: (createdAt: number) => Resource;
  /** To be called once the resource is stored for good. */
  readonly committed: () => void;

  constructor(
    insert: Insert,
    row: Row,
    resource: (createdAt: number) => Resource,
    committed = () => {},
  ) {
    this.insert = insert;
    this.row = row;
    this.resource = resource;
    this.committed = committed;
  }

  /** The same resource with other values of some columns, such as those it does not show. */
  withColumns(columns: Record<string, unknown>): Insertion<Resource> {
    return new Insertion(this.insert, { ...this.row, ...columns }, this.resource, this.committed);
  }

  /** The same resource, after whose commit `work` is called. */
  followedBy(work: () => void): Insertion<Resource> {
    return new Insertion(this.insert, this.row, this.resource, work);
  }

  /** The members of the resource that count from its creation time. */
  times(): string[] {
    const late = Object(this.resource(1));
    return Object.entries(Object(this.resource(0)))
      .filter(([name, value]) => typeof value === "number" && value !== late[name])
      .map(([name]) => name);
  }

  /** Stores the resource and returns it. */
  async store(db?: Transaction): Promise<Resource> {
    const created = await this.insert(this.item(), db);
    if (!created) throw new Error("An insert returned no row.");
    return this.resource(created.created_at);
  }

  /** Stores the resource unless the record exists; returns whether it did. */
  async storeWith(record: ResponseRecord, db?: Transaction): Promise<Resource | undefined> {
    const created = await this.insert(this.item(record), db);
    return created && this.resource(created.created_at);
  }

  private item(record?: ResponseRecord): Item {
    const { id, organization_id: organizationId, actor } = this.row;
    return { id, organizationId, actor, row: jsonOf(this.row), record };
  }
}

/** JSON for Postgres, which refuses the escapes of half characters (lone surrogates). */
export function jsonOf(row: object): string {
  const json = JSON.stringify(row);
  if (!LONE_SURROGATE.test(json)) return json;
  return JSON.stringify(row, (_, value) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}

const LONE_SURROGATE = /\\ud[89a-f]/;
