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

/** Below this an open event stands alone, without the list. */
const NARROW_SCREEN = "(width < 64rem)";
/** Room for what sticks to the top of the list, and to the bottom of a narrow screen; pixels. */
const STICKY_HEIGHT = 64;
/** What somebody does who wants to go elsewhere meanwhile. */
const USER_INPUT_EVENTS = ["wheel", "touchmove", "keydown", "pointerdown"];

/** The event that is open, or was until now. */
interface Opened {
  id: string;
  /** What of the address stays when the event is closed: with other filters, nobody is going back. */
  kept: string;
  /** Where the list was when the event was opened from it, pixels. */
  scrollY?: number;
}

/** The row that is looked for. */
interface Sought {
  id: string;
  /** The list stood beside the event: it is where its reader left it. */
  stays: boolean;
}

const Context = createContext<RefObject<Opened | null> | null>(null);

/** Remembers which event was open, also when the list beside it becomes another page's. */
export function RestoreFocus({ children }: { children: ReactNode }) {
  const opened = useRef<Opened>(null);
  return <Context value={opened}>{children}</Context>;
}

interface Table {
  body: RefObject<HTMLTableSectionElement | null>;
  /** The event that is open. */
  openId: string | undefined;
  kept: string;
  /** Where a row begins, pixels from the top of the page. */
  topOf(index: number): number;
}

/**
 * Leads back to the row of an event that was closed, with the focus on it: on narrow screens to
 * where the list was. `isSeeking`: the row has not been read yet. `note` is told what is opened.
 */
export function useRestoreFocus({ body, openId, kept, topOf }: Table) {
  const { list, hasFailed, isSearchPaused } = useEventList();
  const opened = useContext(Context);
  if (!opened) throw new Error("There is no way back around this.");
  const wasOpenHere = useRef(false);
  const hasScrolled = useRef(false);
  const [sought, seek] = useState<Sought | null>(null);
  const index = sought ? list.data.findIndex(({ id }) => id === sought.id) : -1;
  // The newest are first, and IDs are in the order of time.
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
    // After a scroll the row comes with the next rendering.
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
