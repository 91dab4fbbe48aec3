"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { PageHeader } from "@/components/ui/page-header";
import { pollInterval } from "@/components/ui/poll-interval";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Pulse } from "@/lib/overview/pulse";
import { Figures } from "./figures";

const PAUSE_MS = 5000;

/**
 * The top of the overview, whose numbers change in place while the tab is visible. The lists below
 * stay as they are: what is new in them waits behind a button.
 */
export function LiveFigures({ shown, address }: { shown: Pulse; address: string }) {
  const [pulse, setPulse] = useState(shown);
  const router = useRouter();
  useEffect(() => followPulse(address, setPulse), [address]);
  return (
    <>
      <PageHeader
        title="Overview"
        count={<LastDispatch {...pulse.dispatch} />}
        action={
          pulse.mark !== shown.mark && (
            <button
              type="button"
              onClick={() => router.refresh()}
              className="button max-sm:fixed max-sm:inset-x-0 max-sm:bottom-20 max-sm:z-10 max-sm:mx-auto max-sm:w-max"
            >
              <Icon name="refresh" />
              Show what is new
            </button>
          )
        }
      />
      <Figures figures={pulse.figures} inboxes={pulse.inboxes} />
    </>
  );
}

function LastDispatch({ last, isLate }: Pulse["dispatch"]) {
  return (
    <span className="flex items-baseline gap-1.5">
      <State
        word={isLate ? "Late:" : ""}
        tone={isLate ? "failed" : last === null ? "quiet" : "ok"}
      />
      {last === null ? (
        "Never dispatched"
      ) : (
        <span>
          Last dispatch <Time unix={last} />
        </span>
      )}
    </span>
  );
}

/** Polls while the tab is visible. Returns the function that stops it. */
function followPulse(address: string, tell: (pulse: Pulse) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") return;
    const began = performance.now();
    const answer = await fetch(address, { signal }).catch(() => undefined);
    if (signal.aborted || answer?.status === 401) return;
    const pulse: Pulse | undefined = answer?.ok ? await answer.json().catch(() => {}) : undefined;
    if (signal.aborted) return;
    if (pulse) tell(pulse);
    clearTimeout(timer);
    timer = setTimeout(ask, pollInterval(performance.now() - began, PAUSE_MS));
  };
  timer = setTimeout(ask, PAUSE_MS);
  document.addEventListener("visibilitychange", ask, { signal });
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}
