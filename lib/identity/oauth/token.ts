import { hash } from "node:crypto";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { commitDecision, unrecorded } from "@/lib/platform/db/commit";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { isSameSecret } from "@/lib/platform/secrets";
import { clientHost } from "./clients";
import { DEVICE_GRANT, type TokenResponse } from "./contract";
import { exchangeDevice } from "./device";
import { invalidRequest } from "./error";
import { createGrant, endGrant, IS_MEMBER } from "./grant";
import { countTokenRequest } from "./limits";
import { type Parameters, readForm, required } from "./parameters";
import { refresh } from "./refresh";
import { assertAudience } from "./resource";
import { CODE_PREFIX, secretDigest } from "./secrets";

/** Exchanges an authorization code, a refresh token or a device code. Throws the errors of RFC 6749 §5.2. */
export async function token(request: HttpRequest): Promise<TokenResponse> {
  await countTokenRequest(request);
  const parameters = await readForm(request);
  refuseClientSecret(request, parameters);
  const grantType = required(parameters, "grant_type");
  const clientId = required(parameters, "client_id");
  const ip = clientAddress(request);
  switch (grantType) {
    case "authorization_code":
      return exchange(parameters, clientId, ip);
    case "refresh_token":
      return refresh(parameters, required(parameters, "refresh_token"), clientId, ip);
    case DEVICE_GRANT:
      return exchangeDevice(parameters, clientId, ip);
    default:
      throw new ApiError(
        "unsupported_grant_type",
        `grant_type must be authorization_code, refresh_token or ${DEVICE_GRANT}.`,
      );
  }
}

async function exchange(
  parameters: Parameters,
  clientId: string,
  ip: string | null,
): Promise<TokenResponse> {
  const digest = secretDigest(CODE_PREFIX, required(parameters, "code"));
  const verifier = required(parameters, "code_verifier");
  if (!/^[\w.~-]{43,128}$/.test(verifier)) {
    throw invalidRequest("code_verifier must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~.");
  }
  if (digest === undefined) throw unknownCode();
  return commitDecision(unrecorded, async (tx) => {
    // (a) The row lock decides between two concurrent exchanges of a code.
    const code = await lockCode(tx, digest);
    if (code?.client_id !== clientId || !isChallengeOf(verifier, code.challenge)) {
      throw unknownCode();
    }
    if (code.grant_id !== null) {
      // Only a client with the verifier gets here: a code leaked in a log cannot end a grant.
      await endGrant(tx, code.grant_id, "code reused", ip);
      return new ApiError("invalid_grant", "The code was used before, so its tokens are revoked.");
    }
    if (code.is_expired) throw unknownCode();
    assertSame(parameters, code);
    if (!code.is_member) throw unknownCode();
    const client_host = clientHost(code.client_id, code.redirect_uri);
    const { id, tokens } = await createGrant(tx, { ...code, client_host }, ip);
    await tx.oAuthCode.update({
      where: { digest },
      data: { grant_id: id },
      select: { digest: true },
    });
    return tokens;
  });
}

const CODE = columns(
  "OAuthCode",
  `client_id, client_name, user_id, organization_id, redirect_uri, challenge, audience, scopes,
   grant_id`,
);

function lockCode(tx: Transaction, digest: string) {
  return queryOne<RowOf<typeof CODE> & { is_expired: boolean; is_member: boolean }>(
    sql`SELECT ${CODE}, expires_at <= unix_now() AS is_expired, ${IS_MEMBER} AS is_member
        FROM oauth_codes AS codes WHERE digest = ${digest} FOR UPDATE`,
    tx,
  );
}

/** OAuth 2.1 clients omit `redirect_uri`, since PKCE binds the code; RFC 6749 ones send it. */
function assertSame(parameters: Parameters, code: Row<"OAuthCode", "redirect_uri" | "audience">) {
  const redirectUri = parameters.get("redirect_uri");
  if (redirectUri !== undefined && redirectUri !== code.redirect_uri) {
    throw new ApiError("invalid_grant", "redirect_uri differs from the authorization request.");
  }
  assertAudience(parameters, code);
}

/** Clients are public: one that sends a secret expects to be authenticated. */
function refuseClientSecret(request: HttpRequest, parameters: Parameters) {
  const hasHeader = request.headers.get("authorization") !== null;
  if (!hasHeader && !parameters.has("client_secret") && !parameters.has("client_assertion")) return;
  throw new ApiError("invalid_client", "Clients have no secret here: send client_id in the body.", {
    headers: hasHeader ? { "WWW-Authenticate": 'Basic realm="OAuth"' } : {},
  });
}

function isChallengeOf(verifier: string, challenge: string): boolean {
  return isSameSecret(hash("sha256", verifier, "base64url"), challenge);
}

function unknownCode() {
  return new ApiError("invalid_grant", "The code is unknown, expired or not for this client.");
}
