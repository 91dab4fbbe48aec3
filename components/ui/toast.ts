/** A short message about something that the page does not show in place. */
export interface Notification {
  text: string;
  /** Shown for some seconds and read aloud; false: only read aloud. */
  isShown: boolean;
}

const EVENT = "notification";

/** Shows a message for some seconds on whatever page is open, and to screen readers. */
export function toast(text: string): void {
  notify({ text, isShown: true });
}

/** Says that a request failed because the server could not be reached. */
export function sayNoResponse(): void {
  toast("The server did not respond. Try again.");
}

/** Sends a message to screen readers only, where the page already shows what happened. */
export function announce(text: string): void {
  notify({ text, isShown: false });
}

/** Calls `listener` for each notification. Returns the function that unsubscribes it. */
export function onNotification(listener: (notification: Notification) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<Notification>).detail);
  document.addEventListener(EVENT, hear);
  return () => document.removeEventListener(EVENT, hear);
}

function notify(notification: Notification): void {
  document.dispatchEvent(new CustomEvent(EVENT, { detail: notification }));
}
