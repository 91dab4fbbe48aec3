"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { pollInterval } from "./poll-interval";

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 10_000;
/** Timers of a browser count no further than 24 days. */
const SLEEP_MS_MAX = 3_600_000;

/** Is heard before the page is read anew though nobody asked for it. */
export const BACKGROUND_REFRESH = "background-refresh";

interface Props {
  /** Tells in one line how it is now. */
  href: string;
  /** The same line for what the page shows. */
  shown: string;
  /** From when on it may be otherwise, Unix seconds. */
  from?: number;
}

/** Reads the page anew when what it shows has changed; a page that nobody sees asks nothing. */
export function AutoRefresh({ href, shown, from = 0 }: Props) {
  const router = useRouter();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let pause = FIRST_PAUSE_MS;
    const over = new AbortController();
    const look = async () => {
      const early = from * 1000 - Date.now();
      if (early <= 0 && document.visibilityState === "visible") {
        const began = performance.now();
        if (await hasChanged(href, shown, over.signal)) {
          document.dispatchEvent(new Event(BACKGROUND_REFRESH));
          router.refresh();
        }
        const took = performance.now() - began;
        pause = pollInterval(took, Math.min(pause * 1.25, LONGEST_PAUSE_MS));
      }
      if (over.signal.aborted) return;
      timer = setTimeout(look, Math.min(Math.max(early, pause), SLEEP_MS_MAX));
    };
    timer = setTimeout(look, FIRST_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [href, shown, from, router]);

  return null;
}

/** Gone is changed, too; what could not be asked is asked again. */
async function hasChanged(href: string, shown: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(href, { signal });
    return answer.status === 404 || (answer.ok && (await answer.text()) !== shown);
  } catch {
    return false;
  }
}
