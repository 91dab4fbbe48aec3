import { auditAll } from "@/lib/identity/audit/audit";
import { IS_LIVE_ALONE } from "@/lib/identity/keys/live-key";
import { join, query, raw, sql, type Transaction } from "@/lib/platform/db/sql";

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

/**
 * Deletes those of the organizations that nobody can reach again: they have no member, no invitation and no agent, and
 * never had a key of a person or the operator, whose row would remain. The sweep removes their data later.
 */
export async function deleteUnreachable(tx: Transaction, ids: string[]): Promise<void> {
  const isEmpty = ["members", "invitations", "delegations", "agent_registrations", "api_keys"].map(
    (table) => sql`NOT EXISTS (SELECT FROM ${raw(table)} WHERE organization_id = organizations.id)`,
  );
  // Prisma's schema has no relation between the tables.
  const deleted = await query<{ id: string }>(
    sql`INSERT INTO deleted_organizations (id)
        SELECT id FROM organizations WHERE id = ANY (${ids}) AND ${join(isEmpty, " AND ")}
        ON CONFLICT DO NOTHING RETURNING id`,
    tx,
  );
  const event = { action: "organization.deleted", actor: "operator" } as const;
  await auditAll(
    tx,
    deleted.map(({ id }) => ({ ...event, data: { organization: id } })),
  );
}
