import { audit } from "@/lib/identity/audit/audit";
import { addMember, primaryOrganization } from "@/lib/identity/organizations/members";
import { consumeCode, tryCode } from "@/lib/identity/people/otp";
import { findOrCreateUser } from "@/lib/identity/people/users";
import { scopes } from "@/lib/platform/caller";
import { type Commit, together, UNRECORDED } from "@/lib/platform/db/commit";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { challenge } from "@/lib/platform/http/challenge";
import type { HttpRequest } from "@/lib/platform/http/request";
import { check, readObject } from "./body";
import { ClaimComplete, type Claimed } from "./contract";
import { issueCredential } from "./credentials";
import { countClaim } from "./limits";
import { expiryError, lockByClaimToken, type Registration } from "./registrations";

/**
 * Completes a claim with the code that the user passed on. An anonymous agent's key gains both
 * scopes; a service_auth agent gets its credential. Concurrent completions have one winner.
 */
export async function completeClaim(request: HttpRequest, commit: Commit): Promise<Claimed> {
  const { claim_token, otp } = await readBody(request);
  await countClaim(request, "complete");
  const ip = clientAddress(request);
  // One transaction under the registration's lock, so that two correct codes cannot both win.
  // Errors whose side effects must be committed are returned rather than thrown.
  let refused: ApiError | undefined;
  const decided = together(async (db) => {
    const outcome = await decide(db, claim_token, otp, ip);
    if (!(outcome instanceof ApiError)) return outcome;
    refused = outcome;
    return UNRECORDED;
  });
  const claimed = await commit(decided);
  if (claimed === UNRECORDED) throw refused;
  return claimed;
}

async function readBody(request: HttpRequest): Promise<ClaimComplete> {
  try {
    return check(ClaimComplete, await readObject(request));
  } catch (error) {
    await countClaim(request, "complete");
    throw error;
  }
}

async function decide(
  db: Transaction,
  claimToken: string,
  otp: string,
  ip: string | null,
): Promise<Claimed | ApiError> {
  const registration = await lockByClaimToken(db, claimToken);
  if (registration.claimed_at !== null) {
    throw new ApiError("previously_claimed", "This registration has already been claimed.");
  }
  if (registration.revoked_at !== null) {
    throw new ApiError("claim_expired", "This registration has been revoked.");
  }
  const expired = await expiryError(db, registration, ip);
  if (expired) return expired;
  const attemptId = registration.current_attempt_id;
  if (attemptId === null) throw wrongCode();

  const isCorrect = await tryCode(db, {
    purpose: "claim",
    id: attemptId,
    digits: otp,
    client: { ip },
  });
  if (isCorrect === undefined) {
    throw new ApiError("otp_expired", "The code is no longer valid. Start a new attempt.");
  }
  if (!isCorrect) {
    await query(
      sql`UPDATE agent_registrations SET otp_failures_total = otp_failures_total + 1
          WHERE id = ${registration.id}`,
      db,
    );
    const { id, organization_id: organizationId } = registration;
    await audit(db, { action: "otp.failed", actor: id, registrationId: id, organizationId, ip });
    return wrongCode();
  }
  return confirm(db, registration, attemptId, ip);
}

async function confirm(
  db: Transaction,
  registration: Registration,
  attemptId: string,
  ip: string | null,
): Promise<Claimed> {
  const email = await consumeCode(db, "claim", attemptId);
  if (email === undefined) throw new Error("A correct code could not be consumed.");
  const userId = await findOrCreateUser(db, email);
  const { organizationId, claimed } =
    registration.type === "anonymous" && registration.organization_id !== null
      ? await upgradeKey(db, registration, registration.organization_id, userId)
      : await issueKey(db, registration, userId, email);
  await query(
    sql`UPDATE agent_registrations
        SET claimed_at = unix_now(), claimed_by_user_id = ${userId},
            organization_id = ${organizationId}
        WHERE id = ${registration.id}`,
    db,
  );
  await audit(db, {
    action: "claim.confirmed",
    actor: userId,
    registrationId: registration.id,
    organizationId,
    ip,
  });
  return claimed;
}

/** The agent keeps its key and organization, of which the user becomes the owner. */
async function upgradeKey(
  db: Transaction,
  { id }: Registration,
  organizationId: string,
  userId: string,
) {
  await addMember(db, organizationId, userId, "owner");
  await query(
    sql`UPDATE api_keys SET scopes = ${scopes}
        WHERE registration_id = ${id} AND revoked_at IS NULL`,
    db,
  );
  const claimed: Claimed = { registration_id: id, status: "claimed", scopes: [...scopes] };
  return { organizationId, claimed };
}

async function issueKey(
  db: Transaction,
  registration: Registration,
  userId: string,
  email: string,
) {
  const { id, requested_credential_type: kind } = registration;
  const organizationId = await primaryOrganization(db, userId, email);
  const grant = { organizationId, registrationId: id, kind, scopes: [...scopes] };
  const credential = await issueCredential(db, grant);
  const claimed: Claimed = { registration_id: id, status: "claimed", ...credential };
  return { organizationId, claimed };
}

function wrongCode() {
  return new ApiError("otp_invalid", "The code is incorrect.", {
    param: "otp",
    headers: challenge(),
  });
}
