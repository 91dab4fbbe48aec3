"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { withQuery } from "@/app/_shared/query";
import { ShowNew } from "@/components/ui/show-new";
import { useEventList } from "./event-list-provider";

interface Props {
  /** The endpoint's address. */
  path: string;
  filters: Record<string, string | undefined>;
}

/** Shows how many events have arrived since the list was read; a click loads them. Rows never jump. */
export function LiveEvents({ path, filters }: Props) {
  const { list, isFirst, isFiltered, isReading, hasFailed, readNewest } = useEventList();
  const router = useRouter();
  const newest = isFirst ? (list.data[0]?.id ?? "wev_0") : undefined;
  const isEmpty = list.data.length === 0 && !list.has_more && !isFiltered;
  return (
    <NewEventCount
      // Restarts the count whenever the list is read again.
      key={newest}
      href={withQuery(`${path}/live`, { ...filters, since: newest })}
      showsItself={isEmpty && !hasFailed}
      isReading={isReading}
      show={() => {
        window.scrollTo({ top: 0 });
        if (isFirst) readNewest();
        else router.push(withQuery(path, filters));
      }}
    />
  );
}

interface NewsProps {
  href: string;
  /** The list is empty, so nothing can jump: the first event appears by itself. */
  showsItself: boolean;
  isReading: boolean;
  show(): void;
}

function NewEventCount({ href, showsItself, isReading, show }: NewsProps) {
  const [state, setState] = useState<"connecting" | "live" | "ended">("connecting");
  const [count, setCount] = useState(0);

  useEffect(() => {
    let source: EventSource | undefined;
    let last: string | undefined;
    const open = () => {
      const from = new URL(href, location.href);
      if (last !== undefined) from.searchParams.set("since", last);
      source = new EventSource(from);
      source.onopen = () => setState("live");
      source.onerror = () => setState(source?.readyState === 2 ? "ended" : "connecting");
      source.onmessage = ({ lastEventId }) => {
        last = lastEventId;
        setCount((before) => before + 1);
      };
    };
    // Browsers limit connections, so a hidden page keeps none open.
    const follow = () => {
      source?.close();
      if (document.visibilityState === "visible") open();
      else setState("connecting");
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      source?.close();
    };
  }, [href]);

  useEffect(() => {
    if (showsItself && count > 0 && !isReading) show();
  });

  return (
    <p role="status" className="ml-auto flex min-h-7 min-w-24 items-center text-small text-muted">
      {count > 0 && !showsItself ? (
        <ShowNew onClick={show} isBusy={isReading}>
          {count} new
        </ShowNew>
      ) : (
        <span className="inline-flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${state === "live" ? "bg-ok" : "bg-line-strong"}`}
          />
          {WORDS[state]}
        </span>
      )}
    </p>
  );
}

const WORDS = {
  connecting: "Connecting",
  live: "Live",
  ended: "Disconnected. Reload the page",
};
