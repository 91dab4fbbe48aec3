import { type Sql, sql } from "@/lib/platform/db/sql";

const HAS_NOT_ENDED = sql`api_keys.revoked_at IS NULL
  AND (api_keys.expires_at IS NULL OR api_keys.expires_at > unix_now())`;

/** Whether a row of `api_keys` can authenticate: the key of a revoked registration cannot. */
export const IS_LIVE = sql`${HAS_NOT_ENDED}
  AND (SELECT agent.revoked_at FROM agent_registrations AS agent
       WHERE agent.id = api_keys.registration_id) IS NULL`;

/** The same for keys without a registration, which costs less. False for others. */
export const IS_LIVE_ALONE = sql`${HAS_NOT_ENDED} AND api_keys.registration_id IS NULL`;

/**
 * The same for Prisma Client, without the registration. Statements that write all keys of an agent skip the ended ones:
 * rotations can leave so many behind that writing them all would time out.
 */
export function notEnded(now: number) {
  return { revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] };
}

/** Whether the key with this ID or another one of its chain was revoked: not if it only expired. */
export function isRevoked(id: Sql): Sql {
  const first = sql`coalesce(own.first_id, own.id)`;
  return sql`EXISTS (
    SELECT FROM api_keys AS own JOIN api_keys AS one ON one.id = ${first} OR one.first_id = ${first}
    WHERE own.id = ${id} AND one.revoked_at IS NOT NULL)`;
}
