import type { Row } from "@/lib/platform/db/columns";
import { inSteps } from "@/lib/platform/db/in-steps";
import { type Sql, sql, type Transaction } from "@/lib/platform/db/sql";

type EndedKey = Row<"ApiKey", "id" | "name" | "kind" | "registration_id">;

/**
 * (a) Revokes the keys that have not ended, with their agents and sessions, and returns them. `keys` is a condition on
 * `api_keys`; `tx` is a transaction that has called `lockOrganizations`. An agent without such a key can do nothing
 * more, and is not written: an agent that registers every hour leaves too many registrations behind.
 */
export function endKeys(tx: Transaction, keys: Sql): Promise<EndedKey[]> {
  return inSteps<EndedKey>(
    tx,
    (limit) => sql`
    WITH ended AS (
      UPDATE api_keys SET revoked_at = unix_now() WHERE id IN (
        SELECT id FROM api_keys
        WHERE ${keys} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > unix_now())
        LIMIT ${limit} FOR NO KEY UPDATE)
      RETURNING id, name, kind, registration_id
    ), agents AS (
      UPDATE agent_registrations SET revoked_at = unix_now()
      WHERE revoked_at IS NULL AND id IN (SELECT registration_id FROM ended)
    ), signed_out AS (
      DELETE FROM sessions WHERE key_id IN (SELECT id FROM ended)
    )
    SELECT * FROM ended`,
  );
}
