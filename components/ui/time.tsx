import { exactTime, relativeTime } from "./relative-time";

/** An instant in Unix seconds, as its distance from now; the exact time shows on hover. */
export function Time({ unix, className }: { unix: number | null; className?: string }) {
  if (unix === null) return <span className={className}>never</span>;
  const exact = exactTime(unix);
  const machine = exact?.replace(" UTC", "Z").replace(" ", "T");
  return (
    // Where it is rendered in the browser too, a second may have passed.
    <time
      dateTime={machine}
      title={exact}
      data-unix={unix}
      className={className}
      suppressHydrationWarning
    >
      {relativeTime(unix, Date.now() / 1000)}
    </time>
  );
}
