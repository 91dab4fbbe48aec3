import { audit } from "@/lib/identity/audit/audit";
import { digestOf } from "@/lib/identity/keys/key-format";
import type { Audience, Scope } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { hostOf } from "./clients";
import type { TokenResponse } from "./contract";
import { newAccessToken, newRefreshToken, refreshTokenParts } from "./secrets";

export const ACCESS_TOKEN_SECONDS = 3600;
/** A grant ends when it has not been refreshed for this long. */
export const GRANT_IDLE_SECONDS = 30 * 86_400;
/** The maximum age of a grant. */
export const GRANT_SECONDS_MAX = 180 * 86_400;
/** Live access tokens per grant; a new one evicts the oldest. */
const ACCESS_TOKENS_MAX = 10;
/** Ended grants are kept for the list and the audit log. */
const ENDED_SECONDS = 30 * 86_400;

export interface Code {
  client_id: string;
  client_name: string;
  user_id: string;
  organization_id: string;
  redirect_uri: string;
  audience: Audience;
  scopes: Scope[];
}

/** Creates the grant of a code and its first tokens. `db` is a transaction. */
export async function createGrant(
  db: Transaction,
  code: Code,
  ip: string | null,
): Promise<{ id: string; tokens: TokenResponse }> {
  const id = newId("key");
  const refreshToken = newRefreshToken();
  const parts = refreshTokenParts(refreshToken);
  await query(
    sql`
    WITH key AS (
      INSERT INTO api_keys (id, organization_id, name, kind, prefix, last_four, scopes, expires_at)
      VALUES (${id}, ${code.organization_id}, ${code.client_name}, 'oauth_grant', '', '',
              ${code.scopes}, unix_now() + ${GRANT_IDLE_SECONDS}::bigint)
    )
    INSERT INTO oauth_grants (id, user_id, client_id, client_host, audience, family_digest,
                              token_digest)
    VALUES (${id}, ${code.user_id}, ${code.client_id},
            ${hostOf(code.client_id, code.redirect_uri)}, ${code.audience},
            ${parts?.familyDigest ?? ""}, ${parts?.digest ?? ""})`,
    db,
  );
  await audit(db, {
    action: "grant.created",
    actor: code.user_id,
    organizationId: code.organization_id,
    ip,
    data: { key: id, name: code.client_name, client: code.client_id, audience: code.audience },
  });
  return { id, tokens: await issue(db, id, code, code.scopes, refreshToken) };
}

/** Adds an access token to a grant. `db` is a transaction. */
export async function issue(
  db: Transaction,
  grantId: string,
  { audience }: { audience: Audience },
  scopes: Scope[],
  refreshToken: string,
): Promise<TokenResponse> {
  const accessToken = newAccessToken();
  await query(
    sql`DELETE FROM oauth_access_tokens WHERE digest IN (
          SELECT digest FROM oauth_access_tokens WHERE grant_id = ${grantId}
          ORDER BY expires_at DESC OFFSET ${ACCESS_TOKENS_MAX - 1})`,
    db,
  );
  await query(
    sql`INSERT INTO oauth_access_tokens (digest, grant_id, audience, scopes, expires_at)
        VALUES (${digestOf(accessToken)}, ${grantId}, ${audience}, ${scopes},
                unix_now() + ${ACCESS_TOKEN_SECONDS}::bigint)`,
    db,
  );
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(" "),
  };
}

/** Revokes a grant, if it is live. `db` is a transaction; `reason` is for the audit log. */
export async function endGrant(
  db: Transaction,
  id: string,
  reason: "code reused" | "refresh token reused" | "revoked by the client",
  ip: string | null,
): Promise<void> {
  const ended = await queryOne<{ organization_id: string; name: string }>(
    sql`UPDATE api_keys SET revoked_at = unix_now() WHERE id = ${id} AND revoked_at IS NULL
        RETURNING organization_id, name`,
    db,
  );
  if (!ended) return;
  const { organization_id: organizationId, name } = ended;
  const data = { key: id, name, reason };
  await audit(db, { action: "grant.revoked", actor: id, organizationId, ip, data });
}

/** Deletes up to `limit` expired access tokens, old codes and grants that ended long ago. */
export async function removeEndedGrants(limit: number): Promise<number> {
  const tokens = await query(sql`
    DELETE FROM oauth_access_tokens WHERE digest IN (
      SELECT digest FROM oauth_access_tokens WHERE expires_at <= unix_now()
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING grant_id`);
  const codes = await query(sql`
    DELETE FROM oauth_codes WHERE digest IN (
      SELECT digest FROM oauth_codes WHERE expires_at <= unix_now() - 86400
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING digest`);
  const grants = await query(sql`
    DELETE FROM api_keys WHERE id IN (
      SELECT id FROM oauth_grants JOIN api_keys USING (id)
      WHERE least(revoked_at, expires_at) <= unix_now() - ${ENDED_SECONDS}::bigint
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id`);
  return tokens.length + codes.length + grants.length;
}
