"use client";

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { sayNoResponse } from "@/components/ui/toast";
import { useColours } from "./coloured-text";
import type { Language } from "./colours";
import { FindBar } from "./find-bar";
import { forgetMatches, markMatches, rangeIn } from "./highlights";
import type { Match } from "./match";
import { reveal } from "./reveal";
import { download, type Origin, type Source, textSource } from "./source";

interface Props {
  label: string;
  /** The text of the first part, which also appears without scripts. */
  first: string;
  /** The length of a part, and of the whole body, in characters, or in bytes for hexadecimal. */
  partLength: number;
  length: number;
  /** Where the whole body is. It is loaded on the first search or page turn. */
  origin: Origin;
  language?: Language | undefined;
  /** Controls to the right of the field. */
  tools?: ReactNode;
}

const NO_MATCHES: Match[] = [];

/** A body as text or as bytes, one part at a time. A search covers all of it. */
export function PartView(props: Props) {
  const { label, first, partLength, length, origin, language, tools } = props;
  const pre = useRef<HTMLPreElement>(null);
  const [source, setSource] = useState<Source>();
  const [hasFailed, setFailed] = useState(false);
  const [start, setStart] = useState(0);
  const [words, setWords] = useState("");
  const [matches, setMatches] = useState<Match[] | null>(NO_MATCHES);
  const [at, setAt] = useState(0);
  const running = useRef<AbortController>(null);
  const loading = useRef<Promise<Source | undefined>>(null);

  const load = async () => {
    if (source) return source;
    if (origin.charset !== null && length <= partLength) return textSource(first);
    loading.current ??= download(origin);
    const loaded = await loading.current;
    loading.current = null;
    setFailed(loaded === undefined);
    if (loaded) setSource(loaded);
    return loaded;
  };
  const showMatch = (found: Match[], index: number) => {
    setAt(index);
    const match = found[index];
    if (match) setStart(Math.floor(match.start / partLength) * partLength);
  };
  const search = async (typed: string) => {
    setWords(typed);
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    setMatches(typed === "" ? NO_MATCHES : null);
    if (typed === "") return;
    const loaded = await load();
    // Without the rest, the first part can be searched if it is text.
    const searched = loaded ?? (origin.charset === null ? undefined : textSource(first));
    const found = (await searched?.find(typed, run.signal).catch(sayNoResponse)) ?? NO_MATCHES;
    if (run.signal.aborted) return;
    setMatches(found);
    showMatch(found, 0);
  };
  const step = (by: number) => {
    if (!matches || matches.length === 0) return;
    showMatch(matches, (at + by + matches.length) % matches.length);
  };
  const page = async (to: number) => {
    if (!(await load())) return;
    setStart(to);
    pre.current?.parentElement?.scrollIntoView({ block: "start" });
  };

  const end = Math.min(start + partLength, source?.length ?? length);
  const shown = source ? source.show(start, end) : first;

  // HTML turns every line break into LF, so a position would be off by the number of lines.
  useLayoutEffect(() => {
    const node = pre.current?.firstChild;
    if (node instanceof Text && node.data !== shown) node.data = shown;
  }, [shown]);

  useEffect(() => {
    const node = pre.current?.firstChild;
    if (!node || !matches || matches.length === 0) return forgetMatches();
    const rangesOf = (match: Match) => {
      if (match.end <= start || match.start >= end) return [];
      const places = (source ?? textSource(shown)).rangesOf(match, start);
      return places.map(([from, to]) => rangeIn(node, Math.max(0, from), to));
    };
    const current = matches[at];
    const here = current ? rangesOf(current) : [];
    markMatches(matches.flatMap(rangesOf), here);
    reveal(here[0], pre.current);
    return forgetMatches;
  }, [matches, at, source, start, end, shown]);

  useColours(pre, shown, language);

  return (
    <>
      <FindBar
        words={words}
        count={matches?.length ?? null}
        at={at}
        extent={hasFailed && " in the part shown: the rest could not be loaded"}
        onSearch={search}
        onStep={step}
        tools={tools}
      />
      <section
        aria-label={label}
        // Lines of bytes are columns.
        data-wrap={origin.charset === null ? "off" : undefined}
        className="scroll-mt-12 rounded-md border border-line bg-surface px-3 py-2"
      >
        <pre ref={pre} className="code-text">
          {shown}
        </pre>
      </section>
      {length > partLength && (
        <Paging
          start={start}
          end={end}
          length={source?.length ?? length}
          unit={origin.charset === null ? "Bytes" : "Characters"}
          onPage={(by) => page(start + by * partLength)}
          hasFailed={hasFailed}
        />
      )}
    </>
  );
}

interface PagingProps {
  start: number;
  end: number;
  length: number;
  unit: string;
  hasFailed: boolean;
  onPage(by: number): void;
}

function Paging({ start, end, length, unit, hasFailed, onPage }: PagingProps) {
  const number = (value: number) => value.toLocaleString("en");
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 text-small text-muted">
      <p role="status" aria-label="Part" className="tabular-nums">
        {unit} {number(start + 1)} to {number(end)} of {number(length)}
      </p>
      <button
        type="button"
        onClick={() => start > 0 && onPage(-1)}
        aria-disabled={start === 0}
        className="button noscript:hidden"
      >
        Previous part
      </button>
      <button
        type="button"
        onClick={() => end < length && onPage(1)}
        aria-disabled={end >= length}
        className="button noscript:hidden"
      >
        Next part
      </button>
      {hasFailed && (
        <p role="alert" className="text-failed">
          ! Could not load the rest. Try again.
        </p>
      )}
    </div>
  );
}
