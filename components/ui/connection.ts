import { useSyncExternalStore } from "react";

/** Whether what is on the page is current: offline is this device, down is the server. */
export type Connection = "connecting" | "live" | "offline" | "down";

let isStreaming = false;
/** Whether the server responded to the last request; undefined: none yet, or a stream has ended. */
let hasResponded: boolean | undefined;
const listeners = new Set<() => void>();

/** Call it when the stream of signals begins to arrive, and when it no longer does. */
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

/**
 * The current state. A server on this device responds without a network, so responses count first.
 */
function connection(): Connection {
  if (hasResponded === false) return navigator.onLine ? "down" : "offline";
  if (isStreaming || hasResponded) return "live";
  return navigator.onLine ? "connecting" : "offline";
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connection, () => "connecting");
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

function tellAll() {
  for (const listener of listeners) listener();
}
