import type { Caller } from "@/lib/platform/caller";
import type { ColumnName, ColumnType, Model } from "@/lib/platform/db/columns";
import type { Transaction } from "@/lib/platform/db/sql";
import type { ResponseRecord } from "@/lib/platform/http/response-records";
import { lengthOf, turnIfLarge } from "@/lib/platform/loop-turns";
import { actorOf } from "./change";
import { type Identity, type Insert, insertTogether, type Statement } from "./insert-together";
import type { Kind } from "./kinds";

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
 * statement. The function takes the row, and a function that makes the response's resource from the inserted row. A
 * column without a value does not compile; take `columns` from the contract of the create, so that
 * none is forgotten.
 */
export function inserter<Name extends Model, Column extends ColumnName<Name>>(
  kind: Kind & { model: Name },
  statement: Statement<Name, Column>,
) {
  const insert = insertTogether(kind, statement);
  return <Resource extends object, Stored extends Identity & Given<Name, Column>>(
    caller: Caller,
    row: Stored,
    resource: (row: Stored & Made) => Resource,
    moreTimes: readonly string[] = [],
  ) => {
    const check = caller.kind === "key" ? caller.check : undefined;
    const checking: Insert = check ? (item, db) => insert({ check, ...item }, db) : insert;
    const times = [...TIMES, ...moreTimes];
    // A spread of both would cost Node 20 two microseconds.
    const shown = (made: Made) => resource(Object.assign({}, row, made));
    return new Insertion(checking, { actor: actorOf(caller), ...row }, shown, times);
  };
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

  /**
   * For a large row, a promise of a turn of the event loop to wait for between steps of the work.
   */
  turn(): Promise<void> | undefined {
    return turnIfLarge(lengthOf(this.row));
  }

  /** The resource with its times as seconds since its creation, which only the database knows. */
  timeless(): Resource {
    const now = Math.floor(Date.now() / 1000);
    const resource = this.madeAt(now);
    const times = this.times.map((name) => [name, Object(resource)[name] - now]);
    return { ...resource, ...Object.fromEntries(times) };
  }

  async store(db?: Transaction): Promise<Resource> {
    const stored = await this.storeWith(undefined, db);
    if (!stored) throw new Error("An insert returned no row.");
    return stored;
  }

  /** Stores the resource and returns it, or undefined if the record exists already. */
  async storeWith(
    record: ResponseRecord | undefined,
    db?: Transaction,
  ): Promise<Resource | undefined> {
    const { id, organization_id: organizationId, actor } = this.row;
    await this.turn();
    const item = { id, organizationId, actor, row: jsonOf(this.row), record };
    const created = await this.insert(item, db);
    await this.turn();
    const made = created && this.madeAt(created.created_at);
    await this.turn();
    return made;
  }

  private madeAt(time: number): Resource {
    return this.resource({ created_at: time, updated_at: time, revision: 1 });
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
