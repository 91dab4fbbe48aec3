import { sql } from "@/lib/platform/db/sql";

/** Whether a row of `api_keys` can authenticate: the key of a revoked registration cannot. */
export const IS_LIVE = sql`api_keys.revoked_at IS NULL
  AND (api_keys.expires_at IS NULL OR api_keys.expires_at > unix_now())
  AND (SELECT agent.revoked_at FROM agent_registrations AS agent
       WHERE agent.id = api_keys.registration_id) IS NULL`;

/**
 * The same for Prisma Client, without the registration. Statements that write all keys of an agent skip the ended ones:
 * rotations can leave so many behind that writing them all would time out.
 */
export function notEnded(now: number) {
  return { revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] };
}
