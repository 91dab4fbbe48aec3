import { audit, revocationOf } from "@/lib/identity/audit/audit";
import { invalidKey } from "@/lib/identity/authenticate";
import type { Caller, Scope } from "@/lib/platform/caller";
import { type Commit, together, unrecorded } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { challenge } from "@/lib/platform/http/challenge";
import { revokeChains } from "./key-chains";
import { type KeyKind, newApiKey, storedForm } from "./key-format";
import { lockKeys } from "./key-lock";
import { IS_LIVE } from "./live-key";

/** A key's view of itself. */
export interface OwnKey {
  id: string;
  name: string;
  kind: KeyKind;
  scopes: Scope[];
  organization_id: string;
  organization_name: string;
  registration_id: string | null;
  created_at: number;
  expires_at: number | null;
  /** When its registration can no longer be claimed; null when there is nothing to claim. */
  claim_ends_at: number | null;
}

/** The key that authenticates the request. */
export async function findOwnKey(caller: Caller): Promise<OwnKey> {
  const found = await queryOne<OwnKey>(sql`
    SELECT key.id, key.name, key.kind, key.scopes, key.organization_id,
           organizations.name AS organization_name, key.registration_id, key.created_at,
           key.expires_at,
           CASE WHEN agent.claimed_at IS NULL AND agent.revoked_at IS NULL
                 AND agent.claim_token_expires_at > unix_now()
                THEN agent.claim_token_expires_at END AS claim_ends_at
    FROM api_keys AS key
    JOIN organizations ON organizations.id = key.organization_id
    LEFT JOIN agent_registrations AS agent ON agent.id = key.registration_id
    WHERE key.id = ${keyIdOf(caller)}`);
  if (!found) throw invalidKey();
  const { tokenExpiresAt, scopes } = keyCallerOf(caller);
  if (tokenExpiresAt === undefined) return found;
  return { ...found, kind: "access_token", scopes: [...scopes], expires_at: tokenExpiresAt };
}

/** Revokes the key that authenticates the request, with its chain of rotations. */
export async function revokeOwnKey(caller: Caller, ip: string | null): Promise<void> {
  const { keyId: actor, organizationId } = keyCallerOf(caller);
  await transaction(async (db) => {
    await lockKeys(db, sql`${organizationId}`);
    for (const { id: key, name, kind } of await revokeChains(db, sql`${actor}`)) {
      const data = { key, name };
      await audit(db, { action: revocationOf(kind), actor, organizationId, ip, data });
    }
  });
}

export interface RotatedKey {
  object: "rotated_key";
  id: string;
  /** Shown once. */
  key: string;
  kind: KeyKind;
  scopes: Scope[];
  expires_at: number | null;
  /** When the old key ends. */
  old_key_expires_at: number;
}

/**
 * Replaces the request's key with one of the same scopes and expiry; the old key keeps working for
 * `overlapSeconds`. Throws 403 if it was already rotated, so that a leaked old key cannot obtain a
 * new one, and 409 while the key that it replaced still works, so that one key never becomes many.
 */
export async function rotateOwnKey(
  caller: Caller,
  overlapSeconds: number,
  ip: string | null,
  commit: Commit = unrecorded,
): Promise<RotatedKey> {
  const { keyId: id, organizationId, tokenExpiresAt } = keyCallerOf(caller);
  if (tokenExpiresAt !== undefined) {
    throw new ApiError(
      "forbidden",
      "An OAuth access token is replaced with its refresh token, at /oauth/token.",
      { headers: challenge() },
    );
  }
  const rotate = together(async (db): Promise<RotatedKey> => {
    // The lock decides races: a second rotation finds the key replaced, and one that waited for a
    // revocation finds it revoked.
    await lockKeys(db, sql`${organizationId}`);
    const old = await queryOne<{ kind: KeyKind; replaced: boolean; wait: number | null }>(
      sql`SELECT kind, replaced_by_id IS NOT NULL AS replaced, old_key_ends_at - unix_now() AS wait
          FROM api_keys WHERE id = ${id} AND ${IS_LIVE} FOR UPDATE`,
      db,
    );
    if (!old) throw invalidKey();
    if (old.replaced) throw alreadyRotated();
    if (old.wait !== null && old.wait > 0) throw oldKeyValid(old.wait);
    const key = newApiKey(old.kind);
    const { digest, prefix, lastFour } = storedForm(key);
    const newKeyId = newId("key");
    const made = await queryOne<Omit<RotatedKey, "object" | "key"> & { name: string }>(
      sql`
      WITH old AS (
        SELECT * FROM api_keys WHERE id = ${id}
      ), ended AS (
        UPDATE api_keys AS key
        SET replaced_by_id = ${newKeyId},
            expires_at = least(key.expires_at, unix_now() + ${overlapSeconds}::bigint)
        FROM old WHERE key.id = old.id RETURNING key.expires_at
      ), made AS (
        INSERT INTO api_keys (id, organization_id, registration_id, name, kind, digest, prefix,
                              last_four, scopes, expires_at, first_id, old_key_ends_at,
                              created_by_user_id)
        SELECT ${newKeyId}, organization_id, registration_id, name, kind, ${digest}, ${prefix},
               ${lastFour}, scopes, old.expires_at, coalesce(first_id, id), ended.expires_at,
               created_by_user_id
        FROM old, ended RETURNING *
      )
      SELECT made.id, made.kind, made.scopes, made.expires_at, made.name,
             ended.expires_at AS old_key_expires_at
      FROM made, ended`,
      db,
    );
    if (!made) throw new Error("A locked key is gone.");
    const { name, ...shown } = made;
    await audit(db, {
      action: "key.rotated",
      actor: id,
      organizationId,
      ip,
      data: { key: newKeyId, name },
    });
    return { object: "rotated_key", ...shown, key };
  });
  return commit(rotate);
}

function keyIdOf(caller: Caller): string {
  return keyCallerOf(caller).keyId;
}

function keyCallerOf(caller: Caller) {
  if (caller.kind === "key") return caller;
  throw new Error("The caller is not an API key.");
}

function alreadyRotated() {
  return new ApiError(
    "forbidden",
    "This key has already been rotated and expires soon. If you lost the response, repeat the request with the same Idempotency-Key.",
    { headers: challenge() },
  );
}

function oldKeyValid(seconds: number) {
  return new ApiError(
    "old_key_still_valid",
    `The key that this one replaced works for ${seconds} more seconds. Rotate again after that, or revoke this key and create another one.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}
