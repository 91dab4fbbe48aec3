"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** A row that scrolls sideways where it does not fit, and starts with its chosen filter in sight. */
export function FilterRow({ className, children }: { className: string; children: ReactNode }) {
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = here.current;
    const chosen = row?.querySelector("[aria-current]");
    if (!row || !chosen) return;
    const hidden = chosen.getBoundingClientRect().right - row.getBoundingClientRect().right;
    // By the width of the faded edge more.
    if (hidden > 0) row.scrollLeft += hidden + 24;
  }, []);
  return (
    <div ref={here} className={`filter-row ${className}`}>
      {children}
    </div>
  );
}
