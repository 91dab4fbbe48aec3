"use client";

import { useEffect } from "react";
import { joinSignals } from "./signals";

/** Keeps the page in the one stream of all tabs that show this view. */
export function LiveView({ view }: { view: string }) {
  useEffect(() => {
    let leave = joinSignals(view);
    const over = new AbortController();
    // A page in the browser's cache must hold no lock.
    const hide = () => leave();
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) leave = joinSignals(view);
    };
    window.addEventListener("pagehide", hide, over);
    window.addEventListener("pageshow", show, over);
    return () => {
      over.abort();
      leave();
    };
  }, [view]);
  return null;
}
