import { IS_UNCLAIMED } from "@/lib/identity/agents/registrations";
import { audit } from "@/lib/identity/audit/audit";
import { invalidKey } from "@/lib/identity/authenticate";
import { ROTATION_LIMIT, type RotatedKey } from "@/lib/identity/me/contract";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import type { Caller } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, together } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { ApiError, retryAfter } from "@/lib/platform/errors";
import { countTry } from "@/lib/platform/limits/fixed-window";
import { endChain } from "./end-keys";
import { type KeyKind, newApiKey, storedForm } from "./key-format";
import { IS_LIVE } from "./live-key";

const OWN_KEY_COLUMNS = columns(
  "ApiKey",
  "id, name, kind, organization_id, registration_id, created_at, expires_at",
);

type OwnKeyRow = RowOf<typeof OWN_KEY_COLUMNS> & {
  organization_name: string;
  /** When its registration can no longer be claimed; null if there is nothing to claim. */
  claim_ends_at: number | null;
};

/** A key's view of itself. */
export type OwnKey = Awaited<ReturnType<typeof findOwnKey>>;

/** The key that authenticates the request. */
export async function findOwnKey(caller: Caller) {
  const { keyId, tokenExpiresAt, scopes } = keyCallerOf(caller);
  // (d) Shares the rule for what can be claimed.
  const key = await queryOne<OwnKeyRow>(
    sql`SELECT ${OWN_KEY_COLUMNS},
          (SELECT name FROM organizations
           WHERE organizations.id = api_keys.organization_id) AS organization_name,
          (SELECT claim_token_expires_at FROM agent_registrations
           WHERE agent_registrations.id = api_keys.registration_id AND ${IS_UNCLAIMED}) AS claim_ends_at
        FROM api_keys WHERE id = ${keyId}`,
  );
  if (!key) throw invalidKey();
  return {
    ...key,
    kind: key.kind === "oauth_grant" ? "access_token" : key.kind,
    scopes: [...scopes],
    expires_at: tokenExpiresAt ?? key.expires_at,
  };
}

/** Revokes the key that authenticates the request, with its chain of rotations. */
export async function revokeOwnKey(caller: Caller, ip: string | null): Promise<void> {
  const { keyId: actor, organizationId } = keyCallerOf(caller);
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    await endChain(tx, actor, { actor, organizationId, ip });
  });
}

/**
 * Replaces the request's key with one of the same scopes and expiry. The old key keeps working for
 * `overlapSeconds`. Throws 403 if it was already rotated, so that a leaked old key cannot obtain a
 * new one, 409 while its own predecessor still works, so that one key never becomes many, and 429
 * `ROTATION_LIMIT`.
 */
export async function rotateOwnKey(
  caller: Caller,
  overlapSeconds: number,
  ip: string | null,
  commit: Commit,
): Promise<RotatedKey> {
  const { keyId: id, organizationId, tokenExpiresAt } = keyCallerOf(caller);
  if (tokenExpiresAt !== undefined) {
    throw new ApiError(
      "forbidden",
      "An OAuth access token is replaced with its refresh token, at /oauth/token.",
    );
  }
  const rotate = together(async (tx): Promise<RotatedKey> => {
    // (a) The lock decides races: a second rotation finds the key replaced, and one that waited for
    // a revocation finds it revoked.
    await lockOrganizations(tx, sql`${organizationId}`);
    const old = await queryOne<RowOf<typeof ROTATED> & { kind: KeyKind }>(
      sql`SELECT ${ROTATED} FROM api_keys WHERE id = ${id} AND ${IS_LIVE} FOR UPDATE`,
      tx,
    );
    if (!old) throw invalidKey();
    const { replaced_by_id, old_key_ends_at, first_id, ...same } = old;
    if (replaced_by_id !== null) throw alreadyRotated();
    const now = await unixNow(tx);
    if (old_key_ends_at !== null && old_key_ends_at > now) throw oldKeyValid(old_key_ends_at - now);
    // Each rotation leaves a row behind, which a later revocation has to read.
    await countTry(`rotations:${same.registration_id ?? first_id ?? id}`, ROTATION_LIMIT, tx);
    const endsAt = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, now + overlapSeconds);
    const { kind, scopes, expires_at } = old;
    const key = newApiKey(kind);
    const newKeyId = newId("key");
    await tx.apiKey.update({
      where: { id },
      data: { replaced_by_id: newKeyId, expires_at: endsAt },
      select: { id: true },
    });
    await tx.apiKey.create({
      data: {
        ...same,
        ...storedForm(key),
        id: newKeyId,
        first_id: first_id ?? id,
        old_key_ends_at: endsAt,
      },
      select: { id: true },
    });
    await audit(tx, {
      action: "key.rotated",
      actor: id,
      organizationId,
      ip,
      data: { key: newKeyId, name: old.name },
    });
    return {
      object: "rotated_key",
      id: newKeyId,
      key,
      kind,
      scopes,
      expires_at,
      old_key_expires_at: endsAt,
    };
  });
  return commit(rotate);
}

/** The columns that decide whether a key can be rotated, or that the new key inherits. */
const ROTATED = columns(
  "ApiKey",
  `replaced_by_id, old_key_ends_at, first_id, organization_id, registration_id, name, kind,
   scopes, expires_at, created_by_user_id`,
);

function keyCallerOf(caller: Caller) {
  if (caller.kind === "key") return caller;
  throw new Error("The caller is not an API key.");
}

function alreadyRotated() {
  return new ApiError(
    "forbidden",
    "This key has already been rotated and expires soon. If you lost the response, repeat the request with the same Idempotency-Key.",
  );
}

function oldKeyValid(seconds: number) {
  return new ApiError(
    "old_key_still_valid",
    `The key that this one replaced works for ${seconds} more seconds. Rotate again after that, or revoke this key and create another one.`,
    { headers: retryAfter(seconds) },
  );
}
