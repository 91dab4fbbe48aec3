import { audit } from "@/lib/identity/audit/audit";
import { digestOf, type KeyKind } from "@/lib/identity/keys/key-format";
import { notEnded } from "@/lib/identity/keys/live-key";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { deleteUnreachable } from "@/lib/identity/organizations/unclaimed";
import { scopes } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { randomBase62 } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import {
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";

const CLAIM_TOKEN_LENGTH = 25; // 149 random bits
export const CLAIM_WINDOW_SECONDS = 7 * 86_400;
/** Wrong codes over all attempts at a registration, after which it can never be claimed. */
export const FAILURES_MAX = 15;

/** Whether a row of `agent_registrations` waits for a claim. One that a provider made never does. */
export const IS_UNCLAIMED = sql`claimed_at IS NULL AND revoked_at IS NULL
  AND type <> 'agent-provider' AND claim_token_expires_at > unix_now()
  AND otp_failures_total < ${FAILURES_MAX}::int`;

const COLUMNS = columns(
  "AgentRegistration",
  `id, type, requested_credential_type, organization_id, login_hint, current_attempt_id,
   claimed_at, revoked_at`,
);

export type Registration = RowOf<typeof COLUMNS> & {
  /** Seconds until the claim token expires; negative afterwards. */
  seconds_left: number;
  is_locked: boolean;
};

/** Whether an agent's registration has, or had, this claim token. */
export async function isRegistrationToken(token: string): Promise<boolean> {
  const where = { claim_token_digest: digestOf(token) };
  return (await prisma.agentRegistration.findFirst({ where, select: { id: true } })) !== null;
}

/** Creates a claimable registration. Its token is returned once; only its digest is stored. */
export async function createClaimable(
  tx: Transaction,
  registration: {
    id: string;
    type: "anonymous" | "service_auth";
    credentialType: KeyKind;
    organizationId?: string;
    loginHint?: string;
    ip: string | null;
    attemptId?: string;
  },
): Promise<{ claimToken: string; claimTokenExpires: number }> {
  const { type, credentialType, organizationId, loginHint, attemptId, ip, id } = registration;
  const claimToken = `clm_${randomBase62(CLAIM_TOKEN_LENGTH)}`;
  const now = await unixNow(tx);
  const claimTokenExpires = now + CLAIM_WINDOW_SECONDS;
  await tx.agentRegistration.create({
    data: {
      id,
      type,
      requested_credential_type: credentialType,
      organization_id: organizationId ?? null,
      login_hint: loginHint ?? null,
      current_attempt_id: attemptId ?? null,
      registration_ip: ip,
      claim_token_digest: digestOf(claimToken),
      created_at: now,
      claim_token_expires_at: claimTokenExpires,
    },
    select: { id: true },
  });
  return { claimToken, claimTokenExpires };
}

/** Records the creation, in the registration's transaction `tx`. */
export async function auditCreated(
  tx: Transaction,
  registrationId: string,
  organizationId: string | null,
  type: string,
  ip: string | null,
  data: Record<string, string> = {},
) {
  await audit(tx, {
    action: "registration.created",
    actor: registrationId,
    organizationId,
    registrationId,
    ip,
    data: { type, ...data },
  });
}

/**
 * (a) The registration of a claim token, locked with its keys until the transaction `tx` ends, so that
 * claims are serialized. Throws `invalid_claim_token`.
 */
export async function lockByClaimToken(tx: Transaction, claimToken: string): Promise<Registration> {
  const digest = digestOf(claimToken);
  await lockOrganizations(
    tx,
    sql`SELECT organization_id FROM agent_registrations WHERE claim_token_digest = ${digest}`,
  );
  const row = await queryOne<Registration>(
    sql`SELECT ${COLUMNS}, claim_token_expires_at - unix_now() AS seconds_left,
               otp_failures_total >= ${FAILURES_MAX}::int AS is_locked
        FROM agent_registrations WHERE claim_token_digest = ${digest}
        FOR NO KEY UPDATE`,
    tx,
  );
  if (row) return row;
  const message =
    "No registration has this claim token. Send the claim token of a resource to POST /api/claims with an API key.";
  throw new ApiError("invalid_claim_token", message, { param: "claim_token" });
}

/** Records that a user has claimed a registration into an organization. Its keys gain both scopes. */
export async function markClaimed(
  tx: Transaction,
  id: string,
  { organizationId, userId, ip }: { organizationId: string; userId: string; ip: string | null },
): Promise<void> {
  const now = await unixNow(tx);
  await tx.apiKey.updateMany({
    where: { registration_id: id, ...notEnded(now) },
    data: { scopes: [...scopes] },
  });
  await tx.agentRegistration.update({
    where: { id },
    data: { claimed_at: now, claimed_by_user_id: userId, organization_id: organizationId },
    select: { id: true },
  });
  const event = { actor: userId, registrationId: id, organizationId, ip };
  await audit(tx, { ...event, action: "claim.confirmed" });
}

/** The 410 for a locked or late registration. Audited in `tx`, so throw it after the commit. */
export async function expiryError(
  tx: Transaction,
  registration: Registration,
  ip: string | null,
): Promise<ApiError | undefined> {
  if (registration.seconds_left > 0 && !registration.is_locked) return undefined;
  await audit(tx, {
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
 * Deletes up to `limit` registrations of each kind that ended that long ago, with their keys, and returns the number of
 * rows. They were revoked, their keys have all ended, or the user they asked has never confirmed them. Organizations
 * that nobody else can reach end with them.
 */
export async function removeEndedRegistrations(ageSeconds: number, limit: number): Promise<number> {
  const before = sql`unix_now() - ${ageSeconds}::bigint`;
  const endedBefore = sql`least(revoked_at, expires_at) < ${before}`;
  const revoked = sql`revoked_at < ${before}`;
  // Served by an index of the last keys of rotations, ordered by when they end.
  const ended = sql`id IN (
      SELECT registration_id FROM api_keys
      WHERE registration_id IS NOT NULL AND replaced_by_id IS NULL AND ${endedBefore})
    AND NOT EXISTS (
      SELECT FROM api_keys
      WHERE registration_id = agent_registrations.id AND (${endedBefore}) IS NOT TRUE)
    AND coalesce(claim_token_expires_at, 0) < ${before}`;
  const unconfirmed = sql`organization_id IS NULL AND claimed_at IS NULL AND revoked_at IS NULL
    AND type <> 'agent-provider' AND created_at < ${before} - ${CLAIM_WINDOW_SECONDS}::bigint`;
  let removed = 0;
  for (const kind of [revoked, ended, unconfirmed]) removed += await removeSome(kind, limit);
  return removed;
}

/**
 * Up to `limit` of the keys that rotations have replaced go first: there may be more of them than one statement can
 * delete. The last key of each goes with its registration.
 */
async function removeSome(where: Sql, limit: number): Promise<number> {
  const found = await query<{ id: string; organization_id: string | null }>(
    sql`SELECT id, organization_id FROM agent_registrations WHERE ${where} LIMIT ${limit}`,
  );
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  const replaced = sql`registration_id = ANY (${ids}) AND replaced_by_id IS NOT NULL`;
  const keys = await removeRows({ table: sql`api_keys`, where: replaced }, limit);
  if (keys === limit) return keys;
  const still = sql`id = ANY (${ids}) AND ${where}`;
  const organizations = found.flatMap(({ organization_id }) => organization_id ?? []);
  return transaction(async (tx) => {
    const agents = await removeRows({ table: sql`agent_registrations`, where: still }, limit, tx);
    await deleteUnreachable(tx, organizations);
    return keys + agents;
  });
}
