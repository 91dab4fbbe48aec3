import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows beyond the visible ones, so that the next one is there when the keyboard walks to it. */
const OVERSCAN = 12;
const ROW_PIXELS = 41;

/**
 * Which of a long table's rows are near the screen, while the page is scrolled. All rows are equally
 * high; how high, is measured at one that has `data-index`. `before` and `after` are pixels, as
 * is `topOf` a row, from the top of the page.
 */
export function useRowWindow(body: RefObject<HTMLTableSectionElement | null>, count: number) {
  const [{ top, rowHeight }, setPlace] = useState({ top: 0, rowHeight: ROW_PIXELS });
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
  });

  // What stands above the table, or wraps in it, changes with the width of the window.
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
