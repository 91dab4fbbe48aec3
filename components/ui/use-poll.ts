import { getDeploymentId } from "next/dist/shared/lib/deployment-id";
import { useEffect, useEffectEvent } from "react";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5000;
const GROWTH = 1.25;
/** Pauses are at least this many times as long as the last poll, so polling takes at most a sixth of the time. */
const PAUSE_FACTOR = 5;

/**
 * Polls `href` while the tab is visible, and at once when it becomes visible again; undefined pauses.
 * `receive` gets each answer's text, or null as the last one: signed out, or not found.
 */
export function usePoll(href: string | undefined, receive: (text: string | null) => void): void {
  const onAnswer = useEffectEvent(receive);
  useEffect(() => {
    if (href === undefined) return;
    const over = new AbortController();
    const { signal } = over;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = FIRST_PAUSE_MS;
    const poll = async () => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") return;
      const began = performance.now();
      const answer = await read(href, signal);
      if (signal.aborted) return;
      if (answer !== undefined) onAnswer(answer);
      if (answer === null) return over.abort();
      pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS);
      clearTimeout(timer);
      timer = setTimeout(poll, Math.max(pause, (performance.now() - began) * PAUSE_FACTOR));
    };
    timer = setTimeout(poll, pause);
    document.addEventListener("visibilitychange", poll, { signal });
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [href]);
}

let answeringVersion: string | null = null;

/** Whether the last poll was answered by a version other than the page's. */
export function hasOtherVersion(): boolean {
  return answeringVersion !== null && answeringVersion !== getDeploymentId();
}

/** undefined: the request failed, and the next poll asks again. */
async function read(href: string, signal: AbortSignal): Promise<string | null | undefined> {
  try {
    const answer = await fetch(href, { signal });
    answeringVersion = answer.headers.get("Deployment-Id");
    if (answer.status === 401 || answer.status === 404) return null;
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
