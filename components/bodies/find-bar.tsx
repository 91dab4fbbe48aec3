"use client";

import type { KeyboardEvent, ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { MATCHES_MAX } from "./match";

interface Props {
  words: string;
  /** The number of matches; null during the search. */
  count: number | null;
  /** The current match, from 0. */
  at: number;
  /** How far the search looked, if it did not cover the whole body. */
  extent?: ReactNode;
  onSearch(words: string): void;
  onStep(by: number): void;
  /** Controls to the right of the field. */
  tools?: ReactNode;
}

/** The search field of a body, with the number of matches. Enter goes to the next one. */
export function FindBar({ words, count, at, extent, onSearch, onStep, tools }: Props) {
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape" && words !== "") {
      event.preventDefault();
      onSearch("");
    } else if (event.key === "Enter") {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    }
  };
  return (
    <div className="sticky top-0 z-1 -mt-1 mb-1 flex flex-wrap items-center justify-between gap-2 bg-canvas py-1">
      <div className="flex flex-wrap items-center gap-1 noscript:hidden print:hidden">
        <input
          type="search"
          aria-label="Find in the body"
          placeholder="Find"
          autoComplete="off"
          spellCheck={false}
          value={words}
          onChange={({ target }) => onSearch(target.value)}
          onKeyDown={keys}
          className="field w-36"
        />
        <p
          role="status"
          aria-label="Matches"
          className="min-w-14 px-1 text-small text-muted tabular-nums"
        >
          {words !== "" && (count === null ? "Searching" : countOf(at, count))}
          {words !== "" && extent}
        </p>
        {count !== null && count > 1 && (
          <>
            <Step name="Previous match" icon="left" onClick={() => onStep(-1)} />
            <Step name="Next match" icon="right" onClick={() => onStep(1)} />
          </>
        )}
      </div>
      {tools && <div className="flex flex-wrap gap-2">{tools}</div>}
    </div>
  );
}

function countOf(at: number, count: number) {
  if (count === 0) return "none";
  return `${at + 1} of ${count}${count === MATCHES_MAX ? " or more" : ""}`;
}

function Step(props: { name: string; icon: "left" | "right"; onClick(): void }) {
  return (
    <button
      type="button"
      aria-label={props.name}
      onClick={props.onClick}
      className="rounded p-1.5 text-muted hover:text-ink"
    >
      <Icon name={props.icon} />
    </button>
  );
}
