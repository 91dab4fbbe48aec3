"use client";

import { useEffect, useState } from "react";
import { useConnection } from "./connection";
import { holdNavigation, isResponding } from "./hold-navigation";
import { retryFetches } from "./retry-fetches";
import { announce } from "./toast";

/** A page that arrives sooner needs no progress bar. */
const QUICK_MS = 250;
/** How often a page without a connection checks whether it is back. */
const CHECK_MS = 3000;
const BAR = "fixed inset-x-0 top-0 z-50 h-0.5 animate-pulse bg-accent motion-reduce:animate-none";

/** Keeps the page until the next one has arrived, and says so if there is no connection. */
export function NavigationState() {
  const [pending, setPending] = useState(0);
  const [isSlow, setSlow] = useState(false);
  const connection = useConnection();

  useEffect(() => {
    const begun = () => {
      // Deferred: inside the router's own transition it would appear only when that ends.
      setTimeout(() => setPending((count) => count + 1));
      return () => void setTimeout(() => setPending((count) => count - 1));
    };
    const restore = [retryFetches(begun), holdNavigation(begun)];
    return () => {
      for (const end of restore) end();
    };
  }, []);

  const isPending = pending > 0;
  useEffect(() => {
    if (!isPending) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), QUICK_MS);
    return () => clearTimeout(timer);
  }, [isPending]);

  const words = connection === "offline" ? "You are offline." : "The server is not responding.";
  const isLost = connection === "offline" || connection === "down";
  useEffect(() => {
    if (!isLost) return;
    announce(words);
    const timer = setInterval(isResponding, CHECK_MS);
    return () => clearInterval(timer);
  }, [isLost, words]);

  return (
    <>
      {isSlow && <div aria-hidden="true" className={BAR} />}
      <p
        aria-hidden="true"
        className="pointer-events-none fixed inset-x-0 bottom-20 z-40 flex justify-center px-4 sm:bottom-4"
      >
        {isLost && (
          <span className="rounded-md border border-line-strong bg-canvas px-3 py-1.5 text-small shadow-sm">
            <span aria-hidden="true" className="mr-2 inline-block size-2 rounded-full bg-failed" />
            {words}{" "}
            {isPending ? "The page will open once it is back." : "Showing the last version."}
          </span>
        )}
      </p>
    </>
  );
}
