import { audit } from "@/lib/identity/audit/audit";
import { endKeys } from "@/lib/identity/keys/end-keys";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { type Commit, together } from "@/lib/platform/db/commit";
import { inSteps } from "@/lib/platform/db/in-steps";
import { sql, type Transaction } from "@/lib/platform/db/sql";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { readToken } from "./body";
import type { Revoked } from "./contract";
import { countRevocation } from "./limits";
import { type Logout, verifyLogoutToken } from "./logout-token";
import { recordRevocation } from "./revoked-subjects";
import { lockSubject, markTokenUsed } from "./used-tokens";

/**
 * Revokes all credentials of a provider's user. This is not a ban: a fresh assertion registers
 * again, in the same organization.
 */
export async function revoke(request: HttpRequest, commit: Commit): Promise<Revoked> {
  await countRevocation(request);
  const token = await readToken(request, "application/logout+jwt");
  const logout = await verifyLogoutToken(token);
  const end = together(async (tx) => {
    const ended = await revokeSubject(tx, logout);
    await audit(tx, {
      action: "registration.revoked",
      actor: logout.iss,
      organizationId: ended.organizationId,
      ip: clientAddress(request),
      data: { sub: logout.sub, revoked: ended.revoked },
    });
    return { revoked: ended.revoked };
  });
  return commit(end);
}

/** Marks the token as used together with its effect: the provider may retry after a crash. */
async function revokeSubject(tx: Transaction, { iss, sub, jti, iat, endsAt }: Logout) {
  await lockSubject(tx, iss, sub);
  await lockOrganizations(
    tx,
    sql`SELECT organization_id FROM agent_registrations WHERE iss = ${iss} AND sub = ${sub}`,
  );
  await markTokenUsed(tx, iss, jti, endsAt);
  const data = { revoked_at: await recordRevocation(tx, { iss, sub, iat }) };
  const [delegation] = await tx.delegation.updateManyAndReturn({
    where: { iss, sub },
    data,
    select: { organization_id: true },
  });
  const agents = sql`SELECT id FROM agent_registrations WHERE iss = ${iss} AND sub = ${sub}`;
  const { length: revoked } = await endKeys(tx, sql`registration_id IN (${agents})`);
  // Also revokes registrations whose keys had already ended.
  await inSteps(
    tx,
    (limit) => sql`
    UPDATE agent_registrations SET revoked_at = unix_now() WHERE id IN (
      ${agents} AND revoked_at IS NULL LIMIT ${limit} FOR NO KEY UPDATE)
    RETURNING id`,
  );
  return { revoked, organizationId: delegation?.organization_id ?? null };
}
