"use server";

import { redirect } from "next/navigation";
import { act, actor } from "@/app/_shared/act";
import { formAction, runAction } from "@/app/_shared/run-action";
import { requireAccount, visitor, visitorAddress } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { organizationOf } from "@/lib/identity/access";
import { callerOf } from "@/lib/identity/organizations/members";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import type { Claimed, ClaimSet } from "@/lib/resources/claims/contract";
import { claimOperations as claims } from "@/lib/resources/claims/operations";
import { listClaimSet } from "@/lib/resources/claims/set";
import { kindOf } from "@/lib/resources/kinds";
import { endpointId } from "@/lib/resources/webhooks/kind";
import { asText, seenIn, shownIds } from "./_components/shown-ids";

/** The maximum number of claims in one paste. Each may count as three form submissions. */
const BATCH_MAX = 30;

/** The response to a claim that covers more than the person has seen. */
export interface ClaimPreview {
  token: string;
  /** See `asText`. */
  covered: string;
}

interface ClaimOutcome {
  id: string;
  claimed: boolean;
  words: string;
}

/**
 * The outcome of each claim in the paste, or all that the paste covers if the person has not seen
 * it yet.
 */
export interface BatchResult {
  pasted: string;
  /** See `asText`. */
  covered?: string;
  outcomes: ClaimOutcome[];
}

/** Claims a resource and all else that the token covers, or returns what was not yet seen. */
export const claimResource = formAction<ClaimPreview>(async (data) => {
  const id = String(data.get("id"));
  const token = String(data.get("claim_token")).trim();
  const seen = new Set(seenIn(data));
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
    } else if (shown.every((one) => one === id || seen.has(one))) {
      await act(claims.claimAll, { body, as });
    } else return { token, covered: asText(covered) };
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

/** Claims all that the tokens in a pasted text cover, or returns what was not yet seen. */
export const claimBatch = formAction<BatchResult>(async (data) => {
  const pasted = String(data.get("pasted"));
  const { pairs, alone } = pairsIn(pasted);
  if (pairs.length === 0) {
    return { message: "This text contains no ID with a claim token.", param: "pasted" };
  }
  const as = await claimCaller(data.get("organization"));
  const claimSet = await actor<ClaimSet>(claims.claimAll, as);
  const claimOne = await actor(claims.claim, as);
  const claimAll = (claim_token: string, dry_run: boolean) =>
    attempt(() => claimSet({ body: { claim_token, dry_run } }));
  const now = pairs.slice(0, BATCH_MAX);
  const sets = new Map<string, FormResult | ClaimSet>();
  for (const { token } of now) {
    if (!sets.has(token)) sets.set(token, await claimAll(token, true));
  }
  const open = [...sets.values()].flatMap((set) => (set && "data" in set ? [set] : []));
  const covered: Claimed = {
    data: open.flatMap((set) => set.data),
    settings: open.flatMap((set) => set.settings),
    has_more: open.some((set) => set.has_more),
  };
  const seen = new Set([...now.map(({ id }) => id), ...seenIn(data)]);
  if (!shownIds(covered).every((one) => seen.has(one))) {
    return { pasted, covered: asText(covered), outcomes: [] };
  }

  const outcomes = new Map<string, ClaimOutcome>();
  const note = (id: string, refusal: FormResult) => {
    if (outcomes.get(id)?.claimed) return;
    outcomes.set(id, { id, claimed: refusal === null, words: refusal?.message ?? "Claimed" });
  };
  for (const [token, listed] of sets) {
    const ids = now.filter((pair) => pair.token === token).map(({ id }) => id);
    const set = listed && "data" in listed ? await claimAll(token, false) : listed;
    if (!set || !("data" in set)) {
      for (const id of ids) note(id, set);
      continue;
    }
    const taken = set.data.filter(({ id, made_by }) => made_by === null || ids.includes(id));
    for (const { id } of taken) note(id, null);
    for (const id of ids.filter((one) => !taken.some((line) => line.id === one))) {
      // Says why the token did not claim it.
      const refusal = await attempt(async () => {
        await claimOne({ params: { id }, body: { claim_token: token } });
        return null;
      });
      note(id, refusal);
    }
  }
  for (const id of alone.slice(0, BATCH_MAX)) {
    note(id, { message: "The text has no claim token for it.", param: null });
  }
  const left = pairs.length - now.length;
  if (left > 0) note("", { message: `${left} more were skipped. Paste them again.`, param: null });
  return { pasted, outcomes: [...outcomes.values()] };
});

/** The result of a claim, or the error in words for the person. */
function attempt<Done>(work: () => Promise<Done>): Promise<FormResult | Done> {
  return runAction<Done>(() =>
    work().catch((error) => {
      throw withUserMessage(error);
    }),
  );
}

/** The caller of a claim: the person in the chosen organization, or the session's key of it. */
async function claimCaller(organization: unknown) {
  const { caller } = await requireAccount();
  if (typeof organization !== "string")
    throw invalidParam("organization", "Choose an organization.");
  if (caller.kind === "user") return callerOf(caller.userId, organization);
  if (organizationOf(caller) === organization) return caller;
  throw new ApiError("forbidden", "This session’s key belongs to another organization.");
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
  for (const [written, resource] of found) {
    const word = endpointId(written);
    if (kindOf(word)) seen.add(word);
    if (word.startsWith("clm_")) {
      if (id !== undefined) pairs.set(id, word);
      id = undefined;
    } else if (resource !== undefined && !/^(?:org|key|usr)_/.test(resource)) id = word;
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
      "This token does not match, or the resource no longer exists. Copy claim_token from the response that created it.",
    resource_not_found: "It no longer exists.",
    rate_limited: "Too many wrong tokens. Try again in ten minutes.",
  };
  const message = words[error.code];
  return message === undefined
    ? error
    : new ApiError(error.code, message, { param: error.param ?? "" });
}
