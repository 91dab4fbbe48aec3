import { query, queryOne, type Statement, sql } from "@/lib/db/sql";

/** A kind of resource that can be claimed. */
export interface ClaimableKind {
  /** The prefix of its IDs, without the underscore. */
  prefix: string;
  /** The kind in words, for messages. */
  noun: string;
  find(id: string): Promise<Claimable | undefined>;
  /** Gives a public resource to an organization; undefined when somebody else was first. */
  take(id: string, organizationId: string): Promise<unknown>;
  /** Removes public resources that nobody has used for that long, `limit` at most; gives how many. */
  removeUnclaimed(ttlSeconds: number, limit: number): Promise<number>;
}

interface Claimable {
  organization_id: string | null;
  /** SHA-256 of the token, hex; null when the resource was created with a key. */
  claim_token_digest: string | null;
}

/** A claimable kind that is stored in `table`, whose `columns` `serialize` turns into the resource. */
export function claimableKind<Row>(kind: {
  prefix: string;
  noun: string;
  table: Statement;
  columns: Statement;
  serialize(row: Row): unknown;
  /** When the resource was last used, in Unix seconds; its last write when left out. */
  lastUsedAt?: Statement;
}): ClaimableKind {
  const { prefix, noun, table, columns, serialize, lastUsedAt = sql`updated_at` } = kind;
  return {
    prefix,
    noun,
    find: (id) =>
      queryOne<Claimable>(
        sql`SELECT organization_id, claim_token_digest FROM ${table} WHERE id = ${id}`,
      ),
    async take(id, organizationId) {
      // Of two claims at once this statement lets one win: the other finds an owner.
      const row = await queryOne<Row>(
        sql`UPDATE ${table} SET organization_id = ${organizationId},
                   updated_at = unix_now(), revision = revision + 1
            WHERE id = ${id} AND organization_id IS NULL
            RETURNING ${columns}`,
      );
      return row && serialize(row);
    },
    async removeUnclaimed(ttlSeconds, limit) {
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
    },
  };
}
