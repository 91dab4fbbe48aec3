"use client";

import { useEffect, useRef } from "react";

/** Puts the cursor into the form's first field to type in, unless somebody types elsewhere already. */
export function AutoFocus() {
  const here = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (document.activeElement?.matches("input, textarea, select")) return;
    const form = here.current?.closest("form");
    form?.querySelector<HTMLElement>("input:not([type=hidden]), textarea")?.focus();
  }, []);

  return <span ref={here} hidden />;
}
