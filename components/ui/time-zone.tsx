"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const YEAR_MS = 365 * 86_400_000;

const Zone = createContext("UTC");

/** The IANA name of the time zone in which the page shows times. */
export function useTimeZone(): string {
  return useContext(Zone);
}

interface Props {
  /** The browser's time zone at its last visit; UTC on the first visit, and without scripts. */
  zone: string;
  children: ReactNode;
}

/** Shows times in the browser's time zone, and stores it in a cookie for the server's next page. */
export function TimeZoneProvider({ zone, children }: Props) {
  const [shown, show] = useState(zone);
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    show(own);
    if (own !== zone && "cookieStore" in window) {
      const expires = Date.now() + YEAR_MS;
      cookieStore.set({ name: "timezone", value: own, sameSite: "lax", expires }).catch(() => {});
    }
  }, [zone]);
  return <Zone value={shown}>{children}</Zone>;
}
