import { exactTime, relativeTime, timeLeft } from "./relative-time";

/** An instant in Unix seconds, as its distance from now; the exact time shows on hover. */
export function Time({ unix, className }: { unix: number | null; className?: string }) {
  if (unix === null) return <span className={className}>never</span>;
  const exact = exactTime(unix);
  return (
    // Where it is rendered in the browser too, a second may have passed.
    <time
      dateTime={machineTime(exact)}
      title={exact}
      data-unix={unix}
      className={className}
      suppressHydrationWarning
    >
      {relativeTime(unix, Date.now() / 1000)}
    </time>
  );
}

/** How long something still lasts that ends at `unix`; it counts in place. */
export function TimeLeft({ unix }: { unix: number }) {
  const exact = exactTime(unix);
  return (
    <time dateTime={machineTime(exact)} title={exact} data-until={unix} className="tabular-nums">
      {timeLeft(unix, Date.now() / 1000)}
    </time>
  );
}

function machineTime(exact: string | undefined): string | undefined {
  return exact?.replace(" UTC", "Z").replace(" ", "T");
}
