import type * as z from "zod";
import { assertAccess, organizationOf, unchangedSinceRead } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { lookup } from "@/lib/db/lookup";
import { type Db, join, query, queryOne, Statement, sql } from "@/lib/db/sql";
import { notFound } from "@/lib/errors";
import type { Precondition } from "@/lib/http/conditional";
import { actorOf, recordChanges } from "./change";
import { claimTicket } from "./claim-token";
import { type ResourceName, resourceKind } from "./kinds";
import { type BulkTable, removeUnclaimed } from "./remove-unclaimed";

/** A claimable kind of resource. */
export interface ClaimableKind {
  /** Its ID prefix, without the underscore. */
  prefix: string;
  /** The kind in words, for messages. */
  noun: string;
  /** The resource as it is published. */
  schema: z.ZodType;
  table: Statement;
  /** The title of a resource in a list. */
  title: Statement;
  ownership(id: string): Promise<Ownership | undefined>;
  /** Assigns a public resource to the caller's organization; undefined when a concurrent claim was first. */
  take(caller: Caller, id: string): Promise<unknown>;
  /** Selects the `ClaimSetRow`s of what callers created with a claim token. */
  createdWith(digest: string): Statement;
  /**
   * Assigns all public resources with the claim token to the caller's organization, also those made
   * for others, and returns their IDs.
   */
  takeAll(caller: Caller, digest: string, db: Db): Promise<string[]>;
  /** Deletes up to `limit` public resources unused for that long and returns their number. */
  removeUnclaimed(this: void, ttlSeconds: number, limit: number): Promise<number>;
}

/** A resource that a claim token claims, or has claimed. */
export interface ClaimSetRow {
  id: string;
  kind: ResourceName;
  name: string;
  created_at: number;
  organization_id: string | null;
}

interface Ownership {
  organization_id: string | null;
  /** SHA-256 of the token, hex; null when the resource was created with a key. */
  claim_token_digest: string | null;
}

interface OwnedRow {
  organization_id: string | null;
  revision: number;
}

