"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { PageHeader } from "@/components/ui/page-header";
import { ShowNew } from "@/components/ui/show-new";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { usePoll } from "@/components/ui/use-poll";
import type { LiveOverview } from "@/lib/resources/overview/live-overview";
import { Figures } from "./figures";

interface Props {
  shown: LiveOverview;
  /** What stands above the figures. */
  children: ReactNode;
}

/** The top of the overview: figures change in place, and the lists behind a button. */
export function LiveFigures({ shown, children }: Props) {
  const [overview, setOverview] = useState(shown);
  const router = useRouter();
  usePoll("/dashboard/live", (text) => {
    if (text === null) router.refresh();
    else setOverview(JSON.parse(text));
  });
  return (
    <>
      <PageHeader
        title="Overview"
        count={<LastDispatch {...overview.dispatch} />}
        action={
          overview.version !== shown.version && (
            <ShowNew onClick={() => router.refresh()}>Show what is new</ShowNew>
          )
        }
      />
      {children}
      <Figures figures={overview.figures} inboxes={overview.inboxes} />
    </>
  );
}

function LastDispatch({ last, isLate }: LiveOverview["dispatch"]) {
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
