"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { pollInterval } from "./poll-interval";

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 10_000;
/** Browser timers overflow after 24 days. */
const SLEEP_MS_MAX = 3_600_000;

/** Dispatched before the page refreshes by itself. */
export const BACKGROUND_REFRESH = "background-refresh";

interface Props {
  /** Answers with one line that changes with the data. */
  href: string;
  /** That line for the data on the page. */
  shown: string;
  /** No change is possible before this time, Unix seconds. */
  from?: number;
}

/** Refreshes the page when its data has changed. Does not poll while the tab is hidden. */
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

/** A 404 counts as a change; after a network error the next poll asks again. */
async function hasChanged(href: string, shown: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(href, { signal });
    return answer.status === 404 || (answer.ok && (await answer.text()) !== shown);
  } catch {
    return false;
  }
}
