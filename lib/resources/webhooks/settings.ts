import { type AuditEvent, audit } from "@/lib/identity/audit/audit";
import type { Caller } from "@/lib/platform/caller";
import { query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { markChange } from "@/lib/resources/claim-token";
import type { Endpoint } from "@/lib/resources/webhooks/events/filter";

/**
 * The assignment to an endpoint's state for a write that leaves `updated_at` alone, so that it
 * counts as a use, as a capture does.
 */
export const USED_NOW = sql`last_event_micros = greatest(last_event_micros, unix_now() * 1000000)`;

/** An endpoint, as read when it was locked. */
export interface LockedEndpoint extends Endpoint {
  /**
   * The time of a change of its settings, later than that of each before: their ETags show no secret, so the
   * time tells two versions of one second apart, also if they were deleted in between.
   */
  settings_at: number;
}

/** Rows of new versions of the settings of these endpoints, in SQL; 0 for one that has none. */
export function flowVersionsOf(ids: string[]): Sql {
  return sql`
    SELECT of_endpoint, CASE
      WHEN EXISTS (SELECT FROM webhook_verifications WHERE endpoint_id = of_endpoint)
        OR EXISTS (SELECT FROM webhook_forwards WHERE endpoint_id = of_endpoint)
      THEN nextval('webhook_flow_versions') ELSE 0 END AS version
    FROM unnest(${ids}::text[]) AS of_endpoint`;
}

/**
 * Records a change of an endpoint's settings, and makes captures that were checked against the previous
 * ones repeat the check. Runs in the transaction that changed them, with the endpoint locked.
 */
export async function recordSetting(
  db: Transaction,
  caller: Caller,
  endpoint: LockedEndpoint,
  byCreator: boolean,
  action: AuditEvent["action"],
  data?: AuditEvent["data"],
): Promise<void> {
  // (a) Only a new version makes a capture that was already checked repeat the check.
  await query(
    sql`WITH flow AS MATERIALIZED (${flowVersionsOf([endpoint.id])}), renewed AS (
          UPDATE endpoint_state SET flow_version = (SELECT version FROM flow),
            settings_at = ${endpoint.settings_at}, ${USED_NOW}
          WHERE endpoint_id = ${endpoint.id}
        ), marked AS (
          UPDATE webhook_endpoints AS e SET ${markChange(sql`e`, byCreator)}
          WHERE e.id = ${endpoint.id}
          RETURNING id, organization_id
        )
        ${recordChanges("webhooks", "updated", sql`marked`, actorOf(caller))}`,
    db,
  );
  await auditSetting(db, caller, endpoint, action, data);
}

/** Records a change of an organization's endpoint in the audit log. A public endpoint has none. */
export async function auditSetting(
  db: Transaction,
  caller: Caller,
  endpoint: Endpoint,
  action: AuditEvent["action"],
  data: AuditEvent["data"] = {},
): Promise<void> {
  const actor = actorOf(caller);
  if (endpoint.organization_id === null || actor === null) return;
  await audit(db, {
    action,
    actor,
    organizationId: endpoint.organization_id,
    data: { ...data, endpoint: endpoint.id },
  });
}
