import type * as z from "zod";
import { assertAccess, organizationOf, unchangedSinceRead } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { loader } from "@/lib/platform/db/loader";
import {
  bytesOf,
  isOneOf,
  queryOne,
  raw,
  type Sql,
  sql,
  type Transaction,
} from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { actorOf, recordChanges } from "./change";
import { type Claim, newClaim } from "./claim-token";
import { type Claimable, claimable } from "./claimable";
import type { Identity } from "./insert-together";
import type { Kind } from "./kinds";
import { lister } from "./lister";
import { hasMany } from "./remove-in-turns";
import { removeUnusedOf, unclaimedRemover } from "./remove-unclaimed";
import { type OwnedRow, type UpdateStatement, updater } from "./update";
import type { Walked } from "./walk";

/** Rows with longer texts are read a few at a time. */
const SHORT_BYTES_MAX = 20_000;

/** The code of a kind of resource. */
export interface Resource extends Claimable {
  kind: Kind;
  schema: z.ZodType;
  table: Sql;
  /** The title of a resource in a list. */
  title: Sql;
  /** A resource that the caller may read, as a single read returns it. */
  get(this: void, caller: Caller, id: string): Promise<object>;
  /** Selects the `ClaimSetSetting`s of these resources: what acts on its own, or lets others in. */
  settings?: ((ids: string[]) => Sql) | undefined;
  /** Ends what anyone but the creators set on these resources, which were just claimed. */
  close?: ((ids: string[], db: Transaction) => Promise<void>) | undefined;
  /** A resource of the caller's organization, locked until the transaction ends. */
  readLocked(caller: Caller, id: string, db: Transaction): Promise<unknown>;
  /** Deletes about `limit` public resources unused for `PUBLIC_RESOURCE_TTL_DAYS`. */
  removeUnclaimed(this: void, limit: number): Promise<Walked>;
  /** Deletes up to `limit` such resources of an unclaimed organization and returns their number. */
  removeUnusedOf(this: void, owner: string, limit: number): Promise<number>;
}

/** Makes a kind of resource. `serialize` turns its `columns` into the resource. */
export function resource<
  Row extends OwnedRow & { external_id: string | null },
  Item extends { id: string },
