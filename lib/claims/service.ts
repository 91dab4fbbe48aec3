import { organizationOf } from "@/lib/accounts/access";
import { claimableArtifact } from "@/lib/artifacts/service";
import type { Caller } from "@/lib/caller";
import { ApiError, invalidParam, notFound } from "@/lib/errors";
import { claimableInbox } from "@/lib/inboxes/service";
import { claimableMessage } from "@/lib/messages/service";
import { assertClaimToken } from "@/lib/resources/claim-token";
import type { ClaimableKind } from "@/lib/resources/kind";
import { claimableTask } from "@/lib/tasks/service";
import { endpointId } from "@/lib/webhooks/contract";
import { claimableWebhookEndpoint } from "@/lib/webhooks/service";

/** Every claimable kind. Add new ones here. */
export const kinds: ClaimableKind[] = [
  claimableTask,
  claimableWebhookEndpoint,
  claimableArtifact,
  claimableInbox,
  claimableMessage,
];

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
  return (await kind.take(id, organizationId)) ?? claim(caller, id, token);
}

export function kindOf(id: string): ClaimableKind {
  const kind = kinds.find(({ prefix }) => id.startsWith(`${prefix}_`));
  if (kind) return kind;
  const prefixes = kinds.map(({ prefix }) => `${prefix}_`).join(", ");
  throw invalidParam(
    "id",
    `This ID cannot be claimed. Claimable IDs begin with one of: ${prefixes}.`,
  );
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
