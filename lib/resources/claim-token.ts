import { timingSafeEqual } from "node:crypto";
import { organizationOf } from "@/lib/accounts/access";
import { digestOf } from "@/lib/accounts/key-format";
import type { Caller } from "@/lib/caller";
import { config } from "@/lib/config/config";
import { randomBase62 } from "@/lib/db/ids";
import { ApiError } from "@/lib/errors";
import { countUse } from "@/lib/http/limits";
import { networkOf } from "@/lib/http/sliding-window";

const RANDOM_LENGTH = 32; // 190 random bits

/** Wrong claim tokens per client. */
export const WRONG_TOKEN_LIMIT = { limit: 30, windowSeconds: 600 };

/** The claim token of a new resource: the digest to store, and the fields to return once. */
export interface ClaimTicket {
  /** Null when the caller's organization owns the resource. */
  digest: string | null;
  fields: { claim_token?: string; claim_url?: string; claim_link?: string; view_url?: string };
}

/**
 * Creates a claim token if the caller is anonymous, unless the caller sent an earlier one. `page` is
 * the path of the kind in the dashboard.
 */
export function claimTicket(caller: Caller, id: string, page: string): ClaimTicket {
  if (caller.kind !== "anonymous") return { digest: null, fields: {} };
  const token = caller.claimWith ?? `clm_${randomBase62(RANDOM_LENGTH)}`;
  const { baseUrl } = config();
  return {
    digest: digestOf(token),
    fields: {
      claim_token: token,
      claim_url: `/api/claim/${id}`,
      // In the fragment, which is never sent to a server or logged.
      claim_link: `${baseUrl}/claim/${id}#claim_token=${token}`,
      view_url: `${baseUrl}/${page}/${id}`,
    },
  };
}

/** The client by which wrong tokens are counted: an organization, else a network. */
export function clientOf(caller: Caller, address: string | null): string {
  return organizationOf(caller) ?? networkOf(address);
}

/** Throws 403 for a wrong token, and 429 when `client` has sent too many. */
export async function assertClaimToken(
  digest: string,
  token: string,
  client: string,
): Promise<void> {
  if (timingSafeEqual(Buffer.from(digest, "hex"), Buffer.from(digestOf(token), "hex"))) return;
  await refuseClaimToken(client, "claim_token", "This is not the claim token of this resource.");
}

/** Throws 403, or 429 when `client` has sent too many wrong tokens. */
export async function refuseClaimToken(
  client: string,
  param: string,
  message: string,
): Promise<never> {
  await countUse(`claim-token:${client}`, WRONG_TOKEN_LIMIT);
  throw new ApiError("invalid_claim_token", message, { param });
}
