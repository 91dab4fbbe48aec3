import { countdown, exactTime, relativeTime } from "./relative-time";

interface Props {
  unix: number | null;
  className?: string;
  /** What is to come is told more exactly. */
  counting?: boolean;
}

/** An instant in Unix seconds, as its distance from now; the exact time shows on hover. */
export function Time({ unix, className, counting = false }: Props) {
  if (unix === null) return <span className={className}>never</span>;
  const exact = exactTime(unix);
  const machine = exact?.replace(" UTC", "Z").replace(" ", "T");
  return (
    // Where it is rendered in the browser too, a second may have passed.
    <time
      dateTime={machine}
      title={exact}
      data-unix={unix}
      data-counting={counting || undefined}
      className={className}
      suppressHydrationWarning
    >
      {(counting ? countdown : relativeTime)(unix, Date.now() / 1000)}
    </time>
  );
}
