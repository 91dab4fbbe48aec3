"use client";

import { useEffect, useRef } from "react";

/** Focuses the form's first text field, unless the user is already typing elsewhere. */
export function AutoFocus() {
  const here = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (document.activeElement?.matches("input, textarea, select")) return;
    const form = here.current?.closest("form");
    form?.querySelector<HTMLElement>("input:not([type=hidden]), textarea")?.focus();
  }, []);

  return <span ref={here} hidden />;
}
