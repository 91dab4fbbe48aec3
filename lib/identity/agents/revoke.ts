import { audit } from "@/lib/identity/audit/audit";
import { lockKeys } from "@/lib/identity/keys/key-lock";
import { type Commit, together } from "@/lib/platform/db/commit";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { readToken } from "./body";
import type { Revoked } from "./contract";
import { countRevocation } from "./limits";
import { type Logout, verifyLogoutToken } from "./logout-token";
import { lockSubject, markTokenUsed } from "./used-tokens";

/**
 * Revokes all credentials of a provider's user. This is not a ban: a fresh assertion registers
 * again, in the same organization. Throws 400 for a rejected token, never 401.
 */
export async function revoke(request: HttpRequest, commit: Commit): Promise<Revoked> {
  await countRevocation(request);
  const token = await readToken(request, "application/logout+jwt");
  try {
    const logout = await verifyLogoutToken(token);
    const end = together(async (db) => {
      const ended = await revokeSubject(db, logout);
      await audit(db, {
        action: "registration.revoked",
        actor: logout.iss,
        organizationId: ended.organizationId,
        ip: clientAddress(request),
        data: { sub: logout.sub, revoked: ended.revoked },
      });
      return { revoked: ended.revoked };
    });
    return await commit(end);
  } catch (error) {
    throw asBadRequest(error);
  }
}

/**
 * Marks the token as used in the transaction of its effect, so that the provider can retry after a
 * crash.
 */
async function revokeSubject(db: Transaction, { iss, sub, jti, endsAt }: Logout) {
  await lockSubject(db, iss, sub);
  await lockKeys(
    db,
    sql`SELECT organization_id FROM agent_registrations WHERE iss = ${iss} AND sub = ${sub}`,
  );
  await markTokenUsed(db, iss, jti, endsAt);
  const delegation = await queryOne<{ organization_id: string }>(
    sql`UPDATE delegations SET revoked_at = unix_now() WHERE iss = ${iss} AND sub = ${sub}
        RETURNING organization_id`,
    db,
  );
  await query(
    sql`UPDATE agent_registrations SET revoked_at = unix_now()
        WHERE iss = ${iss} AND sub = ${sub} AND revoked_at IS NULL`,
    db,
  );
  const revoked = await query(
    sql`UPDATE api_keys SET revoked_at = unix_now()
        WHERE revoked_at IS NULL AND registration_id IN (
          SELECT id FROM agent_registrations WHERE iss = ${iss} AND sub = ${sub})
        RETURNING id`,
    db,
  );
  return { revoked: revoked.length, organizationId: delegation?.organization_id ?? null };
}

function asBadRequest(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new ApiError(error.code, error.message, { status: 400 });
}
