import { organizationOf } from "@/lib/identity/access";
import { digestOf } from "@/lib/identity/keys/key-format";
import { networkOf } from "@/lib/platform/addresses";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { randomBase62 } from "@/lib/platform/db/ids";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { countWrongToken } from "@/lib/platform/limits/fixed-window";
import { isSameSecret } from "@/lib/platform/secrets";
import { ownershipOf } from "./owner";

export const RANDOM_LENGTH = 32; // 190 random bits

/** Fields that only the response to the create of a public resource has. */
export interface Claim {
  claim_token?: string;
  claim_url?: string;
  claim_link?: string;
  view_url?: string;
}

/** What makes a new resource claimable. */
interface NewClaim {
  /** SHA-256 of the token, to store; null if the caller's organization owns the resource. */
  digest: string | null;
  claim: Claim;
}

/**
 * Creates a claim token for an anonymous caller without one. The fields do not repeat a token that
 * the caller has. `page` is the kind's path.
 */
export function newClaim(caller: Caller, id: string, page: string): NewClaim {
  if (caller.kind !== "anonymous") return { digest: null, claim: {} };
  const { baseUrl } = config();
  const view_url = `${baseUrl}/${page}/${id}`;
  const { claimWith } = caller;
  if (claimWith !== undefined) return { digest: digestOf(claimWith), claim: { view_url } };
  const token = `clm_${randomBase62(RANDOM_LENGTH)}`;
  return {
    digest: digestOf(token),
    claim: {
      claim_token: token,
      claim_url: `/api/claim/${id}`,
      // In the fragment, which is never sent to a server or logged.
      claim_link: `${baseUrl}/claim/${id}#claim_token=${token}`,
      view_url,
    },
  };
}

/** The client that wrong tokens count against: an organization, else a network. */
export function clientOf(caller: Caller, address: string | null): string {
  return organizationOf(caller) ?? networkOf(address);
}

/** The claim token in the `Claim-With` header of a change, if the operation takes one. */
export function proofOf(
  { takesClaimToken }: Operation,
  caller: Caller,
  request: HttpRequest,
): Caller["proof"] {
  const token = request.headers.get("claim-with");
  if (token === null || !takesClaimToken) return undefined;
  return { token, client: clientOf(caller, countedAddress(request)), param: "Claim-With" };
}

/** Adds the body's claim token, if any, to the caller. */
export function provenBy(token: string | undefined, caller: Caller, request: HttpRequest): Caller {
  if (token === undefined) return caller;
  const client = clientOf(caller, countedAddress(request));
  return { ...caller, proof: { token, client, param: "claim_token" } };
}

/**
 * Whether a change of a public resource came with its claim token, and so from its creator. False
 * for a resource that has an owner or does not exist. Throws 403 for a wrong token, and 429 after
 * too many.
 */
export async function isCreators({ proof }: Caller, id: string): Promise<boolean> {
  if (!proof) return false;
  const found = await ownershipOf(id);
  if (!found?.claim_token_digest || found.organization_id !== null) return false;
  await assertClaimToken(found.claim_token_digest, proof.token, proof.client, proof.param);
  return true;
}

/** The assignment of an `UPDATE` that records a change of a public resource by a stranger. */
export function markChange(table: Sql, byCreator: boolean | Sql): Sql {
  return sql`changed_without_token = ${table}.changed_without_token
    OR (${table}.organization_id IS NULL AND NOT ${byCreator})`;
}

/** Throws 403 for a wrong token, and 429 if `client` has sent too many. */
export async function assertClaimToken(
  digest: string,
  token: string,
  client: string,
  param = "claim_token",
): Promise<void> {
  if (isSameSecret(digestOf(token), digest)) return;
  await refuseClaimToken(client, param, "This is not the claim token of this resource.");
}

/** Throws 403, or 429 if `client` has sent too many wrong tokens. */
export async function refuseClaimToken(
  client: string,
  param: string,
  message: string,
): Promise<never> {
  await countWrongToken(client);
  throw new ApiError("invalid_claim_token", message, { param });
}
