"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useState, useTransition } from "react";
import { usePoll } from "./use-poll";

interface Props {
  /** Answers with one line that changes with the page's data; undefined: do not refresh. */
  href: string | undefined;
  /** That line for the data on the page. */
  shown: string;
  children: ReactNode;
}

/** How often the page has refreshed by itself. */
export const BackgroundRefreshes = createContext(0);

/** Refreshes the page when its data has changed. */
export function AutoRefresh({ href, shown, children }: Props) {
  const router = useRouter();
  const outer = useContext(BackgroundRefreshes);
  const [count, setCount] = useState(0);
  const [isRefreshing, startRefresh] = useTransition();
  usePoll(href, (text) => {
    if (text === shown || isRefreshing) return;
    setCount(count + 1);
    startRefresh(() => router.refresh());
  });
  return <BackgroundRefreshes value={outer + count}>{children}</BackgroundRefreshes>;
}
