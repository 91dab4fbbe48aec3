import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { ApiError, notFound } from "@/lib/errors";
import { assertClaimToken } from "@/lib/resources/claim-token";
import { endpointId } from "@/lib/webhooks/contract";
import { kindOf } from "./kinds";

/**
 * Transfers a public resource to the caller's organization and returns it. Throws 400 for an ID
 * that is not claimable and for a resource that has or had an owner, 403 for a wrong token, 404,
 * and 429 after too many wrong tokens.
 */
export async function claim(caller: Caller, givenId: string, token: string): Promise<unknown> {
  const id = endpointId(givenId);
  const organizationId = organizationOf(caller);
  if (organizationId === null) throw new Error("The caller of a claim has no organization.");
  const kind = kindOf(id);
  const found = await kind.ownership(id);
  if (!found) throw notFound(kind.noun, id);
  if (found.organization_id !== null || found.claim_token_digest === null) {
    throw alreadyClaimed(found.organization_id === organizationId);
  }
  await assertClaimToken(found.claim_token_digest, token, organizationId);
  // If a concurrent claim was first, checking again reports its owner.
  return (await kind.take(caller, id)) ?? claim(caller, id, token);
}

function alreadyClaimed(byCaller: boolean) {
  return new ApiError(
    "resource_already_claimed",
    byCaller
      ? "Your organization already owns this resource."
      : "This resource belongs to another organization.",
    { param: "id" },
  );
}
