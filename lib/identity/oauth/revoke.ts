import { OAUTH_TOKEN_PREFIX } from "@/lib/identity/keys/key-format";
import { type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { invalidRequest } from "./error";
import { endGrant } from "./grant";
import { countTokenRequest } from "./limits";
import { readForm } from "./parameters";
import { refreshTokenParts, secretDigest } from "./secrets";

/**
 * Revokes the grant of an access or refresh token, with all its tokens (RFC 7009). An unknown token
 * is not an error. Throws 400 if the token belongs to a client other than the one named.
 */
export async function revoke(request: HttpRequest): Promise<void> {
  await countTokenRequest(request);
  const parameters = await readForm(request);
  const token = parameters.get("token");
  if (token === undefined) throw invalidRequest("token is missing.");
  const clientId = parameters.get("client_id");
  await transaction(async (tx) => {
    const grant = await grantOf(tx, token);
    if (!grant) return;
    if (clientId !== undefined && clientId !== grant.client_id) {
      throw new ApiError("invalid_grant", "The token belongs to another client.");
    }
    await endGrant(tx, grant.id, "revoked by the client", clientAddress(request));
  });
}

async function grantOf(tx: Transaction, token: string) {
  const select = { id: true, client_id: true };
  const refreshing = refreshTokenParts(token);
  if (refreshing) {
    const { familyDigest: family_digest } = refreshing;
    return tx.oAuthGrant.findUnique({ where: { family_digest }, select });
  }
  const digest = secretDigest(OAUTH_TOKEN_PREFIX, token);
  if (digest === undefined) return null;
  return tx.oAuthGrant.findFirst({
    where: { key: { access_tokens: { some: { digest } } } },
    select,
  });
}