>(
  kind: Kind,
  code: {
    schema: z.ZodType;
    columns: Sql;
    serialize(row: Row, caller: Caller): Item;
    get: Resource["get"];
    /** The columns in which a list searches words. Defaults to the name. */
    searched?: readonly [Sql, ...Sql[]];
    /** The columns of a list or a single read without a small length limit, besides `external_id`. */
    longTexts?: readonly (keyof Row & string)[];
    /** Defaults to the name. */
    title?: Sql;
    /** When the resource was last used, in Unix seconds. Defaults to its last write. */
    lastUsedAt?: Sql;
    /** True once the resource has done its work. Until then it is kept, even unclaimed. An index has it. */
    isOver?: Sql;
    /** A column that publishes a deletion or a claim. */
    notify?: Sql;
    /** Further assignments of a claim, starting with a comma. */
    setByClaim?: Sql;
    /** True if they stop the resource. */
    stops?: Sql;
    /** True if a stranger changed it before a claim. Defaults to those changes that may stop it. */
    isChanged?: Sql;
    /** Further `WITH` queries of a claim over the rows, named `taken`, with `stops`; starting with a comma. */
    moreByClaim?: Sql;
    /** The rows whose changes and deletions the feed has. Defaults to all. */
    isRecorded?: Sql;
    settings?: Resource["settings"];
    close?: Resource["close"];
    /**
     * Deletes all parts of a resource in short steps, where one statement could not delete many. The first
     * runs `begin`, which locks the resource.
     */
    empty?(caller: Caller, id: string, begin: (db: Transaction) => Promise<void>): Promise<void>;
    /** True if many rows have up to a megabyte: they are read and removed a few at a time. */
    large?: true;
  },
) {
  const { schema, columns, serialize, get, settings, close, empty, large = false } = code;
  const { title = sql`name`, lastUsedAt = sql`updated_at`, isOver, notify = sql`NULL` } = code;
  const { setByClaim = sql``, moreByClaim = sql``, stops = sql`false` } = code;
  const { isChanged = sql`changed_without_token`, isRecorded = sql`true` } = code;
  const { searched = [sql`name`] } = code;
  const longTexts = [...(code.longTexts ?? []), "external_id"] as const;
  const { prefix, noun } = kind;
  const table = raw(kind.table);
  const { load, find } = reader<Row>(columns, { large });
  const removable = { kind, lastUsedAt, isOver, isRecorded, large };

  /** The first columns of a new resource, and what makes it claimable. */
  function newIdentity(caller: Caller): { identity: Identity; claim: Claim } {
    const id = newId(prefix);
    const { digest, claim } = newClaim(caller, id, kind.name);
    const organization_id = organizationOf(caller);
    return { identity: { id, organization_id, claim_token_digest: digest }, claim };
  }

  /**
   * Reads these columns by ID. Concurrent reads share a statement; those of `large` rows and of rows
   * with long texts a few at a time, unless the columns are `short`. `joined` adds tables, for the
   * resources with these IDs.
   */
  function reader<Found extends Omit<OwnedRow, "id">>(
    found: Sql,
    options: {
      large?: boolean;
      short?: boolean;
      joined?: (ids: readonly string[]) => Sql;
    } = {},
  ) {
    const { large: isLarge = false, short: isShort = false, joined = () => sql`` } = options;
    const reading = (which: Sql, large: boolean) =>
      loader<Found & { key: string }>(
        (ids) => sql`SELECT id AS key, ${found} FROM ${table} ${joined(ids)}
                     WHERE id ${isOneOf(ids)} ${which}`,
        { large },
      );
    const any = reading(sql``, !isShort);
    const short =
      isLarge || isShort
        ? undefined
        : reading(sql`AND ${bytesOf(longTexts)} <= ${SHORT_BYTES_MAX}`, false);
    const load: typeof any = async (id, check) => (await short?.(id, check)) ?? any(id, check);
    return {
      /** The row, without an access check. */
      load,
      /** Checks access to the row, which the caller may have prefetched. Throws 404 and 403. */
      async find(
        caller: Caller,
        id: string,
        prefetched: Promise<Found | undefined> = load(id),
      ): Promise<Found> {
        return assertFound(caller, id, await prefetched);
      },
    };
  }

  /** Reads a row and locks it until the end of the transaction. Throws 404 and 403. */
  async function lock(caller: Caller, id: string, db: Transaction): Promise<Row> {
    const row = await queryOne<Row>(
      sql`SELECT ${columns} FROM ${table} WHERE id = ${id} FOR NO KEY UPDATE`,
      db,
    );
    return assertFound(caller, id, row);
  }

  function assertFound<Found extends Omit<OwnedRow, "id">>(
    caller: Caller,
    id: string,
    row?: Found,
  ): Found {
    if (!row) throw notFound(noun, id);
    assertAccess(caller, row.organization_id);
    return row;
  }

  /**
   * Deletes a resource. If it has many parts, most of them are deleted first, since the statement
   * that deletes the resource deletes all that are left. Throws 404, 403, and 412 when the
   * precondition fails.
   */
  async function remove(caller: Caller, id: string, precondition?: Precondition): Promise<void> {
    const row = await find(caller, id);
    precondition?.(serialize(row, caller));
    const isLarge = empty !== undefined && (await hasMany(kind, id));
    if (isLarge) {
      await empty(caller, id, async (db) => {
        precondition?.(serialize(await lock(caller, id, db), caller));
      });
    }
    // Not checked again once the parts that it protects are gone.
    const further = isLarge ? undefined : precondition;
    const removed = await queryOne(
      sql`WITH removed AS (
            DELETE FROM ${table} WHERE id = ${id} AND ${unchangedSinceRead(row, further)}
            RETURNING id, organization_id, ${isRecorded} AS is_recorded
          ), recorded AS (
            ${recordChanges(kind.name, "deleted", sql`(SELECT * FROM removed WHERE is_recorded)`, actorOf(caller))}
          )
          SELECT id, ${notify} FROM removed AS ${table}`,
    );
    if (!removed) await remove(caller, id, further);
  }

  async function readLocked(caller: Caller, id: string, db: Transaction): Promise<unknown> {
    return serialize(await lock(caller, id, db), caller);
  }

  return {
    ...claimable(kind, { title, notify, setByClaim, moreByClaim, stops, isChanged }),
    kind,
    schema,
    table,
    title,
    get,
    newIdentity,
    reader,
    load,
    find,
    lock,
    remove,
    /** Lists the resources of the caller's organization: see `lister`. */
    list: lister<Row, Item>({
      table,
      columns,
      longTexts,
      searched,
      serialize,
    }),
    /** Makes the function that updates a resource and returns it: see `updater`. */
    updater: (statement: UpdateStatement<Row>) =>
      updater<Row, Item>(kind, { find, serialize, returned: columns, isRecorded, ...statement }),
    settings,
    close,
    readLocked,
    removeUnclaimed: unclaimedRemover(removable),
    removeUnusedOf: (owner: string, limit: number) => removeUnusedOf(owner, removable, limit),
  };
}
