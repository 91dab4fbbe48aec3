import { audit } from "@/lib/identity/audit/audit";
import { digestOf, type KeyKind } from "@/lib/identity/keys/key-format";
import { lockKeys } from "@/lib/identity/keys/key-lock";
import { newId, randomBase62 } from "@/lib/platform/db/ids";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";

const CLAIM_TOKEN_LENGTH = 25; // 149 random bits
export const CLAIM_WINDOW_SECONDS = 7 * 86_400;
/** Wrong codes over all attempts of a registration, after which it can never be claimed. */
export const FAILURES_MAX = 15;

export interface Registration {
  id: string;
  type: "anonymous" | "service_auth" | "agent-provider";
  requested_credential_type: KeyKind;
  organization_id: string | null;
  login_hint: string | null;
  current_attempt_id: string | null;
  claimed_at: number | null;
  revoked_at: number | null;
  /** Until the claim token expires; negative afterwards. */
  seconds_left: number;
  is_locked: boolean;
}

/** Creates a claimable registration. Its token is returned once; only its digest is stored. */
export async function createClaimable(
  db: Transaction,
  registration: {
    type: "anonymous" | "service_auth";
    credentialType: KeyKind;
    organizationId?: string;
    loginHint?: string;
    ip: string | null;
    id?: string;
  },
): Promise<{ id: string; claimToken: string; claimTokenExpires: number }> {
  const { type, credentialType, organizationId, loginHint, ip } = registration;
  const id = registration.id ?? newId("reg");
  const claimToken = `clm_${randomBase62(CLAIM_TOKEN_LENGTH)}`;
  const row = await queryOne<{ claim_token_expires_at: number }>(
    sql`INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id,
          login_hint, registration_ip, claim_token_digest, claim_token_expires_at)
        VALUES (${id}, ${type}, ${credentialType}, ${organizationId ?? null},
                ${loginHint ?? null}, ${ip}, ${digestOf(claimToken)},
                unix_now() + ${CLAIM_WINDOW_SECONDS}::bigint)
        RETURNING claim_token_expires_at`,
    db,
  );
  return { id, claimToken, claimTokenExpires: row?.claim_token_expires_at ?? 0 };
}

/** `db` is the registration's transaction. */
export async function auditCreated(
  db: Transaction,
  registrationId: string,
  organizationId: string | null,
  type: string,
  ip: string | null,
  data: Record<string, string> = {},
) {
  await audit(db, {
    action: "registration.created",
    actor: registrationId,
    organizationId,
    registrationId,
    ip,
    data: { type, ...data },
  });
}

/**
 * The registration of a claim token, locked with its keys until the transaction `db` ends, so that
 * claims are serialized. Throws 404 `invalid_claim_token`.
 */
export async function lockByClaimToken(db: Transaction, claimToken: string): Promise<Registration> {
  const digest = digestOf(claimToken);
  await lockKeys(
    db,
    sql`SELECT organization_id FROM agent_registrations WHERE claim_token_digest = ${digest}`,
  );
  const row = await queryOne<Registration>(
    sql`SELECT id, type, requested_credential_type, organization_id, login_hint,
               current_attempt_id, claimed_at, revoked_at,
               claim_token_expires_at - unix_now() AS seconds_left,
               otp_failures_total >= ${FAILURES_MAX}::int AS is_locked
        FROM agent_registrations WHERE claim_token_digest = ${digest}
        FOR NO KEY UPDATE`,
    db,
  );
  if (row) return row;
  const message =
    "No registration has this claim token. Send the claim token of a resource to POST /api/claims with an API key.";
  throw new ApiError("invalid_claim_token", message, { param: "claim_token", status: 404 });
}

/**
 * The 410 for a registration whose claim window has ended or that is locked. Audited in the
 * transaction `db`, so throw it after the commit.
 */
export async function expiryError(
  db: Transaction,
  registration: Registration,
  ip: string | null,
): Promise<ApiError | undefined> {
  if (registration.seconds_left > 0 && !registration.is_locked) return undefined;
  await audit(db, {
    action: "registration.expired",
    actor: registration.id,
    organizationId: registration.organization_id,
    registrationId: registration.id,
    ip,
    data: { reason: registration.is_locked ? "locked" : "window" },
  });
  return new ApiError(
    "claim_expired",
    registration.is_locked
      ? "This registration can no longer be claimed: too many wrong codes."
      : "The claim token has expired.",
  );
}

/**
 * Deletes up to `limit` registrations that were revoked that long ago, with their keys, and returns
 * their number.
 */
export async function removeRevokedRegistrations(
  ageSeconds: number,
  limit: number,
): Promise<number> {
  const removed = await query(sql`
    DELETE FROM agent_registrations WHERE id IN (
      SELECT id FROM agent_registrations
      WHERE revoked_at < unix_now() - ${ageSeconds}::bigint
      ORDER BY revoked_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id`);
  return removed.length;
}
