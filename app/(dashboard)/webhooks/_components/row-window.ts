import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from "react";

/** Rows rendered beyond the visible ones, so that j and k always find the next row. */
const OVERSCAN = 12;
const ROW_PIXELS = 41;

/**
 * The rows of a long table that are near the viewport. All rows have the same height, measured from
 * one with `data-index`. `before` and `after` are the heights of the omitted rows, and `topOf` is a
 * row's distance from the top of the page, all in pixels.
 */
export function useRowWindow(body: RefObject<HTMLTableSectionElement | null>, count: number) {
  const [{ top, rowHeight }, setPlace] = useState({ top: 0, rowHeight: ROW_PIXELS });
  const atTop = useWindow(() => Math.floor((window.scrollY - top) / rowHeight));
  const onScreen = useWindow(() => Math.ceil(window.innerHeight / rowHeight) + 1);

  // The rows, and the content above the table, change height with the width of the window.
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (!box || box.height === 0) return;
    const row = body.current?.querySelector("tr[data-index]")?.getBoundingClientRect();
    const place = { top: box.top + window.scrollY, rowHeight: row?.height || rowHeight };
    if (Math.abs(place.top - top) < 1 && place.rowHeight === rowHeight) return;
    setPlace(place);
  });

  const visible = Math.max(0, Math.min(atTop, count - 1));
  const first = Math.max(0, visible - OVERSCAN);
  const end = Math.min(count, visible + onScreen + OVERSCAN);
  return {
    rows: Array.from({ length: end - first }, (_, index) => first + index),
    before: first * rowHeight,
    after: (count - end) * rowHeight,
    rowHeight,
    topOf: (index: number) => top + index * rowHeight,
  };
}

/** A number that depends on the window's size and scroll position; 0 on the server. */
function useWindow(read: () => number): number {
  return useSyncExternalStore(subscribe, read, () => 0);
}

function subscribe(onChange: () => void) {
  const over = new AbortController();
  window.addEventListener("scroll", onChange, { passive: true, signal: over.signal });
  window.addEventListener("resize", onChange, { signal: over.signal });
  return () => over.abort();
}
