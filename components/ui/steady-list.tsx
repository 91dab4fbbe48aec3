"use client";

import { type ReactNode, useEffect, useState } from "react";
import { BACKGROUND_REFRESH } from "./keep-fresh";

interface Props {
  /** The rows' IDs in their order. */
  ids: string[];
  children: ReactNode;
}

/**
 * A list whose rows never jump: when the page was read anew though nobody asked for it, rows that
 * came or went wait behind a pill. What changes within rows changes in place.
 */
export function SteadyList({ ids, children }: Props) {
  const [kept, keep] = useState({ ids, children });
  const [latest, setLatest] = useState(children);
  const [unasked, setUnasked] = useState(false);

  useEffect(() => {
    const note = () => setUnasked(true);
    document.addEventListener(BACKGROUND_REFRESH, note);
    return () => document.removeEventListener(BACKGROUND_REFRESH, note);
  }, []);

  if (latest !== children) {
    setLatest(children);
    setUnasked(false);
    const wouldJump = kept.ids.length > 0 && changeOf(kept.ids, ids) !== "";
    if (!unasked || !wouldJump) keep({ ids, children });
  }
  const change = changeOf(kept.ids, ids);
  return (
    <div className="relative">
      <p
        role="status"
        className="pointer-events-none absolute inset-x-0 top-0 z-3 flex h-8 justify-center"
      >
        {change !== "" && (
          <button
            type="button"
            onClick={() => keep({ ids, children })}
            className="pointer-events-auto my-0.5 rounded-full bg-accent px-3 text-small leading-7 font-medium text-accent-ink tabular-nums"
          >
            {change}
          </button>
        )}
      </p>
      {kept.children}
    </div>
  );
}

/** "3 new, 1 gone"; empty when the rows are the same. */
function changeOf(before: string[], after: string[]): string {
  const [old, current] = [new Set(before), new Set(after)];
  const come = after.filter((id) => !old.has(id)).length;
  const gone = before.filter((id) => !current.has(id)).length;
  return [come > 0 && `${come} new`, gone > 0 && `${gone} gone`].filter(Boolean).join(", ");
}
