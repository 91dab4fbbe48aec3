import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/accounts/caller";
import { digestOf } from "@/lib/accounts/key-format";
import { randomBase62 } from "@/lib/db/ids";

const RANDOM_LENGTH = 32; // 190 random bits

/** The claim token of a resource about to be created: its digest to store, its fields to show once. */
export interface ClaimTicket {
  /** null when the caller's organization owns the resource from the start. */
  digest: string | null;
  fields: { claim_token?: string; claim_url?: string };
}

/** A claim ticket for the resource `id`: a token only where the caller is anonymous. */
export function claimTicket(caller: Caller, id: string): ClaimTicket {
  if (organizationOf(caller) !== null) return { digest: null, fields: {} };
  const token = `clm_${randomBase62(RANDOM_LENGTH)}`;
  return {
    digest: digestOf(token),
    fields: { claim_token: token, claim_url: `/api/claim/${id}` },
  };
}
