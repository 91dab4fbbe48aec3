import { audit } from "@/lib/identity/audit/audit";
import { addMember, primaryOrganization } from "@/lib/identity/organizations/members";
import { consumeCode, tryCode } from "@/lib/identity/people/otp";
import { findOrCreateUser } from "@/lib/identity/people/users";
import { scopes } from "@/lib/platform/caller";
import { type Commit, commitDecision } from "@/lib/platform/db/commit";
import type { Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import { readClaim } from "./body";
import { ClaimComplete, type Claimed } from "./contract";
import { issueCredential } from "./credentials";
import { refuseClaim } from "./limits";
import { expiryError, lockByClaimToken, markClaimed, type Registration } from "./registrations";

/**
 * Completes a claim with the code that the user passed on. An anonymous agent's key gains both
 * scopes; a service_auth agent gets its credential. Concurrent completions have one winner.
 */
export async function completeClaim(request: HttpRequest, commit: Commit): Promise<Claimed> {
  const { claim_token, otp } = await readClaim(ClaimComplete, request, "complete");
  const ip = clientAddress(request);
  // One transaction under the registration's lock, so that two correct codes cannot both win.
  // Errors whose side effects must be committed are returned, not thrown.
  return commitDecision(commit, (tx) => decide(tx, claim_token, otp, ip)).catch((error) =>
    refuseClaim(error, ip),
  );
}

async function decide(
  tx: Transaction,
  claimToken: string,
  otp: string,
  ip: string | null,
): Promise<Claimed | ApiError> {
  const registration = await lockByClaimToken(tx, claimToken);
  if (registration.claimed_at !== null) {
    throw new ApiError("previously_claimed", "This registration has already been claimed.");
  }
  if (registration.revoked_at !== null) {
    throw new ApiError("claim_expired", "This registration has been revoked.");
  }
  const expired = await expiryError(tx, registration, ip);
  if (expired) return expired;
  const attemptId = registration.current_attempt_id;
  if (attemptId === null) {
    throw wrongCode("No code has been sent yet. Start the claim at POST /api/agent/auth/claim.");
  }

  const isCorrect = await tryCode(tx, {
    purpose: "claim",
    id: attemptId,
    digits: otp,
    client: { ip },
  });
  if (isCorrect === undefined) {
    throw new ApiError("otp_expired", "The code is no longer valid. Start a new attempt.");
  }
  if (!isCorrect) {
    await tx.agentRegistration.update({
      where: { id: registration.id },
      data: { otp_failures_total: { increment: 1 } },
      select: { id: true },
    });
    const { id, organization_id: organizationId } = registration;
    await audit(tx, { action: "otp.failed", actor: id, registrationId: id, organizationId, ip });
    return wrongCode();
  }
  return confirm(tx, registration, attemptId, ip);
}

async function confirm(
  tx: Transaction,
  registration: Registration,
  attemptId: string,
  ip: string | null,
): Promise<Claimed> {
  const email = await consumeCode(tx, "claim", attemptId);
  if (email === undefined) throw new Error("A correct code could not be consumed.");
  const userId = await findOrCreateUser(tx, email);
  const { organizationId, claimed } =
    registration.type === "anonymous" && registration.organization_id !== null
      ? await keepKey(tx, registration, registration.organization_id, userId)
      : await issueKey(tx, registration, userId, email);
  await markClaimed(tx, registration.id, { organizationId, userId, ip });
  return claimed;
}

/** The agent keeps its key and organization, and the user becomes the organization's owner. */
async function keepKey(
  tx: Transaction,
  { id }: Registration,
  organizationId: string,
  userId: string,
) {
  await addMember(tx, organizationId, userId, "owner");
  const claimed: Claimed = { registration_id: id, status: "claimed", scopes: [...scopes] };
  return { organizationId, claimed };
}

async function issueKey(
  tx: Transaction,
  registration: Registration,
  userId: string,
  email: string,
) {
  const { id, requested_credential_type: kind } = registration;
  const organizationId = await primaryOrganization(tx, userId, email);
  const grant = { organizationId, registrationId: id, kind, scopes: [...scopes] };
  const credential = await issueCredential(tx, grant);
  const claimed: Claimed = { registration_id: id, status: "claimed", ...credential };
  return { organizationId, claimed };
}

function wrongCode(message = "The code is incorrect.") {
  return new ApiError("otp_invalid", message, { param: "otp" });
}
