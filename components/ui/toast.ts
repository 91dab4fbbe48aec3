/** A short message about something that the page does not show in place. */
export interface Notification {
  text: string;
  /** True to show it for some seconds and read it aloud; false to only read it aloud. */
  isShown: boolean;
}

const EVENT = "notification";

/** Shows a message for some seconds on whatever page is open, and to screen readers. */
export function toast(text: string): void {
  notify({ text, isShown: true });
}

/** Reports that a request failed because the server could not be reached. */
export function sayNoResponse(): void {
  toast("The server did not respond. Try again.");
}

/** Sends a message to screen readers only, for changes that the page already shows. */
export function announce(text: string): void {
  notify({ text, isShown: false });
}

/** Calls `listener` for each notification. Returns a function that unsubscribes it. */
export function onNotification(listener: (notification: Notification) => void): () => void {
  const onEvent = (event: Event) => listener((event as CustomEvent<Notification>).detail);
  document.addEventListener(EVENT, onEvent);
  return () => document.removeEventListener(EVENT, onEvent);
}

function notify(notification: Notification): void {
  document.dispatchEvent(new CustomEvent(EVENT, { detail: notification }));
}
