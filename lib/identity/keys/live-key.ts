import { type Sql, sql } from "@/lib/platform/db/sql";

/** Whether a row of `api_keys` is neither revoked nor expired. */
export const HAS_NOT_ENDED = sql`api_keys.revoked_at IS NULL
  AND (api_keys.expires_at IS NULL OR api_keys.expires_at > unix_now())`;

/** Whether a row of `api_keys` can authenticate: the key of a revoked registration cannot. */
export const IS_LIVE = sql`${HAS_NOT_ENDED}
  AND (SELECT agent.revoked_at FROM agent_registrations AS agent
       WHERE agent.id = api_keys.registration_id) IS NULL`;

/** `IS_LIVE` for keys without a registration, which costs less. False for other keys. */
export const IS_LIVE_ALONE = sql`${HAS_NOT_ENDED} AND api_keys.registration_id IS NULL`;

/**
 * `HAS_NOT_ENDED` for Prisma Client. Statements that write all keys of an agent skip the ended ones:
 * rotations can leave so many behind that writing them all would time out.
 */
export function notEnded(now: number) {
  return { revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] };
}

/** When the key with this ID ends unless it is revoked before, in Unix seconds; null for never. */
export function endOfKey(id: string): Sql {
  return sql`(SELECT expires_at FROM api_keys WHERE id = ${id})`;
}

/**
 * Whether the key with this ID, another one of its chain or its agent was revoked: not if it only expired. One that has
 * been deleted since counts as revoked, because nobody can revoke it any more; a null ID does not.
 */
export function isRevoked(id: Sql): Sql {
  const first = sql`coalesce(own.first_id, own.id)`;
  return sql`(${id} IS NOT NULL AND NOT EXISTS (
    SELECT FROM api_keys AS own
    LEFT JOIN agent_registrations AS agent ON agent.id = own.registration_id
    WHERE own.id = ${id} AND agent.revoked_at IS NULL AND NOT EXISTS (
      SELECT FROM api_keys AS one
      WHERE (one.id = ${first} OR one.first_id = ${first}) AND one.revoked_at IS NOT NULL)))`;
}
