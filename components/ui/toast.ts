/** What is said of something that the page does not show in place. */
export interface Notification {
  words: string;
  /** Shown for some seconds and read aloud; false: only read aloud. */
  isShown: boolean;
}

const EVENT = "said";

/** Shows words for some seconds, over whatever page the person looks at, and has them read aloud. */
export function toast(words: string): void {
  notify({ words, isShown: true });
}

/** Has words read aloud, where whoever sees the page sees what happened. */
export function announce(words: string): void {
  notify({ words, isShown: false });
}

/** Calls `listener` for all that is said, until what it returns is called. */
export function onNotification(listener: (said: Notification) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<Notification>).detail);
  document.addEventListener(EVENT, hear);
  return () => document.removeEventListener(EVENT, hear);
}

function notify(said: Notification): void {
  document.dispatchEvent(new CustomEvent(EVENT, { detail: said }));
}
