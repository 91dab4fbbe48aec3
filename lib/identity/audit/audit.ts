import { newId } from "@/lib/platform/db/ids";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { sql, type Transaction } from "@/lib/platform/db/sql";

/** The events of one statement, whose parameters are limited. */
const ROWS_MAX = 1000;

export interface AuditEvent {
  action:
    | "registration.created"
    | "registration.expired"
    | "registration.revoked"
    | "claim.requested"
    | "claim.confirmed"
    | "otp.generated"
    | "otp.failed"
    | "key.created"
    | "key.revoked"
    | "key.rotated"
    | "grant.created"
    | "grant.revoked"
    | "member.invited"
    | "invitation.withdrawn"
    | "member.joined"
    | "member.removed"
    | "member.role_changed"
    | "account.deleted"
    | "organization.created"
    | "organization.deleted"
    | "organization.renamed"
    | "resources.claimed"
    | "session.started"
    | "share.created"
    | "signing_secret.rotated"
    | "signing_secret.shown"
    | "subscription.created"
    | "subscription.deleted"
    | "webhook.verification_set"
    | "webhook.verification_removed"
    | "webhook.forward_set"
    | "webhook.forward_removed"
    | "webhook.replay_started";
  /** A user, key or registration ID, a provider's issuer, or `operator`. */
  actor: string;
  organizationId?: string | null;
  registrationId?: string;
  ip?: string | null;
  /** Never contains a key, token, code or assertion. */
  data?: Record<string, string | number | null>;
}

/** Writes an audit row in the same transaction as the action, so that neither is stored without the other. */
export async function audit(tx: Transaction, event: AuditEvent): Promise<void> {
  await tx.auditEvent.create({ data: rowOf(event), select: { id: true } });
}

/** Writes several events, up to `ROWS_MAX` in one statement. */
export async function auditAll(tx: Transaction, events: AuditEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += ROWS_MAX) {
    const data = events.slice(start, start + ROWS_MAX).map(rowOf);
    await tx.auditEvent.createMany({ data });
  }
}

function rowOf({ organizationId, registrationId, actor, action, data, ip }: AuditEvent) {
  return {
    id: newId("evt"),
    organization_id: organizationId ?? null,
    actor,
    action,
    registration_id: registrationId ?? null,
    data: data ?? {},
    ip: ip ?? null,
  };
}

/** The action that records the revocation of a row of `api_keys` of this kind. */
export function revocationOf(kind: string): AuditEvent["action"] {
  return kind === "oauth_grant" ? "grant.revoked" : "key.revoked";
}

/** Deletes up to `limit` events older than that and returns their number. */
export function removeOldAuditEvents(ageSeconds: number, limit: number): Promise<number> {
  // The time in the ID finds old events without another index.
  const where = sql`id < 'evt_' || id_time((unix_now() - ${ageSeconds}::bigint) * 1000000)
    AND created_at < unix_now() - ${ageSeconds}::bigint`;
  return removeRows({ table: sql`audit_events`, where, order: sql`id` }, limit);
}
