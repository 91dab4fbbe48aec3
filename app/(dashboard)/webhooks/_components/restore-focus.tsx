"use client";

import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useEventList } from "./event-list-provider";

/** The screens on which an open event hides the list. */
const NARROW_SCREEN = "(width < 64rem)";
/** The height of the sticky header, and of the bottom bar on narrow screens, in pixels. */
const STICKY_HEIGHT = 64;
/** Input that cancels the search for the row. */
const USER_INPUT_EVENTS = ["wheel", "touchmove", "keydown", "pointerdown"];

/** The open event, or the one just closed. */
interface Opened {
  id: string;
  /** Query parameters of the list. If the filters differ, nothing is restored. */
  kept: string;
  /** The scroll position of the list when the event was opened, in pixels. */
  scrollY?: number;
}

/** The row to focus. */
interface Sought {
  id: string;
  /** The list was visible beside the event, so its scroll position is correct. */
  stays: boolean;
}

const Context = createContext<RefObject<Opened | null> | null>(null);

/** Remembers which event was open while the user navigates between the list and an event. */
export function RestoreFocus({ children }: { children: ReactNode }) {
  const opened = useRef<Opened>(null);
  return <Context value={opened}>{children}</Context>;
}

interface Table {
  body: RefObject<HTMLTableSectionElement | null>;
  openId: string | undefined;
  kept: string;
  /** The top of a row, in pixels from the top of the page. */
  topOf(index: number): number;
}

/**
 * Focuses the row of an event after it is closed and, on narrow screens, restores the scroll
 * position. `isSeeking`: the row has not been loaded yet. `note` records the event being opened.
 */
export function useRestoreFocus({ body, openId, kept, topOf }: Table) {
  const { list, hasFailed, isSearchPaused } = useEventList();
  const opened = useContext(Context);
  if (!opened) throw new Error("useRestoreFocus must be used within RestoreFocus.");
  const wasOpenHere = useRef(false);
  const hasScrolled = useRef(false);
  const [sought, seek] = useState<Sought | null>(null);
  const index = sought ? list.data.findIndex(({ id }) => id === sought.id) : -1;
  // Newest first; IDs sort by time.
  const isFurther = sought !== null && (list.data.at(-1)?.id ?? "~") > sought.id;
  const mayBeFurther = isFurther && list.has_more && !hasFailed && !isSearchPaused;

  useLayoutEffect(() => {
    if (openId !== undefined) {
      wasOpenHere.current = true;
      if (opened.current?.id !== openId) opened.current = { id: openId, kept };
      seek(null);
      return;
    }
    const left = opened.current;
    opened.current = null;
    if (left?.kept !== kept) return;
    const isNarrow = window.matchMedia(NARROW_SCREEN).matches;
    if (isNarrow && left.scrollY !== undefined) window.scrollTo(0, left.scrollY);
    hasScrolled.current = false;
    seek({ id: left.id, stays: wasOpenHere.current && !isNarrow });
  }, [openId, kept, opened]);

  useEffect(() => {
    if (sought === null) return;
    if (index === -1) {
      if (!mayBeFurther) seek(null);
      return;
    }
    const place = topOf(index) - window.scrollY;
    const isOnScreen = place >= STICKY_HEIGHT && place <= window.innerHeight - STICKY_HEIGHT;
    if (!sought.stays && !hasScrolled.current && !isOnScreen) {
      hasScrolled.current = true;
      window.scrollTo({ top: topOf(index) - window.innerHeight / 2 });
      return;
    }
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row]`);
    link?.focus({ preventScroll: true });
    // After a scroll, the next render includes the row.
    if (link || sought.stays) seek(null);
  });

  useEffect(() => {
    if (sought === null) return;
    const stop = () => seek(null);
    for (const way of USER_INPUT_EVENTS) window.addEventListener(way, stop);
    return () => {
      for (const way of USER_INPUT_EVENTS) window.removeEventListener(way, stop);
    };
  }, [sought]);

  const note = useCallback(
    (id: string) => {
      opened.current = { id, kept, scrollY: window.scrollY };
    },
    [kept, opened],
  );
  return { isSeeking: index === -1 && mayBeFurther, note };
}
