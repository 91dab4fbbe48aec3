import { useEffect, useEffectEvent } from "react";
import { noteResponse } from "./connection";
import { isFollowed, listen } from "./signals";

const FIRST_PAUSE_MS = 1000;
const GROWN_PAUSE_MS = 5000;
/** The poll interval while signals report every change, and after a refusal. */
const LONG_PAUSE_MS = 30_000;
/** Their state also changes without a signal, as when an attempt starts or an event is leased. */
const PARTLY_SIGNALLED = new Set(["messages", "inboxes", "schedules", "webhooks"]);
const GROWTH = 1.25;
/** The minimum time between two polls during a series of signals. */
const SIGNAL_PAUSE_MS = 300;
/** That minimum in a hidden tab. */
const HIDDEN_PAUSE_MS = 5000;
/** A pause is this many times as long as the last poll, so polling takes a sixth of the time. */
const PAUSE_FACTOR = 5;

/**
 * Polls `href` when `topic` is signalled, at intervals while the tab is visible, and when it
 * becomes visible again; undefined pauses. `receive` gets the text of each response, or null if the
 * visitor is signed out or has switched to another organization, or the resource does not exist.
 */
export function usePoll(
  href: string | undefined,
  receive: (text: string | null) => void,
  topic?: string,
): void {
  const onResponse = useEffectEvent(receive);
  const address = useEffectEvent(() => href);
  const isPaused = href === undefined;
  useEffect(() => {
    if (isPaused) return;
    const over = new AbortController();
    const { signal } = over;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = FIRST_PAUSE_MS;
    let isPolling = false;
    let isSignalled = false;
    /** No poll starts before this time. */
    let freeAt = 0;
    const isHidden = () => document.visibilityState === "hidden";
    const pollIn = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(poll, Math.max(milliseconds, freeAt - performance.now()));
    };
    const poll = async () => {
      if (isPolling || (isHidden() && !isSignalled)) return;
      clearTimeout(timer);
      isPolling = true;
      isSignalled = false;
      const began = performance.now();
      const asked = address() ?? "";
      const text = await readLive(asked, signal);
      isPolling = false;
      if (signal.aborted) return;
      // The page shows something else by now.
      if (asked !== address()) return pollIn(0);
      if (text !== undefined) onResponse(text);
      pause = Math.min(pause * GROWTH, GROWN_PAUSE_MS);
      const least = isHidden() ? HIDDEN_PAUSE_MS : SIGNAL_PAUSE_MS;
      freeAt = performance.now() + Math.max((performance.now() - began) * PAUSE_FACTOR, least);
      const isTold = topic !== undefined && isFollowed(topic) && !PARTLY_SIGNALLED.has(topic);
      const rest = isTold || text === null ? LONG_PAUSE_MS : pause;
      pollIn(isSignalled ? 0 : rest);
    };
    const onSignal = () => {
      isSignalled = true;
      if (!isPolling) pollIn(0);
    };
    const stopListening = topic === undefined ? () => {} : listen(topic, onSignal);
    timer = setTimeout(poll, pause);
    document.addEventListener("visibilitychange", poll, { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      stopListening();
    });
    return () => over.abort();
  }, [isPaused, topic]);
}

let respondingVersion: string | null = null;
let pageOwner: string | undefined;

/** Polls name the owner of their page, and are refused once the session has another: see `dashboardRoute`. */
export function setPageOwner(owner: string | undefined): void {
  pageOwner = owner;
}

/**
 * Whether the last poll's response came from another version than the page. In the browser, Next
 * replaces the variable with the version of the page's HTML.
 */
export function hasOtherVersion(): boolean {
  return respondingVersion !== null && respondingVersion !== process.env.NEXT_DEPLOYMENT_ID;
}

/** One poll. Undefined if the request failed, so that the next one tries again. */
async function readLive(href: string, signal: AbortSignal): Promise<string | null | undefined> {
  try {
    const headers: Record<string, string> = pageOwner ? { "X-Owner": pageOwner } : {};
    const response = await fetch(href, { signal, headers });
    noteResponse(response.status < 502 || response.status > 504);
    respondingVersion = response.headers.get("Deployment-Id");
    if (response.status === 401 || response.status === 404) return null;
    return response.ok ? await response.text() : undefined;
  } catch {
    if (!signal.aborted) noteResponse(false);
    return undefined;
  }
}
