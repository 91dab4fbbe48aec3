"use client";

import { useEffect, useState } from "react";
import type { Claimed } from "@/lib/resources/claims/contract";
import { listCovered } from "../actions";
import { Contents } from "./contents";

const NOTHING: Claimed = { data: [], has_more: false, settings: [] };

/** What this tab's token claims; undefined until it is known. Moves a token out of the URL. */
export function useCovered(id: string): { token: string | null; covered: Claimed } {
  const [known, setKnown] = useState<{ token: string | null; covered: Claimed }>({
    token: null,
    covered: NOTHING,
  });
  useEffect(() => {
    const token = keptToken(id);
    if (token === null) return;
    setKnown({ token, covered: NOTHING });
    let isStale = false;
    listCovered(token).then(
      (covered) => {
        if (!isStale) setKnown({ token, covered });
      },
      () => {}, // the claim lists it too
    );
    return () => {
      isStale = true;
    };
  }, [id]);
  return known;
}

/** Lists what a token claims, and keeps the token in this tab during sign-in. */
export function Covered({ id, noun }: { id: string; noun: string }) {
  const { covered } = useCovered(id);
  return <Contents noun={noun} covered={covered} />;
}

/** Leads to another resource of this tab's token: at once if this one is gone, else by a link. */
export function OtherClaim({ id, isGone = false }: { id: string; isGone?: boolean }) {
  const { token, covered } = useCovered(id);
  const others = covered.data.filter(({ made_by }) => made_by === null);
  const href = others[0] && `/claim/${encodeURIComponent(others[0].id)}#claim_token=${token}`;
  useEffect(() => {
    if (isGone && href) window.location.replace(href);
  }, [isGone, href]);
  if (isGone || !href) return null;
  return (
    <a href={href} className="button mt-4 flex">
      Claim {others.length} more
    </a>
  );
}

/** Moves a token from the fragment to this tab's storage, because URLs get copied and shared. */
function keptToken(id: string): string | null {
  const name = `claim:${id}`;
  const given = /^#(?:claim_token=)?(clm_[0-9A-Za-z]+)$/.exec(window.location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(name, given);
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }
  return sessionStorage.getItem(name);
}
