import { useEffect, useState } from "react";
import { listen } from "@/components/ui/signals";
import { readLive } from "@/components/ui/use-poll";

/** How many questions wait: as the page was sent, and then after each change of a question. */
export function useWaiting(sent: number): number {
  const [count, setCount] = useState(sent);
  useEffect(() => setCount(sent), [sent]);
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const stop = listen("questions", async () => {
      const text = await readLive("/questions/waiting", signal);
      if (/^\d+$/.test(text ?? "")) setCount(Number(text));
    });
    signal.addEventListener("abort", stop);
    return () => over.abort();
  }, []);
  return count;
}

/** The number beside a link of the navigation, if anything waits. */
export function WaitingCount({ count, className = "" }: { count: number; className?: string }) {
  if (count === 0) return null;
  const shown = count > 99 ? "99+" : String(count);
  return (
    <span
      className={`rounded-full bg-ink px-1.5 text-small leading-4 font-medium text-canvas tabular-nums ${className}`}
    >
      {shown}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
