import { useSyncExternalStore } from "react";

/** Whether what is on the page is current: offline is this device, down is the server. */
export type Connection = "connecting" | "live" | "offline" | "down";

let isStreaming = false;
/** Whether the last request got a response; undefined: none yet, or a stream has ended since. */
let isAnswered: boolean | undefined;
const listeners = new Set<() => void>();

/** Call it when the stream of signals begins to arrive, and when it no longer does. */
export function noteStream(isOpen: boolean): void {
  if (isStreaming === isOpen) return;
  isStreaming = isOpen;
  isAnswered = isOpen ? true : undefined;
  tellAll();
}

/** Call it after each request: false if the server did not respond. */
export function noteAnswer(answered: boolean): void {
  if (isAnswered === answered) return;
  isAnswered = answered;
  tellAll();
}

/**
 * The current state. A server on this device responds without a network, so responses count first.
 */
function connection(): Connection {
  if (isAnswered === false) return navigator.onLine ? "down" : "offline";
  if (isStreaming || isAnswered) return "live";
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
