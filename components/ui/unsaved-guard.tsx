"use client";

import { useEffect, useRef } from "react";
import { SETTLED } from "./typed-input";

export const LEAVE_QUESTION = "Leave without saving what you typed?";

/** Asks before the user leaves or closes a page with unsaved form input. */
export function UnsavedGuard() {
  const here = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const form = here.current?.closest("form");
    if (!form) return;
    let typed = false;
    const note = () => {
      typed = true;
    };
    const forget = () => {
      typed = false;
    };
    const close = (event: BeforeUnloadEvent) => {
      if (typed) event.preventDefault();
    };
    const leave = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest("a[href]");
      if (!typed || !link || link.hasAttribute("target") || link.hasAttribute("download")) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      if (window.confirm(LEAVE_QUESTION)) {
        typed = false;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    const back = (event: NavigateEvent) => {
      const isOurs = event.navigationType === "traverse" && event.destination.sameDocument;
      if (!typed || !isOurs || !event.cancelable) return;
      if (window.confirm(LEAVE_QUESTION)) typed = false;
      else event.preventDefault();
    };
    const over = new AbortController();
    const { signal } = over;
    // Not every browser has the Navigation API.
    if ("navigation" in window) window.navigation.addEventListener("navigate", back, { signal });
    form.addEventListener("input", note, { signal });
    form.addEventListener(SETTLED, forget, { signal });
    window.addEventListener("beforeunload", close, { signal });
    // Runs before React follows the link.
    window.addEventListener("click", leave, { signal, capture: true });
    return () => over.abort();
  }, []);

  return <span ref={here} hidden />;
}
