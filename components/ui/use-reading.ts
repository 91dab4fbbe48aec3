import { useSyncExternalStore } from "react";

/** Within this many pixels, a list counts as scrolled to its top. */
const TOP = 8;
/** A pointer that has moved over rows this recently may be about to click one. */
const POINTER_MS = 800;

const EVENTS = ["scroll", "selectionchange", "focusin", "focusout", "dragstart", "dragend"];

let pointedUntil = 0;

/** Whether the person has scrolled, selected text or pointed at a row, so that none may move. */
export function useReading(): boolean {
  return useSyncExternalStore(subscribe, isReading, () => false);
}

function isReading(): boolean {
  return (
    window.scrollY > TOP ||
    performance.now() < pointedUntil ||
    document.getSelection()?.isCollapsed === false ||
    document.querySelector("[data-row]:focus-visible, [data-dragged]") !== null
  );
}

function subscribe(listener: () => void): () => void {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const point = ({ target }: Event) => {
    if (!(target instanceof Element) || !target.closest("tr, [data-card]")) return;
    pointedUntil = performance.now() + POINTER_MS;
    clearTimeout(timer);
    timer = setTimeout(listener, POINTER_MS + 1);
    listener();
  };
  const options = { passive: true, signal: over.signal };
  document.addEventListener("pointermove", point, options);
  for (const name of EVENTS) document.addEventListener(name, listener, options);
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}
