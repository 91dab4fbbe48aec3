"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { AutoRefresh } from "./auto-refresh";
import { useReading } from "./use-reading";

interface LiveListState {
  /** Nothing updates the list: it is being searched, or a form is open. */
  isOff: boolean;
  isPaused: boolean;
  setPaused(paused: boolean): void;
  /** New rows wait behind a button: the person has scrolled, is reading, or has opened a row. */
  isHeld: boolean;
}

/** Provides whether new rows may appear, also for a list that loads its own rows. */
export const LiveListContext = createContext<LiveListState>({
  isOff: false,
  isPaused: false,
  setPaused: () => {},
  isHeld: false,
});

export interface LiveListProps {
  /** Returns a line that changes with the list's data; undefined in a search or beside a form. */
  href: string | undefined;
  /** That line for the data shown on the page. */
  shown: string;
  /** The topic that signals a change of the list: see `listen`. */
  topic?: string;
  /** A row of the list is open beside it. */
  isOpen?: boolean;
}

/** A list that stays up to date until the person pauses it. */
export function LiveList(props: LiveListProps & { children: ReactNode }) {
  const { href, shown, topic, isOpen = false, children } = props;
  const [isPaused, setPaused] = useState(false);
  const isReading = useReading();
  return (
    <LiveListContext
      value={{
        isOff: href === undefined,
        isPaused,
        setPaused,
        isHeld: isOpen || isPaused || isReading,
      }}
    >
      <AutoRefresh href={isPaused ? undefined : href} shown={shown} topic={topic}>
        {children}
      </AutoRefresh>
    </LiveListContext>
  );
}

export function useLiveList(): LiveListState {
  return useContext(LiveListContext);
}
