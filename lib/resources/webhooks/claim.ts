import { query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { originOf } from "@/lib/resources/url-origin";
import { flowVersionsOf } from "./settings";

/** Where these endpoints forward events and how they verify them, as a claim lists it. */
export function settingsOf(ids: string[]): Sql {
  return sql`
    SELECT endpoint_id AS resource_id, 'forward' AS setting,
           coalesce(inbox_id, ${originOf(sql`url`)}) AS value, by_creator AS survives_claim
    FROM webhook_forwards WHERE endpoint_id = ANY (${ids})
    UNION ALL
    SELECT endpoint_id, 'verification', scheme::text, by_creator
    FROM webhook_verifications WHERE endpoint_id = ANY (${ids})`;
}

/**
 * Ends settings that anyone but the creators made on these endpoints: forwards, with the events
 * waiting for them, and verification secrets, with what they verified. The endpoints are locked and
 * were just claimed.
 */
export async function closeSettings(ids: string[], db: Transaction): Promise<void> {
  // (b) Like the next three, serves all endpoints of the claim.
  const removed = await query<{ id: string; is_forward: boolean }>(
    sql`WITH forward AS (
          DELETE FROM webhook_forwards WHERE endpoint_id = ANY (${ids}) AND NOT by_creator
          RETURNING endpoint_id AS id
        ), verification AS (
          DELETE FROM webhook_verifications WHERE endpoint_id = ANY (${ids}) AND NOT by_creator
          RETURNING endpoint_id AS id
        )
        SELECT id, true AS is_forward FROM forward UNION ALL SELECT id, false FROM verification`,
    db,
  );
  const forwards = removed.flatMap(({ id, is_forward }) => (is_forward ? [id] : []));
  const secrets = removed.flatMap(({ id, is_forward }) => (is_forward ? [] : [id]));
  await query(
    sql`UPDATE webhook_events SET forward_status = 'skipped', forward_reason = 'forward_removed'
        WHERE endpoint_id = ANY (${forwards}) AND forward_status = 'held'`,
    db,
  );
  // A secret may have been removed again, leaving only the record of the change.
  await query(
    sql`UPDATE webhook_events SET verified = NULL, verification_reason = NULL
        WHERE verified AND endpoint_id = ANY (${ids}) AND endpoint_id IN (
          SELECT id FROM webhook_endpoints
          WHERE id = ANY (${ids}) AND (changed_without_token OR id = ANY (${secrets})))`,
    db,
  );
  // For all endpoints, even without a removed setting: captures depend on the owner, too.
  await query(
    sql`WITH flow AS MATERIALIZED (${flowVersionsOf(ids)})
        UPDATE endpoint_state SET flow_version = flow.version
        FROM flow WHERE endpoint_id = flow.of_endpoint`,
    db,
  );
}
