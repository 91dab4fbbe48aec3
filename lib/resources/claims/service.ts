import { ownerOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, together, UNRECORDED } from "@/lib/platform/db/commit";
import { ApiError, notFound } from "@/lib/platform/errors";
import { assertClaimToken } from "@/lib/resources/claim-token";
import { ownershipOf } from "@/lib/resources/owner";
import { resourceOf } from "@/lib/resources/registry";
import { endpointId } from "@/lib/resources/webhooks/kind";
import { commitClaim, takeSet } from "./set";

/**
 * Transfers a public resource, with everything that the service made for it, to the caller's
 * organization and returns it. Throws 400 for an ID that is not claimable and for a resource that
 * has or had an owner, 403 for a wrong token, 404, and 429 after too many wrong tokens.
 */
export async function claim(
  caller: Caller,
  givenId: string,
  token: string,
  commit: Commit,
): Promise<unknown> {
  const id = endpointId(givenId);
  const organizationId = ownerOf(caller);
  const resource = resourceOf(id);
  const found = await ownershipOf(id);
  if (!found) throw notFound(resource.kind.noun, id);
  if (found.organization_id !== null || found.claim_token_digest === null) {
    throw alreadyClaimed(found.organization_id === organizationId);
  }
  const digest = found.claim_token_digest;
  await assertClaimToken(digest, token, organizationId);
  const take = together(async (db) => {
    const taken = await takeSet(caller, digest, id, db);
    return taken ? resource.readLocked(caller, id, db) : UNRECORDED;
  });
  const claimed = await commitClaim(caller, commit, take);
  // If a concurrent claim came first, checking again reports its owner.
  return claimed === UNRECORDED ? claim(caller, id, token, commit) : claimed;
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

/** Whether an ID can be claimed. Public, so it reveals nothing about the resource itself. */
type ClaimState =
  | { state: "unclaimable"; message: string }
  | { state: "missing"; noun: string }
  | { state: "owned"; noun: string; organizationId: string | null }
  | { state: "open"; noun: string };

export async function claimStateOf(id: string): Promise<ClaimState> {
  const resource = resourceOrReason(id);
  if (typeof resource === "string") return { state: "unclaimable", message: resource };
  const { noun } = resource.kind;
  const found = await ownershipOf(id);
  if (!found) return { state: "missing", noun };
  if (found.organization_id !== null || found.claim_token_digest === null) {
    return { state: "owned", noun, organizationId: found.organization_id };
  }
  return { state: "open", noun };
}

function resourceOrReason(id: string) {
  try {
    return resourceOf(id);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
