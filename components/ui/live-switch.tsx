"use client";

import { type Connection, useConnection } from "./connection";
import { useLiveList } from "./live-list";
import { useHydrated } from "./use-hydrated";

/** Shows whether the list is current; a press pauses it, and another resumes it. */
export function LiveSwitch() {
  const { isOff, isPaused, setPaused } = useLiveList();
  const connection = useConnection();
  const isHydrated = useHydrated();
  if (isOff) return null;
  const { word, colour } = isPaused ? PAUSED : STATES[connection];
  const isBroken = connection === "offline" || connection === "down";
  const action = isPaused ? "resume" : "pause";
  return (
    <button
      type="button"
      onClick={() => setPaused(!isPaused)}
      title={isPaused ? "Resume updates" : "Pause updates"}
      // As wide as its longest word, so that nothing moves.
      className={`flex min-h-6 min-w-6 items-center justify-end gap-1.5 rounded text-small whitespace-nowrap text-muted hover:text-ink sm:min-w-24 ${isHydrated ? "" : "invisible"}`}
    >
      {/* On a narrow screen the dot is enough, unless something is wrong. */}
      <span className={isPaused || isBroken ? "" : "max-sm:sr-only"}>{word}</span>
      <span aria-hidden="true" className={`size-2 rounded-full ${colour}`} />
      <span className="sr-only">: {action}</span>
    </button>
  );
}

const PAUSED = { word: "Paused", colour: "bg-waiting" };

const STATES: Record<Connection, { word: string; colour: string }> = {
  connecting: { word: "Connecting", colour: "bg-line-strong" },
  live: { word: "Live", colour: "bg-ok" },
  offline: { word: "Offline", colour: "bg-failed" },
  down: { word: "No connection", colour: "bg-failed" },
};
