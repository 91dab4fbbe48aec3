import type { ReactNode } from "react";
import type { TimeFormat } from "./relative-time";
import { State, type Tone } from "./state";
import { Time } from "./time";

/** Steps in chronological order, along a line. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className="ml-1 border-l border-line">{children}</ol>;
}

interface StepProps {
  tone: Tone;
  word: ReactNode;
  /** Unix seconds. */
  at: number | null;
  words?: TimeFormat;
  children?: ReactNode;
}

/** One of `Steps`, with its time if known. */
export function Step({ tone, word, at, words, children }: StepProps) {
  return (
    <li className="relative pb-3 pl-5 last:pb-0">
      <span className="absolute -left-1 bg-canvas [&>span]:gap-0 [&>span]:text-[0px]">
        <State word="" tone={tone} />
      </span>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 wrap-anywhere">{word}</span>
        {at !== null && (
          <span className="text-small text-muted tabular-nums">
            <Time unix={at} format={words} />
          </span>
        )}
      </p>
      {children}
    </li>
  );
}
