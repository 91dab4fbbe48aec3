import type { Row } from "@/lib/platform/db/columns";
import { query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";

export type RevokedKey = Row<"ApiKey", "id" | "name" | "kind">;

/**
 * (a) Revokes the live keys among the selected keys, their successors and their predecessors, with
 * their agents and sessions. Anyone who knew one of them may know the others, and an agent has no
 * keys but those of one chain. `keys` is a subquery or one value; `tx` is a transaction that has
 * called `lockOrganizations`.
 */
export async function revokeChains(tx: Transaction, keys: Sql): Promise<RevokedKey[]> {
  return query<RevokedKey>(
    sql`
    WITH chains AS (
      SELECT DISTINCT coalesce(first_id, id) AS first_id FROM api_keys WHERE id IN (${keys})
    ), revoked AS (
      UPDATE api_keys AS key SET revoked_at = unix_now() FROM chains
      WHERE (key.id = chains.first_id OR key.first_id = chains.first_id)
        AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > unix_now())
      RETURNING key.id, key.name, key.kind, key.registration_id
    ), agents AS (
      UPDATE agent_registrations SET revoked_at = unix_now()
      WHERE revoked_at IS NULL AND id IN (SELECT registration_id FROM revoked)
    ), ended AS (
      DELETE FROM sessions WHERE key_id IN (SELECT id FROM revoked)
    )
    SELECT id, name, kind FROM revoked ORDER BY id`,
    tx,
  );
}
