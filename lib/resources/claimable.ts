import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { join, query, raw, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { actorOf, recordChanges } from "./change";
import type { Kind, KindName } from "./kinds";
import { shownIdOf } from "./shown-id";

/** How the resources of a kind are claimed. */
export interface Claimable {
  /** Selects the `ClaimSetRow`s of all resources with a claim token. */
  withToken(digest: string): Sql;
  /**
   * Assigns the public resources with a claim token to the caller's organization and returns them.
   * With `only`, just that resource and those made for it.
   */
  take(
    caller: Caller,
    digest: string,
    only: string | undefined,
    db: Transaction,
  ): Promise<ClaimSetRow[]>;
}

/** A resource that a claim token claims, or has claimed. */
export interface ClaimSetRow {
  id: string;
  kind: KindName;
  name: string;
  created_at: number;
  organization_id: string | null;
  /** The resource for which it was made; a schedule by its ID as readers see it (`shownIdOf`). */
  made_by: string | null;
  changed_since_created: boolean;
  /** True if a claim pauses it, or holds it or its reply. */
  stops: boolean;
}

/** Makes the resources of a kind claimable. */
export function claimable(
  kind: Kind,
  code: {
    /** The title of a resource in a list. */
    title: Sql;
    /** A column that publishes a claim. */
    notify: Sql;
    /** Further assignments of a claim, starting with a comma. */
    setByClaim: Sql;
    /** Further `WITH` queries over the rows, named `taken`, with `stops`; starting with a comma. */
    moreByClaim: Sql;
    /** True if the assignments stop the resource. */
    stops: Sql;
    /** True if a stranger changed it. */
    isChanged: Sql;
  },
): Claimable {
  const { title, notify, setByClaim, moreByClaim, stops, isChanged } = code;
  const { prefix } = kind;
  const table = raw(kind.table);
  const makers = kind.madeFor.map((column) => raw(column));

  return {
    withToken: (digest) => sql`
      SELECT ${lineColumns(stops)}, organization_id FROM ${table} WHERE claim_token_digest = ${digest}`,
    async take(caller, digest, only, db) {
      if (only !== undefined && makers.length === 0 && !only.startsWith(`${prefix}_`)) return [];
      const isWanted = only === undefined ? sql`true` : isOrIsMadeFor(only);
      return query<ClaimSetRow>(
        sql`
      WITH open AS (
        -- In the order of their IDs, as captures lock endpoints. Decides concurrent claims: the loser
        -- finds no row without an owner.
        SELECT id, ${stops} AS stops FROM ${table}
        WHERE claim_token_digest = ${digest} AND organization_id IS NULL AND ${isWanted}
        ORDER BY id FOR NO KEY UPDATE
      ), taken AS (
        UPDATE ${table} SET organization_id = ${organizationOf(caller)},
               updated_at = unix_now(), revision = revision + 1 ${setByClaim}
        FROM open WHERE ${table}.id = open.id
        RETURNING ${table}.*, open.stops
      ) ${moreByClaim}, recorded AS (
        ${recordChanges(kind.name, "claimed", sql`taken`, actorOf(caller))}
      )
      SELECT ${lineColumns(sql`stops`)}, organization_id, ${notify} FROM taken AS ${table}`,
        db,
      );
    },
  };

  /** The columns of a `ClaimSetRow`, without the owner. */
  function lineColumns(willStop: Sql): Sql {
    const maker = makers.length === 0 ? sql`NULL` : sql`coalesce(${join(makers, ", ")})`;
    return sql`id, ${kind.name}::text AS kind, ${title} AS name, created_at, ${maker}::text AS made_by,
      ${isChanged} AS changed_since_created, ${willStop} AS stops`;
  }

  /** Whether a row was created without a key, or was made by the service for one that was. */
  function isOrIsMadeFor(id: string): Sql {
    const ids = [id, shownIdOf({ id, created_without_key: true })];
    const conditions = [sql`id = ${id}`, ...makers.map((maker) => sql`${maker} = ANY (${ids})`)];
    return sql`(${join(conditions, " OR ")})`;
  }
}
