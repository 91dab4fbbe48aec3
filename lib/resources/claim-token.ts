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

/** Wrong tokens that one client may send in a window. */
export const WRONG_TRIES = { limit: 30, windowSeconds: 600 };

/** The claim token of a resource about to be created: its digest to store, its fields to show once. */
export interface ClaimTicket {
  /** null when the caller's organization owns the resource from the start. */
  digest: string | null;
  fields: { claim_token?: string; claim_url?: string; claim_link?: string; view_url?: string };
}

/** A claim ticket for the resource `id`, which people see below `page`: a token only for the anonymous. */
export function claimTicket(caller: Caller, id: string, page: string): ClaimTicket {
  if (organizationOf(caller) !== null) return { digest: null, fields: {} };
  const token = `clm_${randomBase62(RANDOM_LENGTH)}`;
  const { baseUrl } = config();
  return {
    digest: digestOf(token),
    fields: {
      claim_token: token,
      claim_url: `/api/claim/${id}`,
      // In the fragment, which no server is sent and no log sees.
      claim_link: `${baseUrl}/claim/${id}#claim_token=${token}`,
      view_url: `${baseUrl}/${page}/${id}`,
    },
  };
}

/** Who sends a claim token, for the limit on wrong ones: an organization, else a network. */
export function clientOf(caller: Caller, address: string | null): string {
  return organizationOf(caller) ?? networkOf(address);
}

/** Throws 403 unless `token` is the one with this digest, and 429 when `client` has sent many wrong ones. */
export async function assertClaimToken(
  digest: string,
  token: string,
  client: string,
): Promise<void> {
  if (timingSafeEqual(Buffer.from(digest, "hex"), Buffer.from(digestOf(token), "hex"))) return;
  await countUse(`claim-token:${client}`, WRONG_TRIES);
  throw new ApiError("invalid_claim_token", "This is not the claim token of this resource.", {
    param: "claim_token",
  });
}
