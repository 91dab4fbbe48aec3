import type { z } from "zod";
import { assertAccess, organizationOf, unchangedSinceRead } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { lookup } from "@/lib/db/lookup";
import { type Db, query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { notFound } from "@/lib/errors";
import type { Precondition } from "@/lib/http/conditional";
import { actorOf, recordChanges } from "./change";
import { claimTicket } from "./claim-token";
import { type ResourceName, resourceKind } from "./kinds";

/** A claimable kind of resource. */
export interface ClaimableKind {
  /** Its ID prefix, without the underscore. */
  prefix: string;
  /** The kind in words, for messages. */
  noun: string;
  /** The resource as it is published. */
  schema: z.ZodType;
  table: Statement;
  /** What a list shows a resource as. */
  title: Statement;
  ownership(id: string): Promise<Ownership | undefined>;
  /** Assigns a public resource to the caller's organization; undefined when a concurrent claim was first. */
  take(caller: Caller, id: string): Promise<unknown>;
  /** Deletes up to `limit` public resources unused for that long and returns their number. */
  removeUnclaimed(ttlSeconds: number, limit: number): Promise<number>;
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
  serialize(row: Row): unknown;
  /** Its name when left out. */
  title?: Statement;
  /** When the resource was last used, in Unix seconds; its last write when left out. */
  lastUsedAt?: Statement;
  /** A column that announces a deletion. */
  announced?: Statement;
  /** Rows may have up to a megabyte. */
  large?: true;
}) {
  const { schema, table, columns, serialize } = kind;
  const { title = sql`name`, lastUsedAt = sql`updated_at`, announced = sql`NULL` } = kind;
  const { prefix, noun } = resourceKind(kind.name);
  const { load, find } = reader<Row>(columns, { large: kind.large ?? false });

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
    precondition?.(serialize(row));
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
    removeUnclaimed,
  };

  function ownership(id: string): Promise<Ownership | undefined> {
    return queryOne<Ownership>(
      sql`SELECT organization_id, claim_token_digest FROM ${table} WHERE id = ${id}`,
    );
  }

  async function take(caller: Caller, id: string): Promise<unknown> {
    // Decides concurrent claims: the loser matches no row.
    const row = await queryOne<Row>(
      sql`WITH taken AS (
            UPDATE ${table} SET organization_id = ${organizationOf(caller)},
                   updated_at = unix_now(), revision = revision + 1
            WHERE id = ${id} AND organization_id IS NULL
            RETURNING *
          ), recorded AS (
            ${recordChanges(kind.name, "claimed", sql`taken`, actorOf(caller))}
          )
          SELECT ${columns} FROM taken AS ${table}`,
    );
    return row && serialize(row);
  }

  async function removeUnclaimed(ttlSeconds: number, limit: number): Promise<number> {
    const removed = await query(
      sql`DELETE FROM ${table} WHERE id IN (
            SELECT id FROM ${table}
            WHERE organization_id IS NULL AND created_at < unix_now() - ${ttlSeconds}::bigint
              AND ${lastUsedAt} < unix_now() - ${ttlSeconds}::bigint
            LIMIT ${limit} FOR UPDATE SKIP LOCKED
          ) AND organization_id IS NULL
          RETURNING id`,
    );
    return removed.length;
  }
}
