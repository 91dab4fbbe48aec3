"use client";

import { createContext, type ReactNode, useContext } from "react";
import { duration, type TimeFormat } from "./relative-time";
import { State, type Tone } from "./state";
import { Time } from "./time";

const Start = createContext<number | undefined>(undefined);

interface Props {
  /** The Unix seconds of the first step, from which the others count. */
  since?: number | undefined;
  children: ReactNode;
}

/** Steps in chronological order, along a line. */
export function Steps({ since, children }: Props) {
  return (
    <Start value={since}>
      <ol className="ml-1 border-l border-line">{children}</ol>
    </Start>
  );
}

interface StepProps {
  tone: Tone;
  word: ReactNode;
  /** Unix seconds. */
  at: number | null;
  words?: TimeFormat;
  children?: ReactNode;
}

/** One of `Steps`: how long after the first one, and its time, if known. */
export function Step({ tone, word, at, words, children }: StepProps) {
  const since = useContext(Start);
  const isCounted = since !== undefined && at !== null && at > since && words === undefined;
  return (
    <li className="relative pb-3 pl-5 last:pb-0">
      <span className="absolute -left-1 bg-canvas [&>span]:gap-0 [&>span]:text-[0px]">
        <State word="" tone={tone} />
      </span>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 wrap-anywhere">{word}</span>
        <span className="ml-auto flex items-baseline gap-x-3 text-small text-muted tabular-nums">
          {isCounted && <span className="text-ink">after {duration(at - since)}</span>}
          {at !== null && <Time unix={at} format={words} />}
        </span>
      </p>
      {children}
    </li>
  );
}
