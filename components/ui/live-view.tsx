"use client";

import { useEffect } from "react";
import { joinSignals } from "./signals";

/** Joins the page to the stream shared by all tabs that show this view. */
export function LiveView({ view }: { view: string }) {
  useEffect(() => {
    let leave = joinSignals(view);
    const over = new AbortController();
    // A page in the back-forward cache must not hold a lock.
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
