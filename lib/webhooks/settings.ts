import { type AuditEvent, audit } from "@/lib/accounts/audit";
import type { Caller } from "@/lib/caller";
import { type Db, query, sql } from "@/lib/db/sql";

/**
 * Makes captures that were checked against the endpoint's previous settings repeat the check. In
 * the transaction that changed the settings, with the endpoint locked.
 */
export async function renewFlowVersion(endpointId: string, db: Db): Promise<void> {
  await query(
    sql`UPDATE webhook_endpoints AS e SET flow_version = CASE
          WHEN EXISTS (SELECT FROM webhook_verifications WHERE endpoint_id = e.id)
            OR EXISTS (SELECT FROM webhook_forwards WHERE endpoint_id = e.id)
          THEN nextval('webhook_flow_versions') ELSE 0 END
        WHERE e.id = ${endpointId}`,
    db,
  );
}

/** Records a change of an organization's endpoint. */
export async function auditSetting(
  db: Db,
  caller: Caller,
  endpoint: { id: string; organization_id: string | null },
  action: AuditEvent["action"],
  data: AuditEvent["data"] = {},
): Promise<void> {
  if (endpoint.organization_id === null || caller.kind === "anonymous") return;
  await audit(db, {
    action,
    actor: caller.kind === "key" ? caller.keyId : caller.userId,
    organizationId: endpoint.organization_id,
    data: { ...data, endpoint: endpoint.id },
  });
}
