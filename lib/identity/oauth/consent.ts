import { digestOf, newSecret } from "@/lib/identity/keys/key-format";
import { callerOf } from "@/lib/identity/organizations/members";
import { requireMember, requirePerson } from "@/lib/identity/people/person";
import type { Caller, Scope } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { transaction } from "@/lib/platform/db/sql";
import { logError } from "@/lib/platform/telemetry/log";
import { type Authorization, responseUrl } from "./authorization";
import { markClientUsed } from "./clients";
import { CODE_SECONDS } from "./contract";
import { assertGrantQuota } from "./grant";
import { CODE_PREFIX } from "./secrets";

/**
 * Lets the client act for the person in one of their organizations, with the scopes that were both
 * requested and chosen. Returns the redirect URL carrying the code. Throws 403.
 */
export async function allow(
  caller: Caller,
  authorization: Authorization,
  chosen: { organizationId: string; mayWrite: boolean },
): Promise<string> {
  const { client, redirectUri, state, challenge, audience } = authorization;
  const { userId } = requirePerson(caller);
  const { organizationId } = chosen;
  const member = await callerOf(userId, organizationId);
  await assertGrantQuota(userId, organizationId, "forbidden");
  const scopes: Scope[] = chosen.mayWrite ? authorization.scopes : ["api.read"];
  const code = newSecret(CODE_PREFIX);
  await transaction(async (tx) => {
    // The end of the membership waits, and then deletes the code.
    await requireMember(member, tx);
    const now = await unixNow(tx);
    await tx.oAuthCode.create({
      data: {
        digest: digestOf(code),
        client_id: client.id,
        client_name: client.name,
        user_id: userId,
        organization_id: organizationId,
        redirect_uri: redirectUri,
        challenge,
        audience,
        scopes,
        created_at: now,
        expires_at: now + CODE_SECONDS,
      },
      select: { digest: true },
    });
  });
  await markClientUsed(client.id).catch((error) =>
    logError("The use of a client could not be recorded:", error),
  );
  return responseUrl(redirectUri, { code, state });
}

/** The redirect URL that tells the client of the refusal. */
export function deny({ redirectUri, state }: Authorization): string {
  return responseUrl(redirectUri, {
    error: "access_denied",
    error_description: "The person refused.",
    state,
  });
}
