import { queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { invalidRequest } from "./error";
import { endGrant } from "./grant";
import { countTokenRequest } from "./limits";
import { readForm } from "./parameters";
import { accessTokenDigest, refreshTokenParts } from "./secrets";

/**
 * Revokes the grant of an access or refresh token, with all its tokens (RFC 7009). An unknown token
 * is no error. Throws 400 when it belongs to another client than the one named.
 */
export async function revoke(request: HttpRequest): Promise<void> {
  await countTokenRequest(request);
  const parameters = await readForm(request);
  const token = parameters.get("token");
  if (token === undefined) throw invalidRequest("token is missing.");
  const clientId = parameters.get("client_id");
  await transaction(async (db) => {
    const grant = await grantOf(db, token);
    if (!grant) return;
    if (clientId !== undefined && clientId !== grant.client_id) {
      throw new ApiError("invalid_grant", "The token belongs to another client.");
    }
    await endGrant(db, grant.id, "revoked by the client", clientAddress(request));
  });
}

async function grantOf(db: Transaction, token: string) {
  const access = accessTokenDigest(token);
  const family = refreshTokenParts(token)?.familyDigest;
  return queryOne<{ id: string; client_id: string }>(
    sql`SELECT id, client_id FROM oauth_grants
        WHERE family_digest = ${family ?? null}::text
           OR id = (SELECT grant_id FROM oauth_access_tokens WHERE digest = ${access ?? null}::text)`,
    db,
  );
}
