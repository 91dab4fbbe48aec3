/** What is said of something that the page does not show in place. */
export interface Said {
  words: string;
  /** Shown for some seconds and read aloud; false: only read aloud. */
  isShown: boolean;
}

const SAID = "said";

/** Shows words for some seconds, over whatever page the person looks at, and has them read aloud. */
export function toast(words: string): void {
  say({ words, isShown: true });
}

/** Has words read aloud, where whoever sees the page sees what happened. */
export function announce(words: string): void {
  say({ words, isShown: false });
}

/** Calls `listener` for all that is said, until what it returns is called. */
export function onSaid(listener: (said: Said) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<Said>).detail);
  document.addEventListener(SAID, hear);
  return () => document.removeEventListener(SAID, hear);
}

function say(said: Said): void {
  document.dispatchEvent(new CustomEvent(SAID, { detail: said }));
}
