import { type AuditEvent, audit } from "@/lib/identity/audit/audit";
import type { Caller } from "@/lib/platform/caller";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { markChange } from "@/lib/resources/claim-token";

/** A new version of the settings of an endpoint `e`, in SQL; 0 if it has none. */
export const FLOW_VERSION = sql`CASE
  WHEN EXISTS (SELECT FROM webhook_verifications WHERE endpoint_id = e.endpoint_id)
    OR EXISTS (SELECT FROM webhook_forwards WHERE endpoint_id = e.endpoint_id)
  THEN nextval('webhook_flow_versions') ELSE 0 END`;

/**
 * Makes captures that were checked against the endpoint's previous settings repeat the check, and
 * records the change. Runs in the transaction that changed the settings, with the endpoint locked.
 */
export async function renewFlowVersion(
  caller: Caller,
  endpointId: string,
  { byCreator, db }: { byCreator: boolean; db: Transaction },
): Promise<void> {
  // (a) Only a new version makes a capture that was already checked repeat the check.
  await query(
    sql`WITH renewed AS (
          UPDATE endpoint_state AS e SET flow_version = ${FLOW_VERSION}
          WHERE e.endpoint_id = ${endpointId}
        ), marked AS (
          UPDATE webhook_endpoints AS e SET ${markChange(sql`e`, byCreator)}
          WHERE e.id = ${endpointId}
          RETURNING id, organization_id
        )
        ${recordChanges("webhooks", "updated", sql`marked`, actorOf(caller))}`,
    db,
  );
}

/** Records a change of an organization's endpoint. */
export async function auditSetting(
  db: Transaction,
  caller: Caller,
  endpoint: { id: string; organization_id: string | null },
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
