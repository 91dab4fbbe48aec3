import { queryOne, type Statement, sql } from "@/lib/db/sql";

/** A kind of resource that can be claimed. */
export interface ClaimableKind {
  /** The prefix of its IDs, without the underscore. */
  prefix: string;
  /** The kind in words, for messages. */
  noun: string;
  find(id: string): Promise<Claimable | undefined>;
  /** Gives a public resource to an organization; undefined when somebody else was first. */
  take(id: string, organizationId: string): Promise<unknown>;
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
}): ClaimableKind {
  const { prefix, noun, table, columns, serialize } = kind;
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
  };
}
