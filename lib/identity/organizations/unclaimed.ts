import { IS_LIVE_ALONE } from "@/lib/identity/keys/live-key";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";

/** The next organizations in the order of their IDs. */
export function organizationsAfter(id: string, limit: number): Promise<{ id: string }[]> {
  return query(sql`SELECT id FROM organizations WHERE id > ${id} ORDER BY id LIMIT ${limit}`);
}

/**
 * Which of these organizations nobody answers for: they have no member and no key of the operator, and at most an agent
 * that registered itself and has not been claimed. Anyone can make such an organization.
 */
export async function unclaimedAmong(ids: string[], db?: Transaction): Promise<string[]> {
  // One without any key belonged to an agent that was revoked and then removed.
  const found = await query<{ id: string }>(
    sql`SELECT id FROM organizations WHERE id = ANY (${ids})
          AND NOT EXISTS (SELECT FROM members WHERE organization_id = organizations.id)
          AND NOT EXISTS (SELECT FROM api_keys
                          WHERE organization_id = organizations.id AND ${IS_LIVE_ALONE})
          AND (NOT EXISTS (SELECT FROM api_keys WHERE organization_id = organizations.id)
               OR EXISTS (SELECT FROM agent_registrations
                          WHERE organization_id = organizations.id
                            AND type = 'anonymous' AND claimed_at IS NULL))`,
    db,
  );
  return found.map(({ id }) => id);
}
