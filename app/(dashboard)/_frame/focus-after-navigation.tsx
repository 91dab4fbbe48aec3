"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { noteVisit } from "./recent";

/**
 * After a navigation that removed or hid the focused element, focuses the row that is or was open, or
 * the title; after the last "Load more", the first row that it loaded.
 */
export function FocusAfterNavigation() {
  const path = usePathname();
  const search = useSearchParams().toString();
  const before = useRef<{ path: string; focused?: Element; last?: string } | null>(null);

  useEffect(() => {
    const over = new AbortController();
    const note = ({ target }: FocusEvent) => {
      if (before.current && target instanceof Element) before.current.focused = target;
    };
    document.addEventListener("focusin", note, over);
    return () => over.abort();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: also when only the query has changed.
  useEffect(() => {
    const { current } = before;
    const rows = [...document.querySelectorAll<HTMLAnchorElement>("main a[data-row]")];
    before.current = { path, focused: current?.focused, last: rows.at(-1)?.pathname };
    const ended = noteVisit(path);
    const { activeElement: active } = document;
    // A hidden element keeps the focus until the next frame.
    if (current === null || (active !== document.body && active?.checkVisibility())) return ended;
    const open = rows.find((row) => row.closest("[aria-current]") !== null);
    const left = rows.find((row) => row.pathname === current.path);
    const title = document.querySelector<HTMLElement>("main [data-pane-title]");
    const wasRow = current.focused?.matches("[data-row]");
    const choices = wasRow ? [open, left, title] : [left, title, open];
    if (current.focused?.matches("[data-more]")) {
      const known = rows.findIndex((row) => row.pathname === current.last);
      choices.unshift(rows[known + 1]);
    }
    // After a deletion there is neither.
    const heading = document.querySelector<HTMLElement>("main h1");
    if (heading && current.path !== path) {
      heading.tabIndex = -1;
      choices.push(heading);
    }
    choices.find((one) => one?.checkVisibility())?.focus({ preventScroll: true });
    return ended;
  }, [path, search]);
  return null;
}
