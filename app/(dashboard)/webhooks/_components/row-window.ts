import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows rendered beyond the visible ones, so that j and k always find the next row. */
const OVERSCAN = 12;
const ROW_PIXELS = 41;

/**
 * The rows of a long table that are near the screen. All rows have the same height, measured from one
 * with `data-index`. `before` and `after` are the heights of the rows left out, and `topOf` is a row's
 * distance from the top of the page, all in pixels.
 */
export function useRowWindow(body: RefObject<HTMLTableSectionElement | null>, count: number) {
  const [{ top, rowHeight }, setPlace] = useState({ top: 0, rowHeight: ROW_PIXELS });
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
  });

  // The content above the table, and the rows, change height with the width of the window.
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (!box || box.height === 0) return;
    const row = body.current?.querySelector("tr[data-index]")?.getBoundingClientRect();
    const place = { top: box.top + window.scrollY, rowHeight: row?.height ?? rowHeight };
    if (Math.abs(place.top - top) < 1 && place.rowHeight === rowHeight) return;
    setPlace(place);
  });

  useLayoutEffect(() => {
    if (rowHeight > 0) virtualizer.measure();
  }, [virtualizer, rowHeight]);

  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return {
    rows: items.map(({ index }) => index),
    before: first ? first.start - top : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - top) : 0,
    rowHeight,
    topOf: (index: number) => top + index * rowHeight,
  };
}
