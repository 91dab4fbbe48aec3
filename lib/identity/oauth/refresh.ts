import type { Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { commitDecision, unrecorded } from "@/lib/platform/db/commit";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { markClientUsed } from "./clients";
import type { TokenResponse } from "./contract";
import { endGrant, GRANT_IDLE_SECONDS, GRANT_SECONDS_MAX, issue } from "./grant";
import type { Parameters } from "./parameters";
import { assertAudience, requestedScopes } from "./resource";
import { newRefreshToken, refreshTokenParts } from "./secrets";

/**
 * Replaces a refresh token. Reusing one revokes the grant, even after a lost response, since
 * nothing tells the client from a thief.
 */
export async function refresh(
  parameters: Parameters,
  refreshToken: string,
  clientId: string,
  ip: string | null,
): Promise<TokenResponse> {
  const sent = refreshTokenParts(refreshToken);
  if (!sent) throw unknownToken();
  return commitDecision(unrecorded, async (tx) => {
    // (a) The row lock decides between two concurrent uses of a token.
    const grant = await queryOne<Grant>(
      sql`SELECT id, client_id, audience, token_digest, scopes, created_at,
                 revoked_at IS NOT NULL OR expires_at <= unix_now() AS is_ended
          FROM oauth_grants JOIN api_keys USING (id)
          WHERE family_digest = ${sent.familyDigest} FOR UPDATE`,
      tx,
    );
    if (grant?.client_id !== clientId) throw unknownToken();
    if (grant.token_digest !== sent.digest) {
      await endGrant(tx, grant.id, "refresh token reused", ip);
      return new ApiError(
        "invalid_grant",
        "The refresh token was used before, so all tokens of the grant are revoked. Sign in again.",
      );
    }
    if (grant.is_ended) throw unknownToken();
    assertAudience(parameters, grant);
    const scopes = narrowed(grant.scopes, parameters.get("scope"));
    const next = newRefreshToken(sent.family);
    const { id, audience, created_at } = grant;
    const idleEnd = (await unixNow(tx)) + GRANT_IDLE_SECONDS;
    const expires_at = Math.min(idleEnd, created_at + GRANT_SECONDS_MAX);
    await tx.apiKey.update({ where: { id }, data: { expires_at }, select: { id: true } });
    await tx.oAuthGrant.update({
      where: { id },
      data: { token_digest: refreshTokenParts(next)?.digest ?? "" },
      select: { id: true },
    });
    await markClientUsed(clientId, tx);
    return issue(tx, id, { audience, expires_at }, scopes, next);
  });
}

type Grant = Row<"ApiKey", "id" | "scopes" | "created_at"> &
  Row<"OAuthGrant", "client_id" | "audience" | "token_digest"> & { is_ended: boolean };

/** The grant's scopes, or the requested subset. Throws `invalid_scope`. */
function narrowed(granted: Scope[], scope: string | undefined): Scope[] {
  if (scope === undefined) return granted;
  const wanted = requestedScopes(scope);
  if (wanted.every((one) => granted.includes(one))) return wanted;
  throw new ApiError("invalid_scope", `The grant has only ${granted.join(" ")}.`);
}

function unknownToken() {
  return new ApiError("invalid_grant", "The refresh token is unknown, expired or revoked.");
}
