"use client";

import { useEffect, useRef, useState } from "react";
import { toast } from "./toast";
import {
  isTypedInto,
  keepTyped,
  keptKey,
  restoreReloaded,
  restoreTyped,
  SETTLED,
} from "./typed-input";

/**
 * Keeps what is typed into the form around it for when the person comes back in the same tab, until it is saved or
 * canceled. `of` distinguishes the forms of a page, and contains the version of a resource if another version must
 * not get the draft.
 */
export function Draft({ of = "" }: { of?: string | undefined }) {
  const here = useRef<HTMLSpanElement>(null);
  // A refresh brings newer versions, which the form does not show.
  const [opened] = useState(of);
  useEffect(() => {
    const form = here.current?.closest("form");
    if (!form) return;
    const key = keptKey(opened);
    let timer: number | undefined;
    const keep = () => keepTyped(form, key);
    const input = () => {
      window.clearTimeout(timer);
      // Runs after React has rendered the field's new state.
      timer = window.setTimeout(keep);
    };
    const forget = () => {
      window.clearTimeout(timer);
      sessionStorage.removeItem(key);
    };
    const cancel = ({ target }: Event) => {
      if (target instanceof Element && target.closest("a[aria-keyshortcuts=Escape]")) forget();
    };
    const over = new AbortController();
    form.addEventListener("input", input, over);
    form.addEventListener(SETTLED, forget, over);
    form.addEventListener("click", cancel, over);
    // What was typed before the page's scripts ran is newer.
    if (isTypedInto(form)) keep();
    else if (!restoreReloaded(form) && restoreTyped(form, key)) {
      form.closest("details")?.toggleAttribute("open", true);
      const hasSecret = form.querySelector("[data-secret], [type=password]") !== null;
      toast(`What you typed before was restored${hasSecret ? ", except secrets" : ""}.`);
    }
    return () => over.abort();
  }, [opened]);
  return <span ref={here} hidden />;
}
