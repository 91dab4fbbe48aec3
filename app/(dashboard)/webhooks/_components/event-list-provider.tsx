"use client";

import { createContext, type ReactNode, useContext, useState, useTransition } from "react";
import { countOf, PAGE_SIZE } from "@/app/(dashboard)/_shared/listing";
import type { EventLine, EventLines } from "@/lib/resources/webhooks/events/lines";
import type { Forwarded } from "@/lib/resources/webhooks/forward/state";

/** A search scans up to 16 MB of bodies. After so many in a row, the user must ask for more. */
const AUTOMATIC_SEARCHES_MAX = 4;

interface EventListState {
  list: EventLines;
  /** The list starts with the newest event, so its total is its length. */
  isFirst: boolean;
  isFiltered: boolean;
  isReading: boolean;
  /** The last read failed. */
  hasFailed: boolean;
  /** Automatic searches found too little, so the user decides whether to continue. */
  isSearchPaused: boolean;
  /** Adds the rows after the last one. */
  readMore(): void;
  continueSearch(): void;
  /** Starts over from the newest event. */
  readNewest(): void;
  /** Replaces where the listed events went, by ID. */
  setForwarded(forwarded: Record<string, Forwarded>): void;
  /** Puts all events up to `newest` before the listed ones. */
  add(lines: EventLine[], newest: string, total: number | undefined): void;
}

interface Props {
  /** The rows that the server rendered. */
  first: EventLines;
  /** The URL for more rows. */
  rowsHref: string;
  /** How many events the endpoint keeps. */
  eventsMax: number;
  isFirst: boolean;
  isFiltered: boolean;
  children: ReactNode;
}

const Context = createContext<EventListState | null>(null);

/** Holds the events of a page's list, including those loaded after the first page. */
export function EventListProvider(props: Props) {
  const { first, rowsHref, eventsMax, isFirst, isFiltered, children } = props;
  const [known, setKnown] = useState(() => knownFrom(first));
  const [isReading, startReading] = useTransition();
  // The page was refreshed, for example after a deletion, and loaded rows may be gone.
  if (known.first !== first) setKnown(knownFrom(first));

  const { list, hasFailed, emptyReads } = known;
  const read = (query: Record<string, string>, emptyReadsBefore: number) =>
    startReading(async () => {
      const next = await readRows(rowsHref, query);
      setKnown((now) => {
        if (now.first !== first) return now;
        if (!next) return { ...now, hasFailed: true };
        if (query.after === undefined) return { ...knownFrom(first), list: next };
        // The list was reset during this read.
        if (now.list.next_cursor !== query.after) return now;
        const foundLittle = next.data.length < PAGE_SIZE;
        return {
          first,
          list: append(now.list, next),
          hasFailed: false,
          emptyReads: foundLittle ? emptyReadsBefore + 1 : 0,
        };
      });
    });
  const readNewest = () => read({ include: "total_count" }, 0);
  const readNext = (emptyReadsBefore: number) =>
    list.next_cursor ? read({ after: list.next_cursor }, emptyReadsBefore) : readNewest();
  const listed: EventListState = {
    list,
    isFirst,
    isFiltered,
    isReading,
    hasFailed,
    isSearchPaused: list.searched !== undefined && emptyReads >= AUTOMATIC_SEARCHES_MAX,
    readMore: () => readNext(emptyReads),
    continueSearch: () => readNext(0),
    readNewest,
    setForwarded: (forwarded) =>
      setKnown((now) => ({
        ...now,
        list: {
          ...now.list,
          data: now.list.data.map((line) =>
            forwarded[line.id] ? { ...line, ...forwarded[line.id] } : line,
          ),
        },
      })),
    add: (lines, newest, total) =>
      setKnown((now) => ({
        ...now,
        list: {
          ...now.list,
          newest,
          // A full endpoint drops its oldest event for each new one.
          data: [...lines, ...now.list.data].slice(0, eventsMax),
          ...(now.list.total_count !== undefined && {
            total_count: total ?? now.list.total_count + lines.length,
          }),
        },
      })),
  };
  return <Context value={listed}>{children}</Context>;
}

export function useEventList(): EventListState {
  const listed = useContext(Context);
  if (!listed) throw new Error("useEventList must be used within EventListProvider.");
  return listed;
}

/** For example "50 of 233". */
export function EventCount() {
  return countOf(useEventList().list);
}

/** The state after a page load. `emptyReads` counts successive reads that found little. */
function knownFrom(first: EventLines) {
  return { first, list: first, hasFailed: false, emptyReads: 0 };
}

function append(list: EventLines, next: EventLines): EventLines {
  return { ...list, ...next, newest: list.newest, data: [...list.data, ...next.data] };
}

async function readRows(
  href: string,
  query: Record<string, string>,
): Promise<EventLines | undefined> {
  const url = new URL(href, location.href);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const response = await fetch(url);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
