"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { findText, MATCHES_MAX } from "./find-text";

interface Props {
  /** Controls at the right of the field. */
  tools: ReactNode;
  /** The searched content, folded parts included. */
  children: ReactNode;
}

/** Searches within a body: marks all matches, unfolds them, and Enter goes to the next. */
export function FindIn({ tools, children }: Props) {
  const text = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState("");
  const [matches, setMatches] = useState<Range[]>([]);
  const [at, setAt] = useState(0);

  const search = (typed: string) => {
    setWords(typed);
    const found = text.current ? findText(text.current, typed) : [];
    setMatches(found);
    setAt(0);
    show(found, 0);
  };
  const step = (by: number) => {
    if (matches.length === 0) return;
    const next = (at + by + matches.length) % matches.length;
    setAt(next);
    show(matches, next);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Escape" && words !== "") {
      event.preventDefault();
      search("");
    } else if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  };
  useEffect(() => forget, []);

  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <div className="flex items-center gap-1 noscript:hidden">
          <input
            type="search"
            aria-label="Find in the body"
            placeholder="Find"
            autoComplete="off"
            spellCheck={false}
            value={words}
            onChange={({ target }) => search(target.value)}
            onKeyDown={keys}
            className="field w-36"
          />
          <p
            role="status"
            aria-label="Matches"
            className="min-w-14 px-1 text-small text-muted tabular-nums"
          >
            {words !== "" && countOf(at, matches.length)}
          </p>
          {matches.length > 1 && (
            <>
              <Step name="Previous match" icon="left" onClick={() => step(-1)} />
              <Step name="Next match" icon="right" onClick={() => step(1)} />
            </>
          )}
        </div>
        <div className="flex gap-2">{tools}</div>
      </div>
      <div ref={text}>{children}</div>
    </>
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
      className="rounded p-1 text-muted hover:text-ink"
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** Marks matches without changing React's DOM. */
function show(matches: Range[], at: number) {
  const here = matches[at];
  for (const { startContainer } of matches) openFolds(startContainer);
  here?.startContainer.parentElement?.scrollIntoView({ block: "nearest" });
  if (!("highlights" in CSS)) return;
  CSS.highlights.set("found", new Highlight(...matches));
  const current = new Highlight(...(here ? [here] : []));
  current.priority = 1;
  CSS.highlights.set("found-here", current);
}

function openFolds(node: Node) {
  let fold = node.parentElement?.closest("details");
  while (fold) {
    fold.open = true;
    fold = fold.parentElement?.closest("details");
  }
}

function forget() {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete("found");
  CSS.highlights.delete("found-here");
}