/** A claimable kind that is stored in `table`, whose `columns` `serialize` turns into the resource. */
export function claimableKind<Row extends OwnedRow>(kind: {
  name: ResourceName;
  schema: z.ZodType;
  table: Statement;
  columns: Statement;
  serialize(row: Row, caller: Caller): unknown;
  /** By default its name. */
  title?: Statement;
  /** When the resource was last used, in Unix seconds; by default its last write. */
  lastUsedAt?: Statement;
  /** A column that announces a deletion or a claim. */
  announced?: Statement;
  /** Assignments that a claim makes besides the owner, beginning with a comma. */
  setByClaim?: Statement;
  /** Rows may have up to a megabyte. */
  large?: true;
  bulk?: BulkTable;
}) {
  const { schema, table, columns, serialize } = kind;
  const { title = sql`name`, lastUsedAt = sql`updated_at`, announced = sql`NULL` } = kind;
  const { setByClaim = sql`` } = kind;
  const { prefix, noun, madeFor } = resourceKind(kind.name);
  /** Of what a caller created, not the service for another resource. */
  const isCreated = madeFor.map((column) => new Statement([`${column} IS NULL`], []));
  const { large = false, bulk } = kind;
  const { load, find } = reader<Row>(columns, { large });

  /** An ID for a resource about to be created by the caller, and what makes it claimable. */
  function newTicket(caller: Caller) {
    const id = newId(prefix);
    return { id, ...claimTicket(caller, id, kind.name) };
  }

  /** Reads of these columns by ID. Reads that arrive together share a statement. */
  function reader<Found extends OwnedRow>(found: Statement, options?: { large: boolean }) {
    const load = lookup<Found & { key: string }>(
      (ids) => sql`SELECT id AS key, ${found} FROM ${table} WHERE id = ANY (${ids})`,
      options,
    );
    return {
      /** The row, without a check of access. */
      load,
      /** Checks access to the row, which the caller may have begun to load. Throws 404 and 403. */
      async find(caller: Caller, id: string, loading = load(id)): Promise<Found> {
        return assertFound(caller, id, await loading);
      },
    };
  }

  /** Reads a row and locks it until the end of the transaction. Throws 404 and 403. */
  async function lock(caller: Caller, id: string, db: Db): Promise<Row> {
    const row = await queryOne<Row>(
      sql`SELECT ${columns} FROM ${table} WHERE id = ${id} FOR NO KEY UPDATE`,
      db,
    );
    return assertFound(caller, id, row);
  }

  function assertFound<Found extends OwnedRow>(caller: Caller, id: string, row?: Found): Found {
    if (!row) throw notFound(noun, id);
    assertAccess(caller, row.organization_id);
    return row;
  }

  /** Deletes a resource. Throws 404, 403, and 412 when the precondition fails. */
  async function remove(caller: Caller, id: string, precondition?: Precondition): Promise<void> {
    const row = await find(caller, id);
    precondition?.(serialize(row, caller));
    const removed = await queryOne(
      sql`WITH removed AS (
            DELETE FROM ${table} WHERE id = ${id} AND ${unchangedSinceRead(row, precondition)}
            RETURNING id, organization_id
          ), recorded AS (
            ${recordChanges(kind.name, "deleted", sql`removed`, actorOf(caller))}
          )
          SELECT id, ${announced} FROM removed AS ${table}`,
    );
    if (!removed) await remove(caller, id, precondition);
  }

  return {
    prefix,
    noun,
    schema,
    table,
    title,
    newTicket,
    reader,
    load,
    find,
    lock,
    remove,
    ownership,
    take,
    createdWith,
    takeAll,
    removeUnclaimed: (ttlSeconds: number, limit: number) =>
      removeUnclaimed({ table, prefix, lastUsedAt, large, bulk }, ttlSeconds, limit),
  };

  function ownership(id: string): Promise<Ownership | undefined> {
    return queryOne<Ownership>(
      sql`SELECT organization_id, claim_token_digest FROM ${table} WHERE id = ${id}`,
    );
  }

  async function take(caller: Caller, id: string): Promise<unknown> {
    const row = await queryOne<Row>(
      sql`${assignment(caller, sql`id = ${id}`)} SELECT ${columns}, ${announced} FROM taken AS ${table}`,
    );
    return row && serialize(row, caller);
  }

  function createdWith(digest: string): Statement {
    const conditions = [sql`claim_token_digest = ${digest}`, ...isCreated];
    return sql`SELECT id, ${kind.name}::text AS kind, ${title} AS name, created_at, organization_id
               FROM ${table} WHERE ${join(conditions, " AND ")}`;
  }

  async function takeAll(caller: Caller, digest: string, db: Db): Promise<string[]> {
    // In the order of their IDs, as captures lock endpoints.
    const locked = sql`array(
      SELECT id FROM ${table} WHERE claim_token_digest = ${digest} AND organization_id IS NULL
      ORDER BY id FOR NO KEY UPDATE)`;
    const rows = await query<{ id: string }>(
      sql`${assignment(caller, sql`id = ANY (${locked})`)} SELECT id, ${announced} FROM taken AS ${table}`,
      db,
    );
    return rows.map(({ id }) => id);
  }

  /** A `WITH` clause that assigns public resources to the caller's organization: `taken`. */
  function assignment(caller: Caller, which: Statement): Statement {
    const created = join([sql`true`, ...isCreated], " AND ");
    // Decides concurrent claims: the loser matches no row.
    return sql`
      WITH taken AS (
        UPDATE ${table} SET organization_id = ${organizationOf(caller)},
               updated_at = unix_now(), revision = revision + 1 ${setByClaim}
        WHERE ${which} AND organization_id IS NULL
        RETURNING *
      ), recorded AS (
        ${recordChanges(kind.name, "claimed", sql`(SELECT * FROM taken WHERE ${created})`, actorOf(caller))}
      )`;
  }
}
