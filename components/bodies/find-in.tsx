"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "@/components/ui/link";
import { sayNoResponse } from "@/components/ui/toast";
import { FindBar } from "./find-bar";
import { forgetMatches, markMatches } from "./highlights";
import { reveal } from "./reveal";

interface Props {
  /** The view that can search the whole body, if the children are only part of it. */
  wholeHref?: string;
  /** The searched content, including folded parts. */
  children: ReactNode;
}

/** Searches a body: highlights all matches, unfolds them, and goes to the next one on Enter. */
export function FindIn({ wholeHref, children }: Props) {
  const text = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState("");
  const [matches, setMatches] = useState<Range[]>([]);
  const [at, setAt] = useState(0);

  const search = async (typed: string) => {
    setWords(typed);
    const loaded = await import("./find-text").catch(sayNoResponse);
    if (!loaded) return;
    const found = text.current ? loaded.findText(text.current, typed) : [];
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
  useEffect(() => forgetMatches, []);

  return (
    <>
      <FindBar
        words={words}
        count={matches.length}
        at={at}
        extent={
          wholeHref && (
            <>
              {" "}
              in the part shown.{" "}
              <Link href={wholeHref} scroll={false} className="link">
                Search all of it
              </Link>
            </>
          )
        }
        onSearch={search}
        onStep={step}
      />
      <div ref={text}>{children}</div>
    </>
  );
}

function show(matches: Range[], at: number) {
  const here = matches[at];
  for (const { startContainer } of matches) openFolds(startContainer);
  reveal(here, here?.startContainer.parentElement ?? null);
  markMatches(matches, here ? [here] : []);
}

function openFolds(node: Node) {
  let fold = node.parentElement?.closest("details");
  while (fold) {
    fold.open = true;
    fold = fold.parentElement?.closest("details");
  }
}
