"use client";

import { type Connection, useConnection } from "./connection";
import { useLiveList } from "./live-list";
import { useHydrated } from "./use-hydrated";

/** Shows whether the list is current, with a button that pauses it. */
export function LiveSwitch() {
  const { isOff, isPaused, setPaused } = useLiveList();
  const connection = useConnection();
  const isHydrated = useHydrated();
  if (isOff) return null;
  const { word, colour } = isPaused ? PAUSED : STATES[connection];
  return (
    // As wide as its longest words, so that nothing moves; the word is last and hides its gap.
    <span
      className={`inline-grid grid-cols-[4.5rem_7.5rem] items-center ${isHydrated ? "" : "invisible"}`}
    >
      <button
        type="button"
        onClick={() => setPaused(!isPaused)}
        className="min-h-6 -ml-1.5 rounded px-1.5 text-left text-muted hover:text-ink"
      >
        {isPaused ? "Resume" : "Pause"}
      </button>
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${colour}`} />
        {word}
      </span>
    </span>
  );
}

const PAUSED = { word: "Paused", colour: "bg-waiting" };

const STATES: Record<Connection, { word: string; colour: string }> = {
  connecting: { word: "Connecting", colour: "bg-line-strong" },
  live: { word: "Live", colour: "bg-ok" },
  offline: { word: "Offline", colour: "bg-failed" },
  down: { word: "No connection", colour: "bg-failed" },
};
