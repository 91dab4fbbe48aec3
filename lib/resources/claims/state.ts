import { ApiError } from "@/lib/platform/errors";
import { endpointId } from "@/lib/resources/webhooks/contract";
import { kindOf } from "./kinds";

/** Whether an ID can be claimed. Public: reveals nothing about the resource itself. */
export type ClaimState =
  | { state: "unclaimable"; message: string }
  | { state: "missing"; noun: string }
  | { state: "owned"; noun: string; organizationId: string | null }
  | { state: "open"; noun: string };

export async function claimStateOf(id: string): Promise<ClaimState> {
  const kind = kindOrReason(id);
  if (typeof kind === "string") return { state: "unclaimable", message: kind };
  const { noun } = kind;
  const found = await kind.ownership(endpointId(id));
  if (!found) return { state: "missing", noun };
  if (found.organization_id !== null || found.claim_token_digest === null) {
    return { state: "owned", noun, organizationId: found.organization_id };
  }
  return { state: "open", noun };
}

function kindOrReason(id: string) {
  try {
    return kindOf(id);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
