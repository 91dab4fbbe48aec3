"use client";

import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { resourceKindOf } from "@/lib/resources/kinds";

/** A resource that a claim token claims, or has claimed. */
export interface CoveredLine {
  id: string;
  name: string;
}

/** Lists what a token claims. */
export type ListCovered = (token: string) => Promise<CoveredLine[]>;

/**
 * The resources that the token of this tab claims; empty until known. Moves a token out of the URL.
 */
export function useCovered(
  id: string,
  list: ListCovered,
): { token: string | null; covered: CoveredLine[] } {
  const [known, setKnown] = useState<{ token: string | null; covered: CoveredLine[] }>({
    token: null,
    covered: [],
  });
  useEffect(() => {
    const token = keptToken(id);
    if (token === null) return;
    setKnown({ token, covered: [] });
    let isStale = false;
    list(token).then(
      (covered) => {
        if (!isStale) setKnown({ token, covered });
      },
      () => {}, // the claim lists it, too
    );
    return () => {
      isStale = true;
    };
  }, [id, list]);
  return known;
}

/** Lists the resources that a token claims, and keeps the token in this tab during sign-in. */
export function Covered({ id, list }: { id: string; list: ListCovered }) {
  const { covered } = useCovered(id, list);
  return <CoveredList lines={covered} />;
}

/** The resources of a set; nothing for a single one, which the page shows already. */
export function CoveredList({ lines }: { lines: CoveredLine[] }) {
  if (lines.length < 2) return null;
  return (
    <section aria-label="Everything that it covers" className="mb-4">
      <h2 className="font-semibold">This link covers {lines.length} resources</h2>
      <ul className="mt-2 grid max-h-72 gap-2 overflow-y-auto">
        {lines.map(({ id, name }) => {
          const kind = resourceKindOf(id);
          return (
            <li key={id} className="flex gap-2">
              {kind && <Icon name={kind.name} className="mt-0.75 text-muted" />}
              <span className="min-w-0 wrap-anywhere">
                {name} <span className="text-muted">{kind?.noun}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
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
