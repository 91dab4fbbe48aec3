"use client";

import { useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useTransition,
} from "react";
import { joinSignals } from "./signals";
import { hasTypedInput } from "./typed-input";
import { hasOtherVersion, usePoll } from "./use-poll";

/** A submitted form refreshes the page itself; its rows arrive within this time. */
const GRACE_MS = 500;

interface Props {
  /** Returns a line that changes with the page's data; undefined to stop refreshing. */
  href: string | undefined;
  /** That line for the data shown on the page. */
  shown: string;
  /** The topic that signals a change of the data: see `listen`. */
  topic?: string | undefined;
  /** The page has no place for what was typed once its data has changed. */
  keepsInput?: boolean;
  children: ReactNode;
}

/** How often the page has refreshed automatically. */
export const BackgroundRefreshes = createContext(0);

/** Refreshes the page when its data has changed. */
export function AutoRefresh(props: Props) {
  const { href, shown, topic, keepsInput = false, children } = props;
  const router = useRouter();
  const outer = useContext(BackgroundRefreshes);
  const [count, setCount] = useState(0);
  const [isRefreshing, startRefresh] = useTransition();
  const refresh = useEffectEvent((text: string | null) => {
    if (text === shown) return;
    const isBusy = document.querySelector("form[aria-busy=true], [data-dragged]") !== null;
    if (isBusy || isRefreshing) return setTimeout(refresh, GRACE_MS, text);
    // Signing in, "Not found" or a full reload would replace the input.
    if ((keepsInput || text === null || hasOtherVersion()) && hasTypedInput()) return;
    setCount(count + 1);
    startRefresh(() => router.refresh());
  });
  usePoll(
    href,
    (text) => {
      if (text !== shown) setTimeout(refresh, GRACE_MS, text);
    },
    topic,
  );
  return <BackgroundRefreshes value={outer + count}>{children}</BackgroundRefreshes>;
}

/** Joins the page to the stream shared by all tabs that show this view. */
export function LiveView({ view }: { view: string }) {
  useEffect(() => {
    let leave = joinSignals(view);
    const over = new AbortController();
    // A page in the back-forward cache must not hold a lock.
    const hide = () => leave();
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) leave = joinSignals(view);
    };
    window.addEventListener("pagehide", hide, over);
    window.addEventListener("pageshow", show, over);
    return () => {
      over.abort();
      leave();
    };
  }, [view]);
  return null;
}
