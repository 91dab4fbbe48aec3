import { query, sql, type Transaction } from "@/lib/platform/db/sql";

/**
 * Those of the organizations that have no member, and no more than an agent that registered itself and that nobody has
 * claimed. Anybody can have such an organization.
 */
export async function unclaimedAmong(ids: string[], db?: Transaction): Promise<string[]> {
  // Without any key, its agent was revoked and removed.
  const found = await query<{ id: string }>(
    sql`SELECT id FROM organizations WHERE id = ANY (${ids})
          AND NOT EXISTS (SELECT FROM members WHERE organization_id = organizations.id)
          AND (NOT EXISTS (SELECT FROM api_keys WHERE organization_id = organizations.id)
               OR EXISTS (SELECT FROM agent_registrations
                          WHERE organization_id = organizations.id
                            AND type = 'anonymous' AND claimed_at IS NULL))`,
    db,
  );
  return found.map(({ id }) => id);
}
