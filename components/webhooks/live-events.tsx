"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";

interface Props {
  /** Where the events are told; it says which the list shows already. */
  href: string;
  /** Nothing is shown yet, so nothing can jump: the first event appears by itself. */
  isEmpty: boolean;
  /** The list's first page, when another is shown. */
  listHref: string | undefined;
}

/** Says how many events came since the list was read; a click shows them. Rows never jump. */
export function LiveEvents({ href, isEmpty, listHref }: Props) {
  const [state, setState] = useState<"connecting" | "live" | "ended">("connecting");
  const [count, setCount] = useState(0);
  const [showing, startShowing] = useTransition();
  const router = useRouter();
  const show = () =>
    startShowing(() => {
      if (listHref === undefined) router.refresh();
      else router.push(listHref);
    });

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
    // A browser has few connections: a page that nobody sees keeps none.
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
    if (isEmpty && count > 0) router.refresh();
  }, [isEmpty, count, router]);

  return (
    <p role="status" className="ml-auto flex min-h-7 items-center text-small text-muted">
      {count > 0 && !isEmpty ? (
        <button
          type="button"
          onClick={show}
          aria-disabled={showing}
          className="rounded-full bg-accent px-3 leading-7 font-medium text-accent-ink tabular-nums"
        >
          {count} new
        </button>
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
  ended: "Not live. Reload the page",
};
