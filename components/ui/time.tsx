import { exactTime, type TimeWords, timeWords } from "./relative-time";

interface Props {
  unix: number | null;
  className?: string;
  /** What is said of the instant: its distance, exactly what is to come, or how long is left. */
  words?: TimeWords;
}

/** An instant in Unix seconds, in words that stay right; the exact time shows on hover. */
export function Time({ unix, className, words = "distance" }: Props) {
  if (unix === null) return <span className={className}>never</span>;
  const exact = exactTime(unix);
  return (
    // Where it is rendered in the browser too, a second may have passed.
    <time
      dateTime={exact?.replace(" UTC", "Z").replace(" ", "T")}
      title={exact}
      data-unix={unix}
      data-words={words}
      className={className}
      suppressHydrationWarning
    >
      {timeWords[words](unix, Date.now() / 1000)}
    </time>
  );
}
