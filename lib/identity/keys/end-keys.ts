import { type AuditEvent, audit, revocationOf } from "@/lib/identity/audit/audit";
import type { Row } from "@/lib/platform/db/columns";
import { inSteps } from "@/lib/platform/db/in-steps";
import { type Sql, sql, type Transaction } from "@/lib/platform/db/sql";

type EndedKey = Row<"ApiKey", "id" | "name" | "kind" | "registration_id">;

/**
 * (a) Revokes the keys that have not ended, with their agents and sessions, and returns them. `keys` is a condition on
 * `api_keys`; `tx` is a transaction that has called `lockOrganizations`. An agent with no live key needs no
 * update: one that registers every hour leaves too many registrations behind. The key with the ID `named` is revoked
 * even if it has expired: a replay that it started may still be running.
 */
export function endKeys(
  tx: Transaction,
  keys: Sql,
  named: string | null = null,
): Promise<EndedKey[]> {
  return inSteps<EndedKey>(
    tx,
    (limit) => sql`
    WITH ended AS (
      UPDATE api_keys SET revoked_at = unix_now() WHERE id IN (
        SELECT id FROM api_keys
        WHERE ${keys} AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > unix_now() OR id = ${named})
        LIMIT ${limit} FOR NO KEY UPDATE)
      RETURNING id, name, kind, registration_id
    ), agents AS (
      UPDATE agent_registrations SET revoked_at = unix_now()
      WHERE revoked_at IS NULL AND id IN (SELECT registration_id FROM ended)
    ), signed_out AS (
      DELETE FROM sessions WHERE key_id IN (SELECT id FROM ended)
    )
    SELECT * FROM ended ORDER BY id`,
  );
}

/**
 * Revokes, like `endKeys`, the key with its predecessors and successors, and records it: anyone who
 * knew one of them may know the others, and an agent has no keys but those of one chain. Returns how
 * many ended.
 */
export async function endChain(
  tx: Transaction,
  keyId: string,
  by: Pick<AuditEvent, "actor" | "organizationId" | "ip">,
): Promise<number> {
  const first = sql`(SELECT coalesce(first_id, id) FROM api_keys WHERE id = ${keyId})`;
  const ended = await endKeys(tx, sql`(id = ${first} OR first_id = ${first})`, keyId);
  for (const { id: key, name, kind } of ended) {
    await audit(tx, { ...by, action: revocationOf(kind), data: { key, name } });
  }
  const id = ended[0]?.registration_id;
  if (id) {
    await audit(tx, { ...by, action: "registration.revoked", registrationId: id, data: { id } });
  }
  return ended.length;
}
