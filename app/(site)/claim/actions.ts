"use server";

import { redirect } from "next/navigation";
import { act } from "@/app/_shared/act";
import { formAction, formOf, runAction } from "@/app/_shared/run-action";
import { requireAccount, visitor, visitorAddress } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { callerOf } from "@/lib/identity/organizations/members";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import type { Claimed, ClaimSet } from "@/lib/resources/claims/contract";
import { claimOperations as claims } from "@/lib/resources/claims/operations";
import { listClaimSet } from "@/lib/resources/claims/set";
import { kindOf } from "@/lib/resources/kinds";
import { shownIds } from "./_components/shown-ids";

/** The maximum number of claims in one paste. */
const BATCH_MAX = 50;

/** The response to a claim that covers more than the person has seen. */
export interface ClaimPreview {
  token: string;
  covered: Claimed;
}

interface ClaimOutcome {
  id: string;
  claimed: boolean;
  words: string;
}

/** Claims a resource and all else that the token covers, or returns what was not yet seen. */
export const claimResource = formAction<ClaimPreview>(async (data) => {
  const id = String(data.get("id"));
  const token = String(data.get("claim_token")).trim();
  const seen = new Set(String(data.get("seen")).split(","));
  const as = await claimCaller(data.get("organization"));
  try {
    const body = { claim_token: token };
    const covered = await act<ClaimSet>(claims.claimAll, {
      body: { ...body, dry_run: true },
      as,
    });
    const shown = shownIds(covered);
    if (!covered.data.some((line) => line.id === id)) {
      await act(claims.claim, { params: { id }, body, as });
    } else if (shown.length === 1 || shown.every((one) => seen.has(one))) {
      await act(claims.claimAll, { body, as });
    } else return { token, covered };
  } catch (error) {
    throw withUserMessage(error);
  }
  redirect(`/claim/${encodeURIComponent(id)}?claimed=1`);
});

/** What a token claims, without a sign-in; undefined if the token is refused. */
export async function listCovered(token: unknown): Promise<Claimed> {
  const nothing = { data: [], has_more: false, settings: [] };
  if (typeof token !== "string") return nothing;
  const listed = await runAction(async () => {
    const { caller } = await visitor();
    return listClaimSet(caller, token, await visitorAddress());
  });
  return listed !== null && "data" in listed ? listed : nothing;
}

/** Claims every resource named in a pasted text, in sequence; each has its own outcome. */
export async function claimBatch(
  _: FormResult | ClaimOutcome[],
  data: FormData,
): Promise<FormResult | ClaimOutcome[]> {
  const { pairs, alone } = pairsIn(String(formOf(data).get("pasted")));
  if (pairs.length === 0) {
    return { message: "This text contains no ID with a claim token.", param: "pasted" };
  }
  const outcomes: ClaimOutcome[] = [];
  for (const { id, token } of pairs.slice(0, BATCH_MAX)) {
    const refusal = await runAction(async () => {
      const as = await claimCaller(data.get("organization"));
      const claimed = act(claims.claim, {
        params: { id },
        body: { claim_token: token },
        as,
      });
      await claimed.catch((error) => {
        throw withUserMessage(error);
      });
    });
    outcomes.push({ id, claimed: refusal === null, words: refusal?.message ?? "Claimed" });
  }
  if (pairs.length > BATCH_MAX) {
    const left = pairs.length - BATCH_MAX;
    outcomes.push({
      id: "",
      claimed: false,
      words: `${left} more were skipped. Paste them again.`,
    });
  }
  for (const id of alone.slice(0, BATCH_MAX)) {
    outcomes.push({ id, claimed: false, words: "The text has no claim token for it." });
  }
  return outcomes;
}

/** The caller of a claim: the person in the chosen organization, or the session's key. */
async function claimCaller(organization: unknown) {
  const { caller } = await requireAccount();
  if (caller.kind !== "user") return caller;
  if (typeof organization !== "string")
    throw invalidParam("organization", "Choose an organization.");
  return callerOf(caller.userId, organization);
}

/**
 * Finds IDs and the tokens that follow them, in claim URLs with a fragment, lines with both, or
 * pasted responses; and the IDs of resources that no token follows.
 */
function pairsIn(text: string): { pairs: { id: string; token: string }[]; alone: string[] } {
  const found = text.matchAll(/\b([a-z]{2,8}_[0-9A-Za-z]{20,40})\b|\b(clm_[0-9A-Za-z]{20,80})\b/g);
  const pairs = new Map<string, string>();
  const seen = new Set<string>();
  let id: string | undefined;
  for (const [word, resource] of found) {
    if (kindOf(word)) seen.add(word);
    if (word.startsWith("clm_")) {
      if (id !== undefined) pairs.set(id, word);
      id = undefined;
    } else if (resource !== undefined && !/^(?:org|key|usr)_/.test(resource)) id = resource;
  }
  return {
    pairs: [...pairs].map(([pairId, token]) => ({ id: pairId, token })),
    alone: [...seen].filter((one) => !pairs.has(one)),
  };
}

/** Rewords service errors for the person who holds the token. */
function withUserMessage(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const words: Partial<Record<typeof error.code, string>> = {
    invalid_claim_token:
      "This token does not match. Copy claim_token from the response that created this resource.",
    resource_not_found: "It no longer exists.",
    rate_limited: "Too many wrong tokens. Try again in ten minutes.",
  };
  const message = words[error.code];
  return message === undefined
    ? error
    : new ApiError(error.code, message, { param: error.param ?? "" });
}
