import { noteResponse } from "./connection";

const PAUSE_MS = 1000;

/**
 * Keeps the page when a link or form leads to another document and the server does not respond,
 * until it does or the returned function is called. `begun` works as in `retryFetches`. Does
 * nothing in a browser without the Navigation API.
 */
export function holdNavigation(begun: () => () => void): () => void {
  if (!("navigation" in window)) return () => {};
  const over = new AbortController();
  let allowed: string | undefined;
  let latest = 0;

  const hold = async (address: string) => {
    const number = ++latest;
    const ended = begun();
    while (!(await isResponding())) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (over.signal.aborted || number !== latest) return ended();
    }
    ended();
    if (over.signal.aborted || number !== latest) return;
    allowed = address;
    location.assign(address);
  };
  const navigate = (event: NavigateEvent) => {
    const { url, sameDocument } = event.destination;
    if (sameDocument || !event.cancelable || event.formData || event.downloadRequest !== null)
      return;
    if (event.navigationType !== "push" && event.navigationType !== "replace") return;
    if (new URL(url).origin !== location.origin) return;
    if (url === allowed) {
      allowed = undefined;
      return;
    }
    event.preventDefault();
    void hold(url);
  };
  window.navigation.addEventListener("navigate", navigate, over);
  return () => over.abort();
}

/** Whether the server can show pages now. */
export async function isResponding(): Promise<boolean> {
  const isUp = await fetch("/readyz", { cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );
  noteResponse(isUp);
  return isUp;
}
