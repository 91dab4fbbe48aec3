import { audit } from "@/lib/identity/audit/audit";
import { digestOf, newSecret, OAUTH_TOKEN_PREFIX } from "@/lib/identity/keys/key-format";
import type { Audience, Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { lockName } from "@/lib/platform/db/name-lock";
import { prisma } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import type { TokenResponse } from "./contract";
import { newRefreshToken, refreshTokenParts } from "./secrets";

export const ACCESS_TOKEN_SECONDS = 3600;
/** A grant ends if it is not refreshed for this long. */
export const GRANT_IDLE_SECONDS = 30 * 86_400;
/** The maximum age of a grant. */
export const GRANT_SECONDS_MAX = 180 * 86_400;
/** Live grants that a person may have in an organization. */
export const GRANTS_MAX = 100;
/** Live access tokens per grant; a new one evicts the oldest. */
const ACCESS_TOKENS_MAX = 10;
/** How long ended grants are kept for the list and the audit log. */
export const ENDED_SECONDS = 30 * 86_400;

/** What a person has agreed to. */
interface Agreed
  extends Pick<
    Row<"OAuthCode">,
    "organization_id" | "user_id" | "client_id" | "client_name" | "audience" | "scopes"
  > {
  client_host: string;
}

/**
 * SQL: whether the person of the row of `codes` is a member. Takes no lock: the end of a membership
 * deletes its codes, and waits for one that is being exchanged, so it finds the grant.
 */
export const IS_MEMBER = sql`EXISTS (
  SELECT FROM members
  WHERE members.organization_id = codes.organization_id AND members.user_id = codes.user_id)`;

/** Throws `code` if the person has `GRANTS_MAX` clients in the organization. */
export async function assertGrantQuota(
  userId: string,
  organizationId: string,
  code: "forbidden" | "invalid_grant",
  tx?: Transaction,
): Promise<void> {
  const isLive = { revoked_at: null, expires_at: { gt: await unixNow(tx) } };
  const live = await (tx ?? prisma).oAuthGrant.count({
    where: { user_id: userId, key: { organization_id: organizationId, ...isLive } },
  });
  if (live < GRANTS_MAX) return;
  const message = `You have connected ${GRANTS_MAX} clients. Disconnect one under Keys & agents first.`;
  throw new ApiError(code, message);
}

/** Creates a grant and its first tokens in `tx`. Throws `invalid_grant` at `GRANTS_MAX`. */
export async function createGrant(
  tx: Transaction,
  agreed: Agreed,
  ip: string | null,
): Promise<{ id: string; tokens: TokenResponse }> {
  const id = newId("key");
  const refreshToken = newRefreshToken();
  const parts = refreshTokenParts(refreshToken);
  const { organization_id, user_id, client_id, client_name, client_host, audience, scopes } =
    agreed;
  // Concurrent exchanges count one after the other. Locking the member's row could deadlock: the end of a
  // membership holds it while it waits for the code.
  await lockName(tx, "grants", `${organization_id} ${user_id}`);
  await assertGrantQuota(user_id, organization_id, "invalid_grant", tx);
  const now = await unixNow(tx);
  const expires_at = now + GRANT_IDLE_SECONDS;
  await tx.apiKey.create({
    data: {
      id,
      organization_id,
      name: client_name,
      kind: "oauth_grant",
      prefix: "",
      last_four: "",
      scopes,
      created_at: now,
      expires_at,
    },
    select: { id: true },
  });
  await tx.oAuthGrant.create({
    data: {
      id,
      user_id,
      client_id,
      client_host,
      audience,
      family_digest: parts?.familyDigest ?? "",
      token_digest: parts?.digest ?? "",
    },
    select: { id: true },
  });
  await audit(tx, {
    action: "grant.created",
    actor: user_id,
    organizationId: organization_id,
    ip,
    data: { key: id, name: client_name, client: client_id, audience },
  });
  return { id, tokens: await issue(tx, id, { audience, expires_at }, scopes, refreshToken) };
}

/** Adds an access token to a grant, which it does not outlive, in the transaction `tx`. */
export async function issue(
  tx: Transaction,
  grantId: string,
  { audience, expires_at: grantEndsAt }: { audience: Audience; expires_at: number },
  scopes: Scope[],
  refreshToken: string,
): Promise<TokenResponse> {
  const accessToken = newSecret(OAUTH_TOKEN_PREFIX);
  const now = await unixNow(tx);
  const expiresAt = Math.min(now + ACCESS_TOKEN_SECONDS, grantEndsAt);
  // Tokens may expire in the same second, as all do near the end of their grant. Then the transaction that wrote
  // each one tells their order, which Prisma cannot read.
  await query(
    sql`DELETE FROM oauth_access_tokens WHERE digest IN (
          SELECT digest FROM oauth_access_tokens WHERE grant_id = ${grantId}
          ORDER BY expires_at DESC, age(xmin) OFFSET ${ACCESS_TOKENS_MAX - 1})`,
    tx,
  );
  await tx.oAuthAccessToken.create({
    data: {
      digest: digestOf(accessToken),
      grant_id: grantId,
      audience,
      scopes,
      expires_at: expiresAt,
    },
    select: { digest: true },
  });
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: expiresAt - now,
    refresh_token: refreshToken,
    scope: scopes.join(" "),
  };
}

/** Revokes a grant if it is live, in the transaction `tx`. `reason` is for the audit log. */
export async function endGrant(
  tx: Transaction,
  id: string,
  reason: "code reused" | "refresh token reused" | "revoked by the client",
  ip: string | null,
): Promise<void> {
  const [ended] = await tx.apiKey.updateManyAndReturn({
    where: { id, revoked_at: null },
    data: { revoked_at: await unixNow(tx) },
    select: { organization_id: true, name: true },
  });
  if (!ended) return;
  const { organization_id: organizationId, name } = ended;
  const data = { key: id, name, reason };
  await audit(tx, { action: "grant.revoked", actor: id, organizationId, ip, data });
}

/** Deletes up to `limit` expired access tokens, old codes of both kinds and long-ended grants. */
export async function removeEndedGrants(limit: number): Promise<number> {
  const tokens = { table: sql`oauth_access_tokens`, where: sql`expires_at <= unix_now()` };
  const codes = { table: sql`oauth_codes`, where: sql`expires_at <= unix_now() - 86400` };
  const devices = { table: sql`oauth_device_codes`, where: sql`expires_at <= unix_now() - 3600` };
  const key = sql`digest`;
  let removed = 0;
  for (const ended of [tokens, codes, devices])
    removed += await removeRows({ ...ended, key }, limit);
  const grants = sql`kind = 'oauth_grant'
    AND least(revoked_at, expires_at) <= unix_now() - ${ENDED_SECONDS}::bigint`;
  return removed + (await removeRows({ table: sql`api_keys`, where: grants }, limit));
}
