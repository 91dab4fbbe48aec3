import { exactTime, type TimeFormat, timeFormats } from "./relative-time";

interface Props {
  unix: number | null;
  className?: string;
  /** Distance ("3 min ago"), countdown ("in 2 h 5 min"), due time or time left. */
  format?: TimeFormat;
}

/** A time in Unix seconds as text that keeps up to date; the exact time shows on hover. */
export function Time({ unix, className, format = "distance" }: Props) {
  if (unix === null) return <span className={className}>never</span>;
  const exact = exactTime(unix);
  return (
    // A second may pass between the server's render and the browser's.
    <time
      dateTime={exact?.replace(" UTC", "Z").replace(" ", "T")}
      title={exact}
      data-unix={unix}
      data-format={format}
      className={className}
      suppressHydrationWarning
    >
      {timeFormats[format](unix, Date.now() / 1000)}
    </time>
  );
}
