import { useSyncExternalStore } from "react";

/** Whether the page is current: `offline` is this device's fault, `down` the server's. */
export type Connection = "connecting" | "live" | "offline" | "down";

let isStreaming = false;
/** Whether the server responded to the last request; undefined if not known. */
let hasResponded: boolean | undefined;
const listeners = new Set<() => void>();

/** Call it when the stream of signals opens, and when it breaks. */
export function noteStream(isOpen: boolean): void {
  if (isStreaming === isOpen) return;
  isStreaming = isOpen;
  hasResponded = isOpen ? true : undefined;
  tellAll();
}

/** Call it after each request: false if the server did not respond. */
export function noteResponse(responded: boolean): void {
  if (hasResponded === responded) return;
  hasResponded = responded;
  tellAll();
}

/** The current state. Responses have priority: a server on this device needs no network. */
function connection(): Connection {
  if (hasResponded === false) return navigator.onLine ? "down" : "offline";
  if (isStreaming || hasResponded) return "live";
  return navigator.onLine ? "connecting" : "offline";
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connection, () => "connecting");
}

function subscribe(listener: () => void): () => void {
  const over = new AbortController();
  listeners.add(listener);
  window.addEventListener("online", listener, over);
  window.addEventListener("offline", listener, over);
  return () => {
    listeners.delete(listener);
    over.abort();
  };
}

function tellAll() {
  for (const listener of listeners) listener();
}
