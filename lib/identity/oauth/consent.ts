import { digestOf } from "@/lib/identity/keys/key-format";
import { callerOf } from "@/lib/identity/organizations/members";
import { requirePerson } from "@/lib/identity/people/person";
import type { Caller, Scope } from "@/lib/platform/caller";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { type Authorization, responseUrl } from "./authorization";
import { newCode } from "./secrets";

/** Short, because the client exchanges the code as soon as the browser returns. */
export const CODE_SECONDS = 60;
/** Live grants of a person in an organization. */
export const GRANTS_MAX = 100;

/**
 * Lets the client act for the person in one of their organizations, with the scopes that are both
 * requested and chosen. Returns the URL that takes the code to the client. Throws 403.
 */
export async function allow(
  caller: Caller,
  authorization: Authorization,
  chosen: { organizationId: string; mayWrite: boolean },
): Promise<string> {
  const { client, redirectUri, state, challenge, audience } = authorization;
  const { userId } = requirePerson(caller);
  const { organizationId } = chosen;
  await callerOf(userId, organizationId);
  await assertRoom(userId, organizationId);
  const scopes: Scope[] = chosen.mayWrite ? authorization.scopes : ["api.read"];
  const code = newCode();
  await query(sql`
    INSERT INTO oauth_codes (digest, client_id, client_name, user_id, organization_id, redirect_uri,
                             challenge, audience, scopes, expires_at)
    VALUES (${digestOf(code)}, ${client.id}, ${client.name}, ${userId}, ${organizationId},
            ${redirectUri}, ${challenge}, ${audience}, ${scopes},
            unix_now() + ${CODE_SECONDS}::bigint)`);
  await markUsed(client.id);
  return responseUrl(redirectUri, { code, state });
}

/** The URL that tells the client that the person refused. */
export function deny({ redirectUri, state }: Authorization): string {
  return responseUrl(redirectUri, {
    error: "access_denied",
    error_description: "The person refused.",
    state,
  });
}

/** Keeps a registered client from being deleted as unused. */
async function markUsed(clientId: string): Promise<void> {
  await query(sql`
    UPDATE oauth_clients SET last_used_at = unix_now()
    WHERE id = ${clientId} AND (last_used_at IS NULL OR last_used_at <= unix_now() - 86400)`);
}

async function assertRoom(userId: string, organizationId: string) {
  const live = await queryOne<{ count: number }>(sql`
    SELECT count(*) FROM oauth_grants JOIN api_keys USING (id)
    WHERE oauth_grants.user_id = ${userId} AND organization_id = ${organizationId}
      AND revoked_at IS NULL AND expires_at > unix_now()`);
  if ((live?.count ?? 0) < GRANTS_MAX) return;
  throw new ApiError(
    "forbidden",
    `You have connected ${GRANTS_MAX} clients. Disconnect one under Keys & agents first.`,
  );
}
