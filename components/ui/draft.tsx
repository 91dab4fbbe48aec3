"use client";

import { useEffect, useRef, useState } from "react";
import { toast } from "./toast";
import { isRestored, keepInTab, setTypedValues, typedValues } from "./typed-input";

/** What was typed into a form, until it is saved or canceled. */
interface Kept {
  values: Record<string, string | boolean>;
  /** The form has been sent, and the server has not refused it. */
  isSent: boolean;
}

/** The key of a form's draft in this tab. */
function keyOf(of: string): string {
  return `draft ${location.pathname} ${of}`;
}

/** Keeps a draft that was sent but not accepted, so that the next visit restores it. */
export function keepSentDraft(of: string): void {
  const text = sessionStorage.getItem(keyOf(of));
  if (text === null) return;
  const kept: Kept = { ...JSON.parse(text), isSent: false };
  keepInTab(keyOf(of), kept);
}

/**
 * Keeps what is typed into the form around it for when the person comes back in the same tab. `of` tells the
 * form from others of the page, and has the version of the resource that it edits.
 */
export function Draft({ of = "" }: { of?: string | undefined }) {
  const here = useRef<HTMLSpanElement>(null);
  // A refresh brings newer versions, which the form does not show.
  const [opened] = useState(of);
  useEffect(() => {
    const form = here.current?.closest("form");
    if (!form) return;
    const key = keyOf(opened);
    let timer: number | undefined;
    const keep = (isSent: boolean) => {
      window.clearTimeout(timer);
      const kept: Kept = { values: typedValues(form), isSent };
      if (Object.keys(kept.values).length === 0) sessionStorage.removeItem(key);
      else keepInTab(key, kept);
    };
    const text = sessionStorage.getItem(key);
    const kept: Kept | undefined = text === null ? undefined : JSON.parse(text);
    // What was typed before the page's scripts ran is newer.
    const isNewer = Object.keys(typedValues(form)).length > 0 || isRestored(form);
    if (kept?.isSent === false && !isNewer && setTypedValues(form, kept.values)) {
      form.closest("details")?.toggleAttribute("open", true);
      const hasSecret = form.querySelector("[data-secret], [type=password]") !== null;
      toast(`What you typed before is here again${hasSecret ? ", except secrets" : ""}.`);
    } else if (!isNewer) sessionStorage.removeItem(key);
    const input = () => {
      window.clearTimeout(timer);
      // Runs after React has rendered the field's new state.
      timer = window.setTimeout(keep, 0, false);
    };
    const send = () => keep(true);
    const cancel = ({ target }: Event) => {
      const link = target instanceof Element && target.closest("a[aria-keyshortcuts=Escape]");
      if (!link) return;
      window.clearTimeout(timer);
      sessionStorage.removeItem(key);
    };
    const over = new AbortController();
    form.addEventListener("input", input, over);
    form.addEventListener("refused", () => keep(false), over);
    form.addEventListener("submit", send, over);
    form.addEventListener("click", cancel, over);
    return () => over.abort();
  }, [opened]);
  return <span ref={here} hidden />;
}
