"use client";

import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { withQuery } from "@/app/_shared/query";
import { useLiveList } from "@/components/ui/live-list";
import { LiveSwitch } from "@/components/ui/live-switch";
import { ShowNew } from "@/components/ui/show-new";
import { hasTypedInput } from "@/components/ui/typed-input";
import { usePoll } from "@/components/ui/use-poll";
import { useTitleCount } from "@/components/ui/use-title-count";
import type { EventLine, EventLines } from "@/lib/resources/webhooks/events/lines";
import { useEventList } from "./event-list-provider";

interface Props {
  endpointId: string;
  path: string;
  filters: Record<string, string | undefined>;
}

/** What one response can hold. */
const LINES_MAX = 500;

/** Events captured since the list was read. */
interface Waiting {
  /** The last event that the list covers. */
  after: string;
  lines: EventLine[];
  total: number | undefined;
  /** More than one response can hold, so that no more are kept and the list must be read again. */
  isMany: boolean;
  /** The next read continues after this event. */
  since: string;
}

const NONE: EventLine[] = [];

/** Adds new events at the top of the list or, while the person reads, counts them in a button. */
export function LiveEvents({ endpointId, path, filters }: Props) {
  const { list, isFirst, isFiltered, isReading, add, readNewest } = useEventList();
  const { isHeld, isPaused } = useLiveList();
  const router = useRouter();
  const after = list.newest;
  const none = { after, lines: NONE, total: undefined, isMany: false, since: after };
  const [known, setKnown] = useState<Waiting>(none);
  const waiting = known.after === after ? known : none;
  const href = withQuery(`${path}/rows`, {
    ...filters,
    since: waiting.since,
    include: "total_count",
  });

  usePoll(
    // On a later page nothing can appear.
    isPaused || !isFirst ? undefined : href,
    (text) => {
      if (text === null) {
        // The sign-in page or "Not found" would replace the input.
        if (!hasTypedInput()) router.refresh();
        return;
      }
      const { data, has_more, total_count, newest }: EventLines = JSON.parse(text);
      if (newest <= waiting.since) return;
      setKnown({
        after,
        lines: waiting.isMany ? waiting.lines : [...data, ...waiting.lines],
        total: isFiltered ? undefined : total_count,
        isMany: waiting.isMany || has_more || data.length + waiting.lines.length > LINES_MAX,
        since: newest,
      });
    },
    endpointId,
  );

  const { lines, isMany, total } = waiting;
  const show = () => (isMany ? readNewest() : add(lines, waiting.since, total));
  const isWaiting = lines.length > 0;
  useEffect(() => {
    if (isWaiting && !isHeld && !isReading) show();
  });
  const ids = useMemo(() => [...lines, ...list.data].map(({ id }) => id), [lines, list.data]);
  useTitleCount(ids, isWaiting);

  return (
    <div className="flex min-h-7 items-center gap-2 text-small text-muted">
      <p role="status">
        {isWaiting && isHeld && (
          <ShowNew
            onClick={() => {
              window.scrollTo({ top: 0 });
              show();
            }}
            isBusy={isReading}
          >
            {`${lines.length}${isMany ? "+" : ""} new`}
          </ShowNew>
        )}
      </p>
      <LiveSwitch />
    </div>
  );
}
