import { audit } from "@/lib/identity/audit/audit";
import { endKeys } from "@/lib/identity/keys/end-keys";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { requirePerson } from "@/lib/identity/people/person";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";

/** Revokes an agent of the organization, or one that asked for the caller's address. Throws 404. */
export async function revokeAgent(caller: Caller, id: string, ip: string | null): Promise<void> {
  const { userId, organizationId } = requirePerson(caller);
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    // (a) Decides races with a claim by somebody else, and with the end of the person's membership.
    const found = await queryOne<Row<"AgentRegistration", "organization_id">>(
      sql`UPDATE agent_registrations SET revoked_at = coalesce(revoked_at, unix_now())
          WHERE id = ${id} AND (organization_id = (
              SELECT organization_id FROM members
              WHERE organization_id = ${organizationId} AND user_id = ${userId})
            OR (organization_id IS NULL AND claimed_at IS NULL AND login_hint = (
                  SELECT email FROM users
                  WHERE id = ${userId} AND email_verified_at IS NOT NULL)))
          RETURNING organization_id`,
      tx,
    );
    if (!found) throw notFound("agent", id);
    await endKeys(tx, sql`registration_id = ${id}`);
    await audit(tx, {
      action: "registration.revoked",
      actor: userId,
      registrationId: id,
      organizationId: found.organization_id,
      ip,
      data: { id },
    });
  });
}
