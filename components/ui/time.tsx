"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { setCookie } from "./cookie";
import { exactTime, shortTime, type TimeFormat, timeFormats, utcTime } from "./relative-time";

const Zone = createContext("UTC");

/** The IANA name of the time zone in which the page shows times. */
export function useTimeZone(): string {
  return useContext(Zone);
}

interface ProviderProps {
  /** The browser's time zone at its last visit; UTC on the first visit, and without scripts. */
  zone: string;
  children: ReactNode;
}

/** Shows times in the browser's time zone, and stores it in a cookie for the server's next page. */
export function TimeZoneProvider({ zone, children }: ProviderProps) {
  const [shown, show] = useState(zone);
  useEffect(() => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    show(own);
    if (own !== zone) setCookie("timezone", own);
  }, [zone]);
  return <Zone value={shown}>{children}</Zone>;
}

interface Props {
  unix: number | null;
  className?: string;
  /** Distance ("3 min ago"), countdown ("in 2 h 5 min"), due time or time left. */
  format?: TimeFormat;
}

/**
 * A time in Unix seconds, as text that stays up to date. Facts also show the exact time in the browser's
 * time zone; on hover, it has the date, and the time in UTC.
 */
export function Time({ unix, className, format = "distance" }: Props) {
  const zone = useTimeZone();
  if (unix === null) return <span className={className}>never</span>;
  const now = Date.now() / 1000;
  return (
    // A second may pass between the server's render and the browser's.
    <time
      dateTime={isoTime(unix)}
      title={exactTime(unix, zone)}
      data-unix={unix}
      data-format={format}
      // The style sheet shows it before the text.
      data-exact={format === "left" ? undefined : shortTime(unix, zone, now)}
      className={className}
      suppressHydrationWarning
    >
      {timeFormats[format](unix, now)}
    </time>
  );
}

function isoTime(unix: number): string | undefined {
  return utcTime(unix)?.replace(" UTC", "Z").replace(" ", "T");
}
