import { ApiError } from "@/lib/platform/errors";
import { resourceOf } from "@/lib/resources/registry";
import { endpointId } from "@/lib/resources/webhooks/contract";

/** Whether an ID can be claimed. Public, so it reveals nothing about the resource itself. */
export type ClaimState =
  | { state: "unclaimable"; message: string }
  | { state: "missing"; noun: string }
  | { state: "owned"; noun: string; organizationId: string | null }
  | { state: "open"; noun: string };

export async function claimStateOf(id: string): Promise<ClaimState> {
  const resource = resourceOrReason(id);
  if (typeof resource === "string") return { state: "unclaimable", message: resource };
  const { noun } = resource.kind;
  const found = await resource.ownership(endpointId(id));
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
